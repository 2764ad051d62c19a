import type { SheetHost } from '../base/indexed-sheet-access.ts';
import type { PivotItem } from '../functions/call-context.ts';
import type { RangeRef, Scalar } from '../base/values.ts';
import type { TableSource } from './table-reference.ts';
import type { Template } from './formula-template.ts';

/** Access to the workbook that formulas need during evaluation. */
export interface WorkbookHost {
  sheetById(id: number): SheetHost | undefined;
  sheetByName(name: string): SheetHost | undefined;
  sheetList(): readonly SheetHost[];
  /**
   * Returns a sheet of another workbook by its key `[Book]Sheet`. It has the cell values that the imported file stores
   * for it. Returns undefined if the file stores none.
   */
  outsideSheet(key: string): SheetHost | undefined;
  /**
   * Returns the definition of a defined name. A name that is limited to the sub-sheet takes precedence over a name of
   * the workbook.
   */
  nameDefinition(name: string, sheet: number): Template | undefined;
  /**
   * Parses the text of a formula as if it were written in cell `row`, `col`. Used by functions that get a reference or
   * formula as text, such as INDIRECT.
   */
  templateOf(text: string, row: number, col: number): Template;
  formulaText(sheet: number, row: number, col: number): string | undefined;
  isSubtotalCell(sheet: number, row: number, col: number): boolean;
  formatAt(sheet: number, row: number, col: number): string;
  columnWidth(sheet: number, col: number): number;
  isRowHidden(sheet: number, row: number, byHand: boolean): boolean;
  /**
   * Implements GETPIVOTDATA: returns the value of the data field `data` for the given items in the pivot table that
   * covers this cell. Returns #REF! if the pivot table does not show that value.
   */
  pivotData(sheet: number, row: number, col: number, data: string, items: readonly PivotItem[]): Scalar;
  /** Returns the range that the array formula in this cell fills; undefined if it fills none. */
  spillOf(sheet: number, row: number, col: number): RangeRef | undefined;
  readonly tables: TableSource;
}
