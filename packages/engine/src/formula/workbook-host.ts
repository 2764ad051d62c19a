import type { SheetHost } from '../base/sheet-host.ts';
import type { PivotItem } from '../functions/call-context.ts';
import type { RangeRef, Scalar } from '../base/values.ts';
import type { TableSource } from './table-reference.ts';
import type { Template } from './template.ts';

/** Workbook access that formulas need. */
export interface WorkbookHost {
  sheetById(id: number): SheetHost | undefined;
  sheetByName(name: string): SheetHost | undefined;
  sheetList(): readonly SheetHost[];
  /** Cached copy of another workbook's sheet, by the key that formulas use for it. */
  outsideSheet(key: string): SheetHost | undefined;
  /** Definition of a name; the sub-sheet's own names come before the workbook's. */
  nameDefinition(name: string, sheet: number): Template | undefined;
  /** Parses a reference given as text, relative to a cell. */
  templateOf(text: string, row: number, col: number): Template;
  formulaText(sheet: number, row: number, col: number): string | undefined;
  isSubtotalCell(sheet: number, row: number, col: number): boolean;
  formatAt(sheet: number, row: number, col: number): string;
  columnWidth(sheet: number, col: number): number;
  isRowHidden(sheet: number, row: number, byHand: boolean): boolean;
  /**
   * GETPIVOTDATA: the value of data field `data` for the given group items, in the pivot table at this cell; #REF! if
   * not shown.
   */
  pivotData(sheet: number, row: number, col: number, data: string, items: readonly PivotItem[]): Scalar;
  /** The range that the array formula at this cell fills. */
  spillOf(sheet: number, row: number, col: number): RangeRef | undefined;
  readonly tables: TableSource;
}
