import { maxCols, maxRows } from '../base/grid-size.ts';
import type { SubSheet } from '../document/objects/sub-sheet.ts';
import { neverNoOp, noShift } from './affected-parts.ts';
import { defineMutation, type MutationKind, type Mutation } from './define-mutation.ts';

export interface SetGrid {
  readonly sheet: string;
  readonly rows: number;
  readonly cols: number;
}

/** Sets how many rows and columns a sub-sheet shows. Content outside the grid is not deleted. */
export const setGrid: MutationKind<SetGrid> = defineMutation({
  type: 39,
  name: 'set_grid',
  scope: 'layout',
  touches: ({ sheet }) => [{ sheet, object: 'grid' }],
  shift: noShift,
  isNoOp: neverNoOp,
  beside: { undone: 'dropped', later: 'when apart' },
  apply: (document, { sheet, rows, cols }) => {
    const sub = document.subSheet(sheet);
    if (!Number.isInteger(rows) || rows < 1 || rows > maxRows)
      throw new RangeError(`rows: ${rows} is not between 1 and ${maxRows}`);
    if (!Number.isInteger(cols) || cols < 1 || cols > maxCols)
      throw new RangeError(`cols: ${cols} is not between 1 and ${maxCols}`);
    const undo = setGrid.of({ sheet, rows: sub.rows, cols: sub.cols });
    sub.rows = rows;
    sub.cols = cols;
    return [undo];
  },
});

/**
 * Grows the grid to include a cell. Returns the mutation that restores its size; none if it already included the cell.
 */
export function growGrid(sheet: SubSheet, row: number, col: number): Mutation[] {
  const { rows, cols } = sheet;
  if (row < rows && col < cols) return [];
  sheet.rows = Math.max(rows, row + 1);
  sheet.cols = Math.max(cols, col + 1);
  return [setGrid.of({ sheet: sheet.id, rows, cols })];
}
