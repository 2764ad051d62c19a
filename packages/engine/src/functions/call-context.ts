import type { Budget } from '../base/budget.ts';
import type { CellError, Grid, Lambda, RangeRef, Reference, Scalar, Value } from '../base/values.ts';

export interface SheetInfo {
  readonly id: number;
  readonly name: string;
}

/** An item of a pivot table's group. */
export interface PivotItem {
  readonly field: string;
  readonly item: Scalar;
}

/** Context of a function call: everything that a function can access. Rows and columns are zero-based. */
export interface CallContext {
  /** Current time as a serial date. */
  readonly now: number;
  /** Random number, 0 <= x < 1, from the revision's seed. */
  random(): number;

  /** The cell that contains the formula. */
  readonly sheet: SheetInfo;
  readonly row: number;
  readonly col: number;
  /** Set if the formula needs something that is not available here: its cell then keeps its current value, if any. */
  isMissing: boolean;
  /** True in formulas that may spill, false where implicit intersection applies. */
  readonly dynamic: boolean;

  readonly budget: Budget;
  callLambda(lambda: Lambda, args: readonly (Value | undefined)[]): Value;

  /** Resolves a reference given as text (A1 or R1C1); #REF! if it is invalid. */
  indirect(text: string, a1: boolean): Reference | CellError;
  /** A rectangle on the sub-sheet of `base`; #REF! if it is off the sheet. */
  rectangle(base: RangeRef, top: number, left: number, rows: number, cols: number): RangeRef | CellError;

  sheets(): readonly SheetInfo[];
  formulaAt(sheet: SheetInfo, row: number, col: number): string | undefined;
  /**
   * Result of a cell's formula if it were `down` rows lower, for computed criteria; undefined if the cell has no
   * formula.
   */
  formulaBelow(sheet: SheetInfo, row: number, col: number, down: number): Scalar | undefined;
  /** True if a filter hides the row; with `byHand`, also if the user hid it. */
  isRowHidden(sheet: SheetInfo, row: number, byHand: boolean): boolean;
  /** True for cells whose formula is SUBTOTAL or AGGREGATE, which totals skip. */
  isSubtotal(sheet: SheetInfo, row: number, col: number): boolean;
  /** Number format code of a cell; `General` if none is set. */
  formatAt(sheet: SheetInfo, row: number, col: number): string;
  /** Column width in characters. */
  columnWidth(sheet: SheetInfo, col: number): number;

  /**
   * GETPIVOTDATA: the value of data field `data` for the given group items, in the pivot table at this cell; #REF! if
   * not shown.
   */
  pivotData(sheet: SheetInfo, row: number, col: number, data: string, items: readonly PivotItem[]): Scalar;

  /** Applies `each` to every element of the broadcast arguments, for functions that are not lifted automatically. */
  broadcast(args: readonly Value[], each: (...items: Scalar[]) => Value): Value;

  /**
   * Position of the first cell of a one-row or one-column grid that equals `needle` (same type and value, text
   * case-folded), or -1. References are indexed: after the first lookup, the cost is that of a hash lookup.
   */
  findExact(grid: Grid, needle: Scalar): number;
  /**
   * Visits the positions where every `ranges[i]` matches `criteria[i]` (as in SUMIFS: `">5"`, `"a*"`, ...), row by row.
   * Returns #VALUE! unless all ranges have the same size. Uses indexes on references.
   */
  eachMatching(
    ranges: readonly Grid[],
    criteria: readonly Scalar[],
    visit: (row: number, col: number) => void,
  ): CellError | undefined;
}
