import type { ReactNode } from 'react';
import type { RejectedEdit } from '../../lib/outbox/outbox.ts';
import { toUserMessage } from '../../lib/user-message.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useStore } from '../../ui/store.ts';
import { showErrorToast } from '../../ui/toast.tsx';
import { singleCellRange, rangeName, unionRange } from './cell-geometry.ts';
import { toTsv } from './grid/clipboard-formats.ts';
import { cellsOfCall, type SheetCall, type TypedCell } from './pending-calls.ts';
import { useSession } from './sheet-session.ts';

/** Maximum number of characters shown of a rejected edit. The copy button copies the complete text. */
const maxShown = 5000;

export function RejectedEditsDialog({ onClose }: { onClose: () => void }): ReactNode {
  const text = useTranslation();
  const refused = useStore(useSession().outbox.rejected);
  return (
    <Dialog title={text('refusedTitle')} onClose={onClose} width="medium">
      <p className="text-soft">{text('refusedHint')}</p>
      <ul className="flex flex-col gap-3">
        {refused.map((one) => (
          <RejectedEditItem key={one.entry.id} refused={one} />
        ))}
      </ul>
    </Dialog>
  );
}

function RejectedEditItem({ refused: { entry, message } }: { refused: RejectedEdit<SheetCall> }): ReactNode {
  const text = useTranslation();
  const { outbox, tabs } = useSession();
  const cells = cellsOfCall(entry.call);
  const tab = tabs.get().find((one) => one.id === cells[0]?.sheetId);
  const typed = toTable(cells);
  return (
    <li className="flex flex-col gap-2 rounded-xl border border-line p-3">
      <p className="text-sm font-medium">
        {tab?.name} {rangeLabel(cells)}
      </p>
      <pre className="scroll-thin max-h-40 overflow-auto rounded-lg bg-panel p-2 font-mono text-sm whitespace-pre-wrap">
        {typed === '' ? text('refusedClear') : typed.slice(0, maxShown)}
      </pre>
      <p className="text-sm text-danger">{message === '' ? text('refusedOld') : toUserMessage(message)}</p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="quiet" onClick={() => outbox.discard(entry.id)}>
          {text('discard')}
        </Button>
        {typed !== '' && navigator.clipboard !== undefined && (
          <Button onClick={() => void navigator.clipboard.writeText(typed).catch(showErrorToast)}>
            {text('copy')}
          </Button>
        )}
        <Button variant="primary" onClick={() => void outbox.resend(entry.id)?.catch(showErrorToast)}>
          {text('tryAgain')}
        </Button>
      </div>
    </li>
  );
}

function rangeLabel(cells: readonly TypedCell[]): string {
  return cells.length === 0 ? '' : rangeName(cells.map(({ row, col }) => singleCellRange(row, col)).reduce(unionRange));
}

/** Formats cells as tab-separated values that can be pasted into the sheet again. */
function toTable(cells: readonly TypedCell[]): string {
  if (cells.every(({ input }) => input === '')) return '';
  const rows = new Map<number, string[]>();
  for (const { row, input } of cells) rows.set(row, [...(rows.get(row) ?? []), input]);
  return toTsv([...rows.values()]);
}
