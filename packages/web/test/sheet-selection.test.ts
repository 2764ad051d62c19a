import { expect, test, vi } from 'vitest';
import { parseRange, type Cell } from '../src/features/sheets/cell-geometry.ts';
import { advanceActiveCell } from '../src/features/sheets/grid/advance-active-cell.ts';
import { Axis } from '../src/features/sheets/grid/axis.ts';
import type { Grid } from '../src/features/sheets/grid/grid.ts';
import { shiftUnlessDeleted } from '../src/features/sheets/grid/shift-range.ts';
import { listValues } from '../src/features/sheets/panels/validation/validation-rule.ts';
import { rangeToPrint } from '../src/features/sheets/print/build-print-table.ts';
import { isLineSelected } from '../src/features/sheets/selection-ranges.ts';
import type { Selection, SheetSession } from '../src/features/sheets/sheet-session.ts';
import { withDecimals } from '../src/features/sheets/toolbar/number-tools.tsx';

// Some of the modules read these while they are loaded.
vi.hoisted(() => {
  vi.stubGlobal('navigator', { language: 'en', userAgent: '', platform: '' });
  vi.stubGlobal('window', { localStorage: { getItem: () => null } });
});

/** A grid of 20 rows and 10 columns of which row 4 and column C are hidden. */
function gridWith(range: string, active: Cell, ...others: string[]): { grid: Grid; active: () => string } {
  let selection: Selection = {
    range: parseRange(range, 20, 10)!,
    active,
    others: others.map((one) => parseRange(one, 20, 10)!),
  };
  const grid = {
    session: {
      selection: { get: () => selection },
      select: (to: Selection['range'], cell: Cell) => (selection = { ...selection, range: to, active: cell }),
    },
    model: { rows: new Axis(20, 20, [], [[3, 3]]), cols: new Axis(10, 80, [], [[2, 2]]), mergeAt: () => undefined },
    reveal: () => undefined,
  };
  return { grid: grid as unknown as Grid, active: () => `${selection.active.row} ${selection.active.col}` };
}

test('a copied range moves with its rows, and is forgotten when they are all deleted', () => {
  const copied = parseRange('B6:C7')!;
  const after = (at: number, count: number): unknown => shiftUnlessDeleted(copied, { axis: 'row', at, count });
  expect(after(2, 2)).toEqual(parseRange('B8:C9'));
  expect(after(0, -2)).toEqual(parseRange('B4:C5'));
  expect(after(5, -2)).toBeUndefined();
  expect(after(6, -3)).toEqual(parseRange('B6:C6'));
  expect(after(4, -2)).toEqual(parseRange('B5:C5'));
});

test('Tab and Enter within a selection pass over hidden rows and columns', () => {
  const { grid, active } = gridWith('B3:D5', { row: 2, col: 3 });
  advanceActiveCell(grid, 0, 1);
  expect(active()).toBe('4 1');
  advanceActiveCell(grid, 0, -1);
  expect(active()).toBe('2 3');
  const below = gridWith('A3:C4', { row: 2, col: 1 });
  advanceActiveCell(below.grid, 1, 0);
  expect(below.active()).toBe('2 0');
  advanceActiveCell(below.grid, -1, 0);
  expect(below.active()).toBe('2 1');
});

test('a row is selected if any of the selected ranges of whole rows contains it', () => {
  const { grid } = gridWith('7:8', { row: 6, col: 0 }, '2:2', 'B11:C12');
  expect([1, 2, 6, 7, 10].map((row) => isLineSelected(grid, 'row', row))).toEqual([true, false, true, true, false]);
  expect(isLineSelected(grid, 'col', 1)).toBe(false);
});

test('more and fewer decimals leave the exponent alone, and count optional digits', () => {
  expect(withDecimals('0.00E+00', 1)).toBe('0.000E+00');
  expect(withDecimals('0E+00', 1)).toBe('0.0E+00');
  expect(withDecimals('0.##', 1)).toBe('0.000');
  expect(withDecimals('#,##0.00;[Red]-#,##0.00', -1)).toBe('#,##0.0;[Red]-#,##0.0');
  expect(withDecimals('[$-804]"E"0.0', 1)).toBe('[$-804]"E"0.00');
  expect(withDecimals('0.0%', -1)).toBe('0%');
});

test('a list of choices in a row of cells has all of its cells', async () => {
  const asked: unknown[] = [];
  const session = {
    tab: { id: 's' },
    read: (_tool: string, input: unknown) => {
      asked.push(input);
      return Promise.resolve({ cells: [] });
    },
  } as unknown as SheetSession;
  const rule = (range: string) => ({
    validation_id: 'v',
    kind: 'list' as const,
    ranges: ['A1'],
    values: [`=${range}`],
  });
  await listValues(session, rule('$B$2:$E$2'), { row: 0, col: 0 });
  await listValues(session, rule('$B$2:$C$9'), { row: 0, col: 0 });
  expect(asked).toEqual([
    { sheet_id: 's', start_row: 1, start_col: 1, end_row: 1, end_col: 4 },
    { sheet_id: 's', start_row: 1, start_col: 1, end_row: 8, end_col: 1 },
  ]);
});

test('a print area of whole columns or rows ends where the sheet is used', () => {
  const printed = (print_area: string): unknown => rangeToPrint({ print_area }, { used: 'A1:F30' });
  expect(printed('A1:D1048576')).toEqual(parseRange('A1:D30'));
  expect(printed('B:C')).toEqual(parseRange('B1:C30'));
  expect(printed('3:5')).toEqual(parseRange('A3:F5'));
  expect(printed('A1:H40')).toEqual(parseRange('A1:H40'));
  expect(printed('')).toEqual(parseRange('A1:F30'));
});
