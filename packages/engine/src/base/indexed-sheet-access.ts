import type { CellSource, Scalar } from './values.ts';

/** Access to the cells and indexes of a sub-sheet, for criteria and lookup functions. */
export interface SheetHost extends CellSource {
  /** Returns the index of the first cell equal to `needle` in a one-column or one-row range, or -1. */
  findExact(top: number, left: number, bottom: number, right: number, needle: Scalar): number;
  /**
   * Returns the rows of a column range whose value equals `value` under the rules of COUNTIF criteria. Row numbers
   * count from the top of the sub-sheet. Returns undefined if no index can answer: the column has none, or `value` is a
   * number and the column contains texts that look like numbers.
   */
  postings(col: number, top: number, bottom: number, value: number | string): Int32Array | undefined;
  /** Calls `visit` for each row of a column range whose cell is a number within the bounds. */
  eachNumberBetween(col: number, top: number, bottom: number, bounds: NumberBounds, visit: (row: number) => void): void;
}

/** Inclusive numeric interval; an open end is infinite. */
export interface NumberBounds {
  readonly low: number;
  readonly high: number;
}
