import { maxCols, maxRows } from './grid-size.ts';
import { RangeRef, type Grid } from './values.ts';

/** Maximum cells of an array; larger results return #NUM! before memory is allocated. */
export const maxArrayCells = 4_194_304;

/** Trims whole-row and whole-column ranges to the used part of the sub-sheet. */
export function trimToUsed(grid: Grid): Grid {
  if (!(grid instanceof RangeRef)) return grid;
  // Any other range keeps its size, because its blank end is part of the result.
  return grid.bottom === maxRows - 1 || grid.right === maxCols - 1 ? grid.trimmed() : grid;
}
