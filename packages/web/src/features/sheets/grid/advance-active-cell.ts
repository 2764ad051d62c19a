import { isSingleCell, singleCellRange, rangeContains, rangesEqual } from '../cell-geometry.ts';
import { spanOf } from '../multi-range.ts';
import type { Axis } from './axis.ts';
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
    const { rows, cols } = grid.model;
    const step = down + right > 0 ? 1 : -1;
    const start = step > 0 ? { row: range.top, col: range.left } : { row: range.bottom, col: range.right };
    const wrapRow = (row: number): number => nextOrFirst(rows, spanOf(range, 'row'), row, step);
    const wrapCol = (col: number): number => nextOrFirst(cols, spanOf(range, 'col'), col, step);
    next =
      down === 0
        ? { row: wrapRow(active.row + step), col: wrapCol(start.col) }
        : { row: wrapRow(start.row), col: wrapCol(active.col + step) };
  }
  grid.session.select(range, next, others);
  grid.reveal(singleCellRange(next.row, next.col));
}

/**
 * Returns the next visible row or column in the direction of `step`, starting at `index`. Wraps around at the end of
 * the span.
 */
function nextOrFirst(axis: Axis, [first, last]: readonly [number, number], index: number, step: 1 | -1): number {
  const inSpan = (from: number): number | undefined => {
    const found = axis.nextShown(from, step);
    return found !== undefined && found >= first && found <= last ? found : undefined;
  };
  const start = step > 0 ? first : last;
  return inSpan(index) ?? inSpan(start) ?? start;
}
