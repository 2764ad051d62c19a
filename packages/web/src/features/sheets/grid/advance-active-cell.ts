import { isSingleCell, singleCellRange, rangeContains, rangesEqual } from '../cell-geometry.ts';
import { neighborCell } from './cell-navigation.ts';
import type { Grid } from './grid.ts';

/**
 * Moves the active cell after Enter or Tab: to the neighboring cell, or to the next selected cell in a cycle if several
 * cells are selected.
 */
export function advanceActiveCell(grid: Grid, down: number, right: number): void {
  const { active, range, others } = grid.session.selection.get();
  // If the user filled a row with Tab, Enter moves to the cell below the cell in which the user started the row.
  const { rowBegun } = grid;
  const isGoingOn = rowBegun?.at.row === active.row && rowBegun.at.col === active.col;
  const begun = isGoingOn ? rowBegun.col : active.col;
  grid.rowBegun = undefined;
  const merge = grid.model.mergeAt(active.row, active.col);
  const isOne = merge ? rangesEqual(merge, range) : isSingleCell(range);
  if (isOne) {
    const from = down === 0 || !isGoingOn ? active : { row: active.row, col: begun };
    grid.selectCell(neighborCell(grid, from, down, right));
    if (right !== 0) grid.rowBegun = { col: begun, at: grid.session.selection.get().active };
    return;
  }
  let next = neighborCell(grid, active, down, right);
  if (!rangeContains(range, next.row, next.col) || (next.row === active.row && next.col === active.col)) {
    const wrap = (at: number, first: number, last: number): number => (at > last ? first : at < first ? last : at);
    next =
      down === 0
        ? { col: right > 0 ? range.left : range.right, row: wrap(active.row + right, range.top, range.bottom) }
        : { row: down > 0 ? range.top : range.bottom, col: wrap(active.col + down, range.left, range.right) };
  }
  grid.session.select(range, next, others);
  grid.reveal(singleCellRange(next.row, next.col));
}
