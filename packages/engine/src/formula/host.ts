import type { SheetHost } from '../base/sheet-host.ts';
import type { PivotItem } from '../functions/call.ts';
import type { RangeRef, Scalar } from '../base/values.ts';
import type { TableSource } from './table-part.ts';
import type { Template } from './template.ts';

/** What formulas need of the workbook. */
export interface Host {
  sheetById(id: number): SheetHost | undefined;
  sheetByName(name: string): SheetHost | undefined;
  sheetList(): readonly SheetHost[];
  /** A sheet of another workbook as it was last seen, by what formulas call it. */
  outsideSheet(key: string): SheetHost | undefined;
  /** Definition of a name, the sub-sheet's own before the workbook's. */
  nameDefinition(name: string, sheet: number): Template | undefined;
  /** Reads a reference written as text, standing at a cell. */
  templateOf(text: string, row: number, col: number): Template;
  formulaText(sheet: number, row: number, col: number): string | undefined;
  isSubtotalCell(sheet: number, row: number, col: number): boolean;
  formatAt(sheet: number, row: number, col: number): string;
  columnWidth(sheet: number, col: number): number;
  isRowHidden(sheet: number, row: number, byHand: boolean): boolean;
  /** What the pivot table that shows this cell has for a value and items of its groups; #REF! when it shows no such cell. */
  pivotData(sheet: number, row: number, col: number, data: string, items: readonly PivotItem[]): Scalar;
  /** The area an array formula at this cell fills. */
  spillOf(sheet: number, row: number, col: number): RangeRef | undefined;
  readonly tables: TableSource;
}
