import type { CellSource, Scalar } from './values.ts';

/** What criteria and look-ups need of a sub-sheet. */
export interface SheetHost extends CellSource {
  /** Index of the first equal cell in a column or row piece, or -1. */
  findExact(top: number, left: number, bottom: number, right: number, needle: Scalar): number;
  /** Rows of the sub-sheet in a column piece whose value equals `value` as criteria compare it; undefined when no index fits. */
  postings(col: number, top: number, bottom: number, value: number | string): Int32Array | undefined;
  /** Visits the rows of a column piece whose number lies between the bounds. */
  eachNumberBetween(col: number, top: number, bottom: number, bounds: NumberBounds, visit: (row: number) => void): void;
}

/** Open ends are infinite; `closed` ends belong to it. */
export interface NumberBounds {
  readonly low: number;
  readonly high: number;
}
