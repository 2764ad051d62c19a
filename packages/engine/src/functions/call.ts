import type { Budget } from '../base/budget.ts';
import type { CellError, Grid, Lambda, RangeRef, Reference, Scalar, Value } from '../base/values.ts';

export interface SheetInfo {
  readonly id: number;
  readonly name: string;
}

/** One of the items that a group of a pivot table shows. */
export interface PivotItem {
  readonly field: string;
  readonly item: Scalar;
}

/** All that a function can reach. Rows and columns count from 0. */
export interface Call {
  /** Present moment as a serial date. */
  readonly now: number;
  /** 0 <= x < 1, from the revision's seed. */
  random(): number;

  /** Where the formula stands. */
  readonly sheet: SheetInfo;
  readonly row: number;
  readonly col: number;
  /** Set when the formula asks for what cannot be had here: its cell keeps the value it has, if it has one. */
  isMissing: boolean;
  /** True in formulas that may spill, false where implicit intersection applies. */
  readonly dynamic: boolean;

  readonly budget: Budget;
  callLambda(lambda: Lambda, args: readonly (Value | undefined)[]): Value;

  /** The reference written in `text` (A1 or R1C1), #REF! when there is none. */
  indirect(text: string, a1: boolean): Reference | CellError;
  /** A rectangle on the sub-sheet of `base`; #REF! outside the sheet. */
  rectangle(base: RangeRef, top: number, left: number, rows: number, cols: number): RangeRef | CellError;

  sheets(): readonly SheetInfo[];
  formulaAt(sheet: SheetInfo, row: number, col: number): string | undefined;
  /** What the formula of a cell would give `down` rows lower (computed criteria); undefined for a cell without one. */
  formulaBelow(sheet: SheetInfo, row: number, col: number, down: number): Scalar | undefined;
  /** Hidden by a filter, or by hand too when `byHand`. */
  isRowHidden(sheet: SheetInfo, row: number, byHand: boolean): boolean;
  /** True for cells whose formula is SUBTOTAL or AGGREGATE: totals leave them out. */
  isSubtotal(sheet: SheetInfo, row: number, col: number): boolean;
  /** Number format code of a cell, `General` where none is set. */
  formatAt(sheet: SheetInfo, row: number, col: number): string;
  /** Column width in characters. */
  columnWidth(sheet: SheetInfo, col: number): number;

  /** What the pivot table that shows this cell has for a value and items of its groups; #REF! when it shows no such cell. */
  pivotData(sheet: SheetInfo, row: number, col: number, data: string, items: readonly PivotItem[]): Scalar;

  /** Turns lifting over arrays on by hand: calls `each` for every element of the broadcast arguments. */
  broadcast(args: readonly Value[], each: (...items: Scalar[]) => Value): Value;

  /**
   * Position of the first cell of a one-row or one-column grid that equals `needle` (type and value, text
   * folded), -1 when there is none. References are indexed: as cheap as a hash look-up after the first.
   */
  findExact(grid: Grid, needle: Scalar): number;
  /**
   * Visits the positions where every `ranges[i]` meets `criteria[i]` (as in SUMIFS: `">5"`, `"a*"`, ...), row by row.
   * All ranges must have the size of the first, else #VALUE! comes back. Indexed on references.
   */
  eachMatching(
    ranges: readonly Grid[],
    criteria: readonly Scalar[],
    visit: (row: number, col: number) => void,
  ): CellError | undefined;
}
