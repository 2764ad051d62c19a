import { describe, expect, test } from 'vitest';
import { ExpectedCells, shownAs } from '../src/sheets/grid/expected.ts';
import { canWait, typedCells } from '../src/sheets/kept-calls.ts';

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
      ['enter_cells', 'clear_range_cells', 'set_dimension_size'].map((tool) => canWait({ tool, input: {} })),
    ).toEqual([true, true, true]);
    expect(
      ['insert_dimension', 'sort_range', 'set_cell_style', 'revert', 'add_sheet'].map((tool) =>
        canWait({ tool, input: {} }),
      ),
    ).toEqual([false, false, false, false, false]);
    expect(canWait(batch('enter_cells', 'set_dimension_size'))).toBe(true);
    expect(canWait(batch('enter_cells', 'delete_dimension'))).toBe(false);
  });

  test('[finding P2] the cells of a call, in a batch too', () => {
    const cells = [
      { sheetId: 's1', row: 1, col: 2, input: 'a' },
      { sheetId: 's1', row: 2, col: 2, input: '' },
      { sheetId: 's1', row: 2, col: 3, input: '=1' },
    ];
    expect(typedCells({ tool: 'enter_cells', input: entered, place })).toEqual(cells);
    expect(
      typedCells({ tool: 'batch', input: { calls: [{ tool: 'enter_cells', arguments: entered }] }, place }),
    ).toEqual(cells);
    expect(
      typedCells({
        tool: 'clear_range_cells',
        input: { sheet_id: 's2', start_row: 0, start_col: 0, end_row: 0, end_col: 1 },
        place,
      }),
    ).toEqual([
      { sheetId: 's2', row: 0, col: 0, input: '' },
      { sheetId: 's2', row: 0, col: 1, input: '' },
    ]);
    expect(
      typedCells({
        tool: 'clear_range_cells',
        input: { start_row: 0, start_col: 0, end_row: 1_048_575, end_col: 0 },
        place,
      }),
    ).toEqual([]);
  });
});

describe('cells that are expected', () => {
  test('[finding P2] the newest shows; when it is dropped the one before shows again', () => {
    const expected = new ExpectedCells();
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
    const expected = new ExpectedCells();
    expected.add('edit', [{ row: 0, col: 0, input: 'x' }]);
    expected.read(9);
    expect(expected.at(0, 0)).toBe('x');
    expect(expected.isWaiting(0, 0)).toBe(true);
    expected.confirm('edit', 10);
    expect(expected.isWaiting(0, 0)).toBe(false);
    expected.read(9);
    expect(expected.at(0, 0)).toBe('x');
    expected.read(10);
    expect(expected.isEmpty).toBe(true);
  });

  test('[finding P2] a formula shows as typed once the server is away', () => {
    expect([shownAs('=A1', false), shownAs('=A1', true), shownAs("'007", true), shownAs('7', false)]).toEqual([
      '…',
      '=A1',
      '007',
      '7',
    ]);
  });
});
