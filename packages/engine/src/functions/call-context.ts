import type { Budget } from '../base/budget.ts';
import type { CellError, Grid, Lambda, RangeRef, Reference, Scalar, Value } from '../base/values.ts';

export interface SheetInfo {
  readonly id: number;
  readonly name: string;
}

/** A field of a pivot table and one of its items, to select a value for GETPIVOTDATA. */
export interface PivotItem {
  readonly field: string;
  readonly item: Scalar;
}

/** Everything that the implementation of a function can access during a call. Rows and columns are zero-based. */
export interface CallContext {
  /** Time of the recalculation as a serial date. */
  readonly now: number;
  /** Returns a random number, 0 <= x < 1, derived from the revision's seed. */
  random(): number;

  /** The cell that contains the formula. */
  readonly sheet: SheetInfo;
  readonly row: number;
  readonly col: number;
  /**
   * Set by a function that needs data that is not available to the engine. The cell then keeps its current value, if it
   * has one.
   */
  isMissing: boolean;
  /** True if the formula may spill, false if implicit intersection applies. */
  readonly dynamic: boolean;

  readonly budget: Budget;
  callLambda(lambda: Lambda, args: readonly (Value | undefined)[]): Value;

  /** Resolves a reference given as text (A1 or R1C1); #REF! if it is invalid. */
  indirect(text: string, a1: boolean): Reference | CellError;
  /** Returns a range on the sub-sheet of `base`, or #REF! if it exceeds the grid. */
  rectangle(base: RangeRef, top: number, left: number, rows: number, cols: number): RangeRef | CellError;

  sheets(): readonly SheetInfo[];
  formulaAt(sheet: SheetInfo, row: number, col: number): string | undefined;
  /**
   * Returns the result of a cell's formula as if the formula were `down` rows lower, for computed criteria of database
   * functions. Returns undefined if the cell has no formula.
   */
  formulaBelow(sheet: SheetInfo, row: number, col: number, down: number): Scalar | undefined;
  /** Returns whether a filter hides the row or, with `byHand`, the user hid it. */
  isRowHidden(sheet: SheetInfo, row: number, byHand: boolean): boolean;
  /** Returns whether the cell's formula is SUBTOTAL or AGGREGATE; totals skip such cells. */
  isSubtotal(sheet: SheetInfo, row: number, col: number): boolean;
  /** Returns the number format code of a cell; `General` if none is set. */
  formatAt(sheet: SheetInfo, row: number, col: number): string;
  /** Returns the column width in characters. */
  columnWidth(sheet: SheetInfo, col: number): number;

  /**
   * Returns the value of data field `data` for the given items in the pivot table at this cell; #REF! if the table does
   * not show it.
   */
  pivotData(sheet: SheetInfo, row: number, col: number, data: string, items: readonly PivotItem[]): Scalar;

  /**
   * Broadcasts the arguments to a common size and applies `each` to every element. It serves functions whose arguments
   * are passed as whole arrays, because those are not called once per element automatically.
   */
  broadcast(args: readonly Value[], each: (...items: Scalar[]) => Value): Value;

  /**
   * Returns the position of the first cell of a one-row or one-column grid that equals `needle` in type and value (text
   * case-insensitively), or -1. References have an index: after the first call, a call costs a hash lookup.
   */
  findExact(grid: Grid, needle: Scalar): number;
  /**
   * Calls `visit` for the positions where every `ranges[i]` matches `criteria[i]`, row by row. Criteria are those of
   * SUMIFS: `">5"`, `"a*"`. Returns #VALUE! unless all ranges have the same size. Ranges that are references are
   * searched with an index.
   */
  eachMatching(
    ranges: readonly Grid[],
    criteria: readonly Scalar[],
    visit: (row: number, col: number) => void,
  ): CellError | undefined;
}
