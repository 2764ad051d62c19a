import { MessageSquare, Plus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from '../../../../i18n/use-translation.ts';
import { Button } from '../../../../ui/button.tsx';
import { Checkbox } from '../../../../ui/form-fields.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '../../../../ui/status-placeholders.tsx';
import { useStore } from '../../../../ui/store.ts';
import { cellName, singleCellRange } from '../../cell-geometry.ts';
import { useSession } from '../../sheet-session.ts';
import { affectsObjects, useLiveQuery } from '../live-query.ts';
import { CommentThreadView } from './comment-thread.tsx';

/** Lists all comment threads of the sheet by cell. */
export function CommentsPanel(): ReactNode {
  const text = useTranslation();
  const session = useSession();
  const tab = useStore(session.current);
  const { active } = useStore(session.selection);
  const [all, setAll] = useState(false);
  const { data, error } = useLiveQuery('list_objects', { object_types: ['comment'] }, affectsObjects);
  if (error) return <ErrorState error={error} />;
  if (!data) return <SkeletonLines count={3} />;
  const threads = (data.comments ?? [])
    .filter(({ resolved }) => all || !resolved)
    .toSorted((a, b) => a.row - b.row || a.col - b.col);
  const hasResolved = (data.comments ?? []).some(({ resolved }) => resolved);
  const add = session.mayWrite && (
    <Button variant="primary" onClick={() => session.requestOpen('comment')}>
      <Plus size={15} /> {text('commentOn', { cell: cellName(active.row, active.col) })}
    </Button>
  );
  const filter = hasResolved && (
    <Checkbox label={text('showResolved')} checked={all} onChange={(event) => setAll(event.target.checked)} />
  );
  if (threads.length === 0)
    return (
      <>
        {filter}
        <EmptyState icon={<MessageSquare />} title={text('noComments')} actions={add}>
          {text('noCommentsHint')}
        </EmptyState>
      </>
    );
  return (
    <div className="flex flex-col gap-3">
      {add && <div>{add}</div>}
      {filter}
      <ul aria-label={text('comments')} className="flex flex-col gap-2">
        {threads.map((thread) => (
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
        ))}
      </ul>
    </div>
  );
}
