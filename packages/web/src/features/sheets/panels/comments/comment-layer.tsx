import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from '../../../../i18n/use-translation.ts';
import { useStore } from '../../../../ui/store.ts';
import { CellOverlay, useVisibleRange } from '../../grid-overlay.tsx';
import { cellName } from '../../cell-geometry.ts';
import { useSession, useSheet } from '../../sheet-session.ts';
import { affectsObjects, refetchTool, useLiveQuery } from '../live-query.ts';
import { MentionField } from '../../../comments/mention-field.tsx';
import { CommentThreadView, type CommentThread } from './comment-thread.tsx';

/** Marks cells that have comments, and shows the comment thread of the active cell next to it. */
export function CommentLayer(): ReactNode {
  const session = useSession();
  const viewport = useVisibleRange();
  const { active } = useStore(session.selection);
  const tab = useStore(session.current);
  const wish = useStore(session.openRequest);
  const [writing, setWriting] = useState<string>();
  const { data } = useLiveQuery('list_objects', { object_types: ['comment'] }, affectsObjects);
  const here = `${tab} ${cellName(active.row, active.col)}`;
  useEffect(() => {
    if (wish?.what === 'comment') setWriting(here);
  }, [wish]);
  // Close the comment field when the active cell changes. Otherwise returning to that cell would move the focus into
  // the field.
  useEffect(() => setWriting((before) => (before === here ? before : undefined)), [here]);
  if (!data) return null;
  const open = (data.comments ?? []).filter(({ resolved }) => !resolved);
  const thread = open.find(({ row, col }) => row === active.row && col === active.col);
  const close = (): void => {
    setWriting(undefined);
    session.focusCells();
  };
  return (
    <>
      {open
        .filter(({ row, col }) => !viewport || isNear(viewport, row, col))
        .map((one) => (
          <Corner key={one.comment_id} thread={one} />
        ))}
      {(thread ?? writing === here) && (
        <Card
          key={here}
          thread={thread}
          row={active.row}
          col={active.col}
          isWriting={writing === here}
          onClose={close}
        />
      )}
    </>
  );
}

/**
 * Returns whether a cell is near the visible area, or near the top-left corner of the sheet, where cells may be frozen.
 */
function isNear(
  { top, left, bottom, right }: { top: number; left: number; bottom: number; right: number },
  row: number,
  col: number,
): boolean {
  return (row < 50 || (row >= top - 1 && row <= bottom + 1)) && (col < 30 || (col >= left - 1 && col <= right + 1));
}

function Corner({ thread: { row, col, entries } }: { thread: CommentThread }): ReactNode {
  const text = useTranslation();
  return (
    <CellOverlay row={row} col={col} className="pointer-events-none">
      <span
        role="img"
        aria-label={`${text('commentsOn', { cell: cellName(row, col) })}: ${entries.length}`}
        data-comment={cellName(row, col)}
        className="absolute top-0 right-0 size-0 border-t-8 border-l-8 border-t-warn border-l-transparent"
      />
    </CellOverlay>
  );
}

function Card({
  thread,
  row,
  col,
  isWriting,
  onClose,
}: {
  thread: CommentThread | undefined;
  row: number;
  col: number;
  isWriting: boolean;
  onClose: () => void;
}): ReactNode {
  const { session, text } = useSheet();
  const cell = cellName(row, col);
  return (
    <CellOverlay row={row} col={col} className="pointer-events-none z-10">
      <div
        role="group"
        aria-label={text('commentsOn', { cell })}
        className={
          'rise scroll-thin pointer-events-auto absolute top-0 left-full ml-2 max-h-80 w-72 max-w-[70vw] overflow-y-auto ' +
          'rounded-xl border border-line bg-raised p-3 text-sm shadow-float'
        }
        onPointerDown={(event) => event.stopPropagation()}
        onWheel={(event) => event.stopPropagation()}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === 'Escape') onClose();
        }}
      >
        {thread ? (
          <CommentThreadView thread={thread} onGone={onClose} />
        ) : (
          isWriting && (
            <MentionField
              about={{ kind: 'sheet', id: session.fileId }}
              label={text('writeComment')}
              action={text('addComment')}
              takesFocus
              onCancel={onClose}
              onSend={async (said) => {
                await session.write('set_comment', { sheet_id: session.tab.id, row, col, text: said });
                await refetchTool(session, 'list_objects');
                session.focusCells();
              }}
            />
          )
        )}
      </div>
    </CellOverlay>
  );
}
