import type { ReactNode } from 'react';
import type { Refused } from '../lib/outbox/outbox.ts';
import { plainMessage } from '../lib/plain-message.ts';
import { useText } from '../text/use-text.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useStore } from '../ui/store.ts';
import { sayError } from '../ui/toast.tsx';
import { cellRange, rangeName, union } from './geometry.ts';
import { toTsv } from './grid/table-text.ts';
import { typedCells, type SheetCall, type TypedCell } from './kept-calls.ts';
import { useSession } from './session.ts';

/** Maximum number of characters shown; copying includes all of them. */
const maxShown = 5000;

/** Lists refused edits with the reasons. */
export function RefusedDialog({ onClose }: { onClose: () => void }): ReactNode {
  const text = useText();
  const refused = useStore(useSession().outbox.refused);
  return (
    <Dialog title={text('refusedTitle')} onClose={onClose} width="medium">
      <p className="text-soft">{text('refusedHint')}</p>
      <ul className="flex flex-col gap-3">
        {refused.map((one) => (
          <RefusedEdit key={one.entry.id} refused={one} />
        ))}
      </ul>
    </Dialog>
  );
}

function RefusedEdit({ refused: { entry, message } }: { refused: Refused<SheetCall> }): ReactNode {
  const text = useText();
  const { outbox, tabs } = useSession();
  const cells = typedCells(entry.call);
  const tab = tabs.get().find((one) => one.id === cells[0]?.sheetId);
  const typed = tableOf(cells);
  return (
    <li className="flex flex-col gap-2 rounded-xl border border-line p-3">
      <p className="text-sm font-medium">
        {tab?.name} {placeOf(cells)}
      </p>
      <pre className="scroll-thin max-h-40 overflow-auto rounded-lg bg-panel p-2 font-mono text-sm whitespace-pre-wrap">
        {typed === '' ? text('refusedClear') : typed.slice(0, maxShown)}
      </pre>
      <p className="text-sm text-danger">{message === '' ? text('refusedOld') : plainMessage(message)}</p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button look="quiet" onClick={() => outbox.discard(entry.id)}>
          {text('discard')}
        </Button>
        {typed !== '' && navigator.clipboard !== undefined && (
          <Button onClick={() => void navigator.clipboard.writeText(typed).catch(sayError)}>{text('copy')}</Button>
        )}
        <Button look="primary" onClick={() => void outbox.again(entry.id)?.catch(sayError)}>
          {text('tryAgain')}
        </Button>
      </div>
    </li>
  );
}

function placeOf(cells: readonly TypedCell[]): string {
  return cells.length === 0 ? '' : rangeName(cells.map(({ row, col }) => cellRange(row, col)).reduce(union));
}

/** Formats cells as tab-separated values that can be pasted again. */
function tableOf(cells: readonly TypedCell[]): string {
  if (cells.every(({ input }) => input === '')) return '';
  const rows = new Map<number, string[]>();
  for (const { row, input } of cells) rows.set(row, [...(rows.get(row) ?? []), input]);
  return toTsv([...rows.values()]);
}
