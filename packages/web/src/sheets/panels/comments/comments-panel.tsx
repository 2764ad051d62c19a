import { MessageSquare, Plus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useText } from '../../../text/use-text.ts';
import { Button } from '../../../ui/button.tsx';
import { Check } from '../../../ui/field.tsx';
import { Empty, Failed, Lines } from '../../../ui/states.tsx';
import { useStore } from '../../../ui/store.ts';
import { cellName, cellRange } from '../../geometry.ts';
import { useSession } from '../../session.ts';
import { movesObjects, useLive } from '../live.ts';
import { ThreadView } from './thread.tsx';

/** Lists all comment threads of the sheet by cell. */
export function CommentsPanel(): ReactNode {
  const text = useText();
  const session = useSession();
  const tab = useStore(session.current);
  const { active } = useStore(session.selection);
  const [all, setAll] = useState(false);
  const { data, error } = useLive('list_objects', { object_types: ['comment'] }, movesObjects);
  if (error) return <Failed error={error} />;
  if (!data) return <Lines count={3} />;
  const threads = (data.comments ?? [])
    .filter(({ resolved }) => all || !resolved)
    .toSorted((a, b) => a.row - b.row || a.col - b.col);
  const hasResolved = (data.comments ?? []).some(({ resolved }) => resolved);
  const add = session.mayWrite && (
    <Button look="primary" onClick={() => session.wishFor('comment')}>
      <Plus size={15} /> {text('commentOn', { cell: cellName(active.row, active.col) })}
    </Button>
  );
  const filter = hasResolved && (
    <Check label={text('showResolved')} checked={all} onChange={(event) => setAll(event.target.checked)} />
  );
  if (threads.length === 0)
    return (
      <>
        {filter}
        <Empty icon={<MessageSquare />} title={text('noComments')} actions={add}>
          {text('noCommentsHint')}
        </Empty>
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
              onClick={() => session.goTo(tab, cellRange(thread.row, thread.col))}
            >
              {cellName(thread.row, thread.col)}
            </button>
            <ThreadView thread={thread} />
          </li>
        ))}
      </ul>
    </div>
  );
}
