import { maxCols, maxRows } from './grid-size.ts';
import { RangeRef, type Grid } from './values.ts';

/**
 * Maximum number of cells in an array. A formula whose array would be larger returns #NUM! before memory is allocated.
 */
export const maxArrayCells = 4_194_304;

/**
 * Ranges of at most this many cells are never trimmed to the used part of the sub-sheet. A small range may refer to the
 * last row or column on purpose, because relative references in defined names wrap around the edges of the grid.
 */
const keptCells = 1_024;

/**
 * Trims a large range that reaches the last row or column of the grid, such as `A:A`, to the used part of the
 * sub-sheet, so that a formula does not read a million blank cells. Returns any other grid unchanged.
 */
export function trimToUsed(grid: Grid): Grid {
  if (!(grid instanceof RangeRef)) return grid;
  // Only large ranges that reach the end of the grid are trimmed. In any other range, trailing blank cells are part of
  // the result.
  const reachesEnd = grid.bottom === maxRows - 1 || grid.right === maxCols - 1;
  return reachesEnd && grid.rows * grid.cols > keptCells ? grid.trimmed() : grid;
}
