import { MessageSquare } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useStore } from '../../../../ui/store.ts';
import { FollowButton } from '../../../comments/follow-button.tsx';
import { cellName, singleCellRange } from '../../cell-geometry.ts';
import { useSheet } from '../../sheet-session.ts';
import { affectsObjects, useLiveQuery } from '../live-query.ts';
import { ObjectListPanel } from '../object-list-panel.tsx';
import { LiveCheckbox } from '../panel-inputs.tsx';
import { CommentThreadView } from './comment-thread.tsx';

/** Lists the comment threads of the current sub-sheet by cell. Resolved threads are shown on request. */
export function CommentsPanel(): ReactNode {
  const { session, text } = useSheet();
  const tab = useStore(session.current);
  const { active } = useStore(session.selection);
  const [all, setAll] = useState(false);
  const query = useLiveQuery('list_objects', { object_types: ['comment'] }, affectsObjects);
  const hasResolved = query.data?.comments?.some(({ resolved }) => resolved) ?? false;
  return (
    <ObjectListPanel
      query={query}
      tool="list_objects"
      items={({ comments = [] }) =>
        comments.filter(({ resolved }) => all || !resolved).toSorted((a, b) => a.row - b.row || a.col - b.col)
      }
      label={text('comments')}
      empty={{ icon: <MessageSquare />, title: text('noComments'), hint: text('noCommentsHint') }}
      add={text('commentOn', { cell: cellName(active.row, active.col) })}
      onAdd={() => session.requestOpen('comment')}
      extra={() => (
        <>
          <FollowButton kind="sheet" id={session.fileId} />
          {hasResolved && <LiveCheckbox label={text('showResolved')} checked={all} onChange={setAll} />}
        </>
      )}
      listClass="flex flex-col gap-2"
      row={(thread) => (
        <li
          key={thread.comment_id}
          className="flex flex-col gap-1.5 rounded-xl border border-line bg-raised p-3 text-sm"
        >
          <button
            type="button"
            className="self-start rounded bg-hover px-1.5 font-mono text-xs hover:underline"
            onClick={() => session.goTo(tab, singleCellRange(thread.row, thread.col))}
          >
            {cellName(thread.row, thread.col)}
          </button>
          <CommentThreadView thread={thread} />
        </li>
      )}
    />
  );
}
