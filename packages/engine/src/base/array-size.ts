import { maxCols, maxRows } from './grid-size.ts';
import { RangeRef, type Grid } from './values.ts';

/** Cells an array may have: larger results end in #NUM! before they take the memory. */
export const maxArray = 4_194_304;

/** Whole rows and columns are worked through only as far as the sub-sheet holds anything. */
export function bounded(grid: Grid): Grid {
  if (!(grid instanceof RangeRef)) return grid;
  // Any other range keeps its size: its blank end is part of the result.
  return grid.bottom === maxRows - 1 || grid.right === maxCols - 1 ? grid.trimmed() : grid;
}
