import { Bot, Eye, Undo2 } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { SheafError } from '../../lib/api-client.ts';
import { errorCodes } from '../../lib/error-codes.ts';
import { useStore } from '../../ui/store.ts';
import { showErrorToast, showToast } from '../../ui/toast.tsx';
import { countCells, RecentWrites, type RecentWrite } from './recent-writes.ts';
import { useRevisions, useSheet } from './sheet-session.ts';
import { userColor } from './user-color.ts';

const maxShown = 3;

/**
 * Flags in the title bar, one for each person or agent that has just changed cells. A flag can show the changed cells
 * and undo the changes. Flags are in the title bar so that they cover no cells.
 */
export function WriterFlags(): ReactNode {
  const { session, text } = useSheet();
  const [writes] = useState(() => new RecentWrites());
  useEffect(() => () => writes.stop(), [writes]);
  const shown = useStore(writes.state);
  useRevisions((revision) => {
    if (revision.own) return;
    void session.fetchName(revision).then((name) => writes.add(revision, name));
  });
  return (
    <ul
      aria-label={text('recentWriters')}
      role={shown.length > 0 ? 'list' : 'presentation'}
      className="flex min-w-0 shrink items-center gap-2"
      onPointerEnter={() => writes.hold(true)}
      onPointerLeave={() => writes.hold(false)}
      onFocus={() => writes.hold(true)}
      onBlur={() => writes.hold(false)}
    >
      {shown.slice(-maxShown).map((write) => (
        <Flag key={write.who} write={write} writes={writes} />
      ))}
    </ul>
  );
}

function Flag({ write, writes }: { write: RecentWrite; writes: RecentWrites }): ReactNode {
  const { session, text } = useSheet();
  const [isBusy, setBusy] = useState(false);
  const { who, tool, places, versions } = write;
  const name = write.name === '' ? text('someone') : write.name;
  const count = countCells(places);
  const last = places.at(-1);
  const undo = async (): Promise<void> => {
    setBusy(true);
    try {
      // Undo the last write first, because earlier writes may have changed the same cells.
      for (const version of versions.toReversed()) {
        await session.write('undo_revision', { version });
        writes.removeVersion(who, version);
      }
      writes.remove(who);
      showToast(text('writtenUndone', { name }));
    } catch (error) {
      const isConflict = error instanceof SheafError && error.code === errorCodes.sheet.conflict;
      showErrorToast(isConflict ? new Error(text('othersWrote')) : error);
    } finally {
      setBusy(false);
    }
  };
  const action = 'inline-flex h-7 items-center gap-1 rounded-md px-1.5 font-medium text-accent hover:bg-hover';
  return (
    <li
      data-mark={name}
      className="flex h-8 min-w-0 items-center gap-1 rounded-lg border border-line bg-raised pr-0.5 pl-2 text-sm"
    >
      <span role="status" title={tool} className="flex min-w-0 items-center gap-1.5">
        <span
          aria-hidden
          className="flex size-4 shrink-0 items-center justify-center rounded-full text-[light-dark(white,black)]"
          style={{ backgroundColor: userColor(who) }}
        >
          {tool !== undefined && <Bot size={11} />}
        </span>
        <span className="truncate">
          {count === 0 ? text('wroteSheet', { name }) : text('wroteCells', { name, count })}
        </span>
      </span>
      {last && (
        <button
          type="button"
          aria-label={text('showWritten', { name })}
          title={text('showWritten', { name })}
          className={action}
          onClick={() => {
            session.show(last.sheetId);
            session.scrollTo({ row: last.range.top, col: last.range.left });
          }}
        >
          <Eye size={14} className="lg:hidden" />
          <span className="max-lg:hidden">{text('showWord')}</span>
        </button>
      )}
      {session.mayWrite && (
        <button
          type="button"
          disabled={isBusy}
          aria-label={text('undoWritten', { name })}
          title={text('undoWritten', { name })}
          className={action}
          onClick={() => void undo()}
        >
          <Undo2 size={14} className="lg:hidden" />
          <span className="max-lg:hidden">{text('undo')}</span>
        </button>
      )}
    </li>
  );
}
