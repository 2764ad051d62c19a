import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import type { Translate } from '../../../i18n/use-translation.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Dialog, DialogButtons } from '../../../ui/dialog.tsx';
import { Checkbox, Select } from '../../../ui/form-fields.tsx';
import { showToast, showErrorToast } from '../../../ui/toast.tsx';
import { columnName, rangeName, regionFields, type CellRange } from '../cell-geometry.ts';
import { useSheet, type SheetSession } from '../sheet-session.ts';
import { readHeadings, detectSelectedTable, withoutTotals, type DetectedTable } from './detect-table.ts';

interface Key {
  col: number;
  ascending: boolean;
}

export async function requestSort(
  session: SheetSession,
  range: CellRange,
  hasHeader: boolean,
  keys: readonly Key[],
): Promise<void> {
  await session.write('sort_range', {
    sheet_id: session.tab.id,
    ...regionFields(range),
    has_header: hasHeader,
    columns: keys.map(({ col, ascending }) => ({ col, order: ascending ? (1 as const) : (0 as const) })),
  });
}

export async function sortByActiveColumn(session: SheetSession, ascending: boolean, text: Translate): Promise<void> {
  const found = await detectSelectedTable(session);
  const { col } = session.selection.get().active;
  if (!found) {
    showToast(text('nothingToSort'));
    return;
  }
  const { range, hasHeader, hasTotals } = withoutTotals(found);
  await requestSort(session, range, hasHeader, [{ col: Math.min(Math.max(col, range.left), range.right), ascending }]);
  if (hasTotals) showToast(text('totalsStayed', { row: range.bottom + 2 }));
}

export function SortDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { session, text } = useSheet();
  const [table, setTable] = useState<DetectedTable>();
  const [names, setNames] = useState<string[]>([]);
  const [hasHeader, setHasHeader] = useState(false);
  const [keys, setKeys] = useState<Key[]>([]);
  useEffect(() => {
    const read = async (): Promise<void> => {
      const found = await detectSelectedTable(session);
      if (!found) {
        showToast(text('nothingToSort'));
        onClose();
        return;
      }
      setTable(withoutTotals(found));
      setHasHeader(found.hasHeader);
      setKeys([
        {
          col: Math.min(Math.max(session.selection.get().active.col, found.range.left), found.range.right),
          ascending: true,
        },
      ]);
      setNames(await readHeadings(session, session.tab.id, found.range));
    };
    void read().catch(showErrorToast);
    // The selection is deliberately not a dependency, because the range to sort is fixed when the dialog opens.
  }, [session]);
  if (!table) return null;
  const nameOf = (col: number): string =>
    (hasHeader && names[col - table.range.left]) || text('columnNamed', { name: columnName(col) });
  const change = (at: number, given: Partial<Key>): void =>
    setKeys(keys.map((key, index) => (index === at ? { ...key, ...given } : key)));
  const swap = (at: number, by: number): void => {
    const moved = keys.toSpliced(at, 1);
    setKeys(moved.toSpliced(at + by, 0, keys[at]!));
  };
  const apply = async (): Promise<void> => {
    await requestSort(session, table.range, hasHeader, keys);
    onClose();
  };
  const columns = Array.from(
    { length: Math.min(1000, table.range.right - table.range.left + 1) },
    (_, index) => table.range.left + index,
  );
  return (
    <Dialog title={text('sortRange', { range: rangeName(table.range) })} onClose={onClose} width="medium">
      <Checkbox
        label={text('hasHeaderRow')}
        checked={hasHeader}
        onChange={(event) => setHasHeader(event.target.checked)}
      />
      <ol aria-label={text('sortKeys')} className="flex flex-col gap-2">
        {keys.map((key, index) => (
          <li key={index} className="flex items-center gap-2">
            <span className="w-14 shrink-0 text-sm text-soft">{index === 0 ? text('sortBy') : text('thenBy')}</span>
            <Select
              aria-label={text('sortColumn', { number: index + 1 })}
              value={key.col}
              onChange={(event) => change(index, { col: Number(event.target.value) })}
            >
              {columns.map((col) => (
                <option key={col} value={col}>
                  {nameOf(col)}
                </option>
              ))}
            </Select>
            <Select
              aria-label={text('sortOrder', { number: index + 1 })}
              className="max-w-36"
              value={key.ascending ? 'up' : 'down'}
              onChange={(event) => change(index, { ascending: event.target.value === 'up' })}
            >
              <option value="up">{text('ascending')}</option>
              <option value="down">{text('descending')}</option>
            </Select>
            <IconButton label={text('moveUp')} disabled={index === 0} onClick={() => swap(index, -1)}>
              <ArrowUp size={15} />
            </IconButton>
            <IconButton label={text('moveDown')} disabled={index === keys.length - 1} onClick={() => swap(index, 1)}>
              <ArrowDown size={15} />
            </IconButton>
            <IconButton
              label={text('remove')}
              disabled={keys.length === 1}
              onClick={() => setKeys(keys.toSpliced(index, 1))}
            >
              <X size={15} />
            </IconButton>
          </li>
        ))}
      </ol>
      <DialogButtons>
        <Button
          variant="quiet"
          className="mr-auto"
          disabled={keys.length >= 64}
          onClick={() =>
            setKeys([
              ...keys,
              { col: columns.find((col) => !keys.some((key) => key.col === col)) ?? table.range.left, ascending: true },
            ])
          }
        >
          <Plus size={15} /> {text('addSortKey')}
        </Button>
        <Button variant="quiet" onClick={onClose}>
          {text('cancel')}
        </Button>
        <Button variant="primary" onClick={() => void apply().catch(showErrorToast)}>
          {text('sort')}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
