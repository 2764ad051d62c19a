import type { CellSource, Scalar } from './values.ts';

/** Sub-sheet access that criteria and lookup functions need. */
export interface SheetHost extends CellSource {
  /** Index of the first cell equal to `needle` in a one-column or one-row range, or -1. */
  findExact(top: number, left: number, bottom: number, right: number, needle: Scalar): number;
  /**
   * Rows (sub-sheet coordinates) of a column range whose value equals `value` under criteria rules; undefined without
   * an index.
   */
  postings(col: number, top: number, bottom: number, value: number | string): Int32Array | undefined;
  /** Visits the rows of a column range whose number lies between the bounds. */
  eachNumberBetween(col: number, top: number, bottom: number, bounds: NumberBounds, visit: (row: number) => void): void;
}

/** Inclusive numeric interval; an open end is infinite. */
export interface NumberBounds {
  readonly low: number;
  readonly high: number;
}
