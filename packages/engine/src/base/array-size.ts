import { maxCols, maxRows } from './grid-size.ts';
import { RangeRef, type Grid } from './values.ts';

/**
 * Maximum number of cells in an array. A formula whose array would be larger returns #NUM! before memory is allocated.
 */
export const maxArrayCells = 4_194_304;

/** Ranges of at most so many cells keep their size wherever they are: a name that wraps around the grid may reach its end. */
const keptCells = 1_024;

/** Trims a large range that reaches the last row or column of the grid, such as `A:A`, to the used part of the sub-sheet. */
export function trimToUsed(grid: Grid): Grid {
  if (!(grid instanceof RangeRef)) return grid;
  // Any other range keeps its size, because its trailing blank cells are part of the result.
  const reachesEnd = grid.bottom === maxRows - 1 || grid.right === maxCols - 1;
  return reachesEnd && grid.rows * grid.cols > keptCells ? grid.trimmed() : grid;
}
