import { describe, expect, test } from 'vitest';
import { OptimisticCells, provisionalText } from '../src/features/sheets/grid/optimistic-cells.ts';
import { canSendLater, cellsOfCall } from '../src/features/sheets/pending-calls.ts';

const place = {
  tab: 's1',
  selection: { active: { row: 0, col: 0 }, range: { top: 0, left: 0, bottom: 0, right: 0 }, others: [] },
};
const entered = {
  sheet_id: 's1',
  start_row: 1,
  start_col: 2,
  rows: [
    ['a', null],
    ['', '=1'],
  ],
};

describe('calls that can wait', () => {
  test('[finding P2] typing, emptying and heights can; what moves cells or cannot be shown cannot', () => {
    const batch = (...tools: string[]) => ({
      tool: 'batch',
      input: { calls: tools.map((tool) => ({ tool, arguments: {} })) },
    });
    expect(
      ['enter_cells', 'clear_range_cells', 'set_dimension_size'].map((tool) => canSendLater({ tool, input: {} })),
    ).toEqual([true, true, true]);
    expect(
      ['insert_dimension', 'sort_range', 'set_cell_style', 'revert', 'add_sheet'].map((tool) =>
        canSendLater({ tool, input: {} }),
      ),
    ).toEqual([false, false, false, false, false]);
    expect(canSendLater(batch('enter_cells', 'set_dimension_size'))).toBe(true);
    expect(canSendLater(batch('enter_cells', 'delete_dimension'))).toBe(false);
  });

  test('[finding P2] the cells of a call, in a batch too', () => {
    const cells = [
      { sheetId: 's1', row: 1, col: 2, input: 'a' },
      { sheetId: 's1', row: 2, col: 2, input: '' },
      { sheetId: 's1', row: 2, col: 3, input: '=1' },
    ];
    expect(cellsOfCall({ tool: 'enter_cells', input: entered, place })).toEqual(cells);
    expect(
      cellsOfCall({ tool: 'batch', input: { calls: [{ tool: 'enter_cells', arguments: entered }] }, place }),
    ).toEqual(cells);
    expect(
      cellsOfCall({
        tool: 'clear_range_cells',
        input: { sheet_id: 's2', start_row: 0, start_col: 0, end_row: 0, end_col: 1 },
        place,
      }),
    ).toEqual([
      { sheetId: 's2', row: 0, col: 0, input: '' },
      { sheetId: 's2', row: 0, col: 1, input: '' },
    ]);
    expect(
      cellsOfCall({
        tool: 'clear_range_cells',
        input: { start_row: 0, start_col: 0, end_row: 1_048_575, end_col: 0 },
        place,
      }),
    ).toEqual([]);
  });
});

describe('cells that are expected', () => {
  test('[finding P2] the newest shows; when it is dropped the one before shows again', () => {
    const expected = new OptimisticCells();
    expected.add('first', [{ row: 0, col: 0, input: 'x' }]);
    expected.add('second', [
      { row: 0, col: 0, input: 'y' },
      { row: 1, col: 0, input: 'z' },
    ]);
    expect(expected.at(0, 0)).toBe('y');
    expected.drop('second');
    expect([expected.at(0, 0), expected.at(1, 0)]).toEqual(['x', undefined]);
  });

  test('[finding P2] a confirmed one shows until the cells were read in that state or a later one', () => {
    const expected = new OptimisticCells();
    expected.add('edit', [{ row: 0, col: 0, input: 'x' }]);
    expected.onLoaded(9);
    expect(expected.at(0, 0)).toBe('x');
    expect(expected.isUnconfirmed(0, 0)).toBe(true);
    expected.confirm('edit', 10);
    expect(expected.isUnconfirmed(0, 0)).toBe(false);
    expected.onLoaded(9);
    expect(expected.at(0, 0)).toBe('x');
    expected.onLoaded(10);
    expect(expected.isEmpty).toBe(true);
  });

  test('[finding P2] a formula shows as typed once the server is away', () => {
    expect([
      provisionalText('=A1', false),
      provisionalText('=A1', true),
      provisionalText("'007", true),
      provisionalText('7', false),
    ]).toEqual(['…', '=A1', '007', '7']);
  });
});
