import type { Budget } from '../base/budget.ts';
import type { CellError, Grid, Lambda, RangeRef, Reference, Scalar, Value } from '../base/values.ts';

export interface SheetInfo {
  readonly id: number;
  readonly name: string;
}

/**
 * A pair of arguments of GETPIVOTDATA: a field of the pivot table and one item (value) of that field. The pairs select
 * the value to return.
 */
export interface PivotItem {
  readonly field: string;
  readonly item: Scalar;
}

/** Everything that the implementation of a function can access during a call. Rows and columns are zero-based. */
export interface CallContext {
  /** Time of the recalculation as a serial date. */
  readonly now: number;
  /**
   * Returns a random number, 0 <= x < 1. It is derived from a seed that is stored with each edit, so that a
   * recalculation of the same edit gives the same numbers.
   */
  random(): number;

  /** The cell that contains the formula. */
  readonly sheet: SheetInfo;
  readonly row: number;
  readonly col: number;
  /**
   * Set to true by the implementation of a function if it needs data that is not available to the engine. For a formula
   * from an imported file, the cell then keeps the value from the file, if it has one.
   */
  isMissing: boolean;
  /**
   * True if an array result of the formula fills the neighboring cells (spills). False if the formula uses only one
   * cell of a range, the one in its own row or column (implicit intersection).
   */
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
   * Evaluates the formula of a cell as if it were `down` rows lower, and returns the result; undefined if the cell has
   * no formula. The database functions (DSUM, DCOUNT) use it to test each record with a criterion that is a formula.
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
   * Returns the value of data field `data` for the given items in the pivot table that covers this cell. Returns #REF!
   * if the pivot table does not show that value.
   */
  pivotData(sheet: SheetInfo, row: number, col: number, data: string, items: readonly PivotItem[]): Scalar;

  /**
   * Brings the arguments to a common size, for example by repeating single values, and calls `each` for every position.
   * For functions that get their arguments as whole arrays. Other functions are called once per element by the engine
   * itself.
   */
  broadcast(args: readonly Value[], each: (...items: Scalar[]) => Value): Value;

  /**
   * Returns the index of the first cell of a one-row or one-column grid that equals `needle` in type and value, or -1.
   * Text is compared case-insensitively. For references, the first call builds an index of the cells; later calls only
   * look up a hash.
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
