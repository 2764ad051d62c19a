import { singleCellRange, rangeContains } from '../cell-geometry.ts';
import { neighborCell } from './cell-navigation.ts';
import type { Grid } from './grid.ts';

/** Enter and Tab: moves to the next cell, or cycles within a selection of several cells. */
export function advanceActiveCell(grid: Grid, down: number, right: number): void {
  const { active, range, others } = grid.session.selection.get();
  // After a row was filled with Tab, Enter goes to the cell below the one where the row was started.
  const { rowBegun } = grid;
  const isGoingOn = rowBegun?.at.row === active.row && rowBegun.at.col === active.col;
  const begun = isGoingOn ? rowBegun.col : active.col;
  grid.rowBegun = undefined;
  const merge = grid.model.mergeAt(active.row, active.col);
  const isOne = merge
    ? merge.top === range.top &&
      merge.bottom === range.bottom &&
      merge.left === range.left &&
      merge.right === range.right
    : range.top === range.bottom && range.left === range.right;
  if (isOne) {
    const from = down === 0 || !isGoingOn ? active : { row: active.row, col: begun };
    grid.selectCell(neighborCell(grid, from, down, right));
    if (right !== 0) grid.rowBegun = { col: begun, at: grid.session.selection.get().active };
    return;
  }
  let next = neighborCell(grid, active, down, right);
  if (!rangeContains(range, next.row, next.col) || (next.row === active.row && next.col === active.col)) {
    if (down !== 0)
      next = {
        row: down > 0 ? range.top : range.bottom,
        col:
          active.col + down > range.right
            ? range.left
            : active.col + down < range.left
              ? range.right
              : active.col + down,
      };
    else
      next = {
        col: right > 0 ? range.left : range.right,
        row:
          active.row + right > range.bottom
            ? range.top
            : active.row + right < range.top
              ? range.bottom
              : active.row + right,
      };
  }
  grid.session.select(range, next, others);
  grid.reveal(singleCellRange(next.row, next.col));
}
