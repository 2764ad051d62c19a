import { usualColumnWidth } from '../base/grid-size.ts';
import type { Rect } from '../base/address.ts';
import type { PivotItem } from '../functions/call-context.ts';
import type { SheetNames } from '../formula/reference.ts';
import { labelFormat } from './pivot/label-format.ts';
import { getPivotData } from './pivot/get-pivot-data.ts';
import { cellErrors, type Scalar } from '../base/values.ts';
import { shownText } from './display-text.ts';
import type { KeptBook } from './objects/passthrough.ts';
import type { PivotTable, SheetType } from './objects/sheet-objects.ts';
import { ExternalSheets } from './objects/external-sheets.ts';
import { meets } from './objects/rect.ts';
import { StyleTable, type Style } from './objects/styles.ts';
import { SubSheet } from './objects/sub-sheet.ts';
import { DocumentTables } from './objects/document-tables.ts';
import { WorkbookCore, type CellContext } from '../workbook/workbook-core.ts';

/**
 * Current location of a pivot table's output. It is computed from the pivot table; the stored edits do not contain it.
 */
export interface PivotOutput {
  readonly sheet: string;
  readonly rect: Rect;
  /**
   * True if other content occupies a cell that the pivot table's output needs. Only `#SPILL!` is then shown, in the
   * output's first cell.
   */
  readonly blocked: boolean;
  /** True if other content occupies the first cell of the pivot table's output. Nothing is then shown. */
  readonly hidden: boolean;
}

const pixelsPerCharacter = 7;

/**
 * A spreadsheet document: a workbook and the objects on its sheets, such as styles, charts and pivot tables. It is
 * changed only by applying mutations, the stored form of edits.
 */
export class SheetDocument implements CellContext {
  readonly workbook = new WorkbookCore();
  readonly styles = new StyleTable();
  /** Sub-sheets in tab order. */
  subSheets: readonly SubSheet[] = [];
  pivots: readonly PivotTable[] = [];
  /**
   * Passthrough data: parts of the imported file that this class has no fields for, kept so that an export can write
   * them back. The import sets it; edits never change it.
   */
  kept: KeptBook | undefined;
  readonly pivotOutputs = new Map<string, PivotOutput>();
  /** Time and random seed of the last recalculation; volatile formulas such as NOW and RAND use them. */
  clock = { now: 0, seed: 0 };
  /**
   * For each pivot table id, a text made of the version numbers of its source and output columns. While the text stays
   * the same, the output is not recomputed.
   */
  readonly pivotStamps = new Map<string, string>();
  /**
   * True if formats, widths or visibility changed since the last recalculation; formulas that read them must be
   * recalculated.
   */
  looksChanged = false;
  readonly #byNumber = new Map<number, SubSheet>();

  constructor() {
    this.workbook.cellContext = this;
    this.workbook.tables = new DocumentTables(this);
    this.workbook.outside = new ExternalSheets(this);
  }

  /** Replaces the list of sub-sheets. Mutations call it after they add, remove or reorder sub-sheets. */
  arrange(subSheets: readonly SubSheet[]): void {
    this.subSheets = subSheets;
    this.#byNumber.clear();
    for (const one of subSheets) this.#byNumber.set(one.sheet.id, one);
  }

  /** Returns the sub-sheet with this id. Throws RangeError if there is none. */
  subSheet(id: string): SubSheet {
    const found = this.find(id);
    if (!found) throw new RangeError(`sheet: there is no sub-sheet '${id}'`);
    return found;
  }

  find(id: string): SubSheet | undefined {
    return this.subSheets.find((one) => one.id === id);
  }

  byName(name: string): SubSheet | undefined {
    const sheet = this.workbook.sheetByName(name);
    return sheet && this.#byNumber.get(sheet.id);
  }

  /** Returns the sub-sheet with the numeric id that formulas use, or undefined. */
  numbered(sheet: number): SubSheet | undefined {
    return this.#byNumber.get(sheet);
  }

  add(id: string, type: SheetType, name: string, at: number, number: number): SubSheet {
    const made = new SubSheet(id, type, this.workbook.addSheet(name, at, number));
    this.arrange(this.subSheets.toSpliced(at, 0, made));
    return made;
  }

  value(sheet: SubSheet, row: number, col: number): Scalar {
    return sheet.sheet.read(row, col);
  }

  /** Returns the cell's formula with its leading `=`, or undefined if the cell has none. */
  formula(sheet: SubSheet, row: number, col: number): string | undefined {
    return this.workbook.templateAt(sheet.sheet, row, col)?.text(row, col, this.workbook);
  }

  style(sheet: SubSheet, row: number, col: number): Style {
    return this.styles.shown(sheet.styles.at(row, col));
  }

  numberFormat(sheet: SubSheet, row: number, col: number): string {
    return this.style(sheet, row, col).numberFormat ?? labelFormat(this, sheet, row, col) ?? 'General';
  }

  /**
   * Returns whether a cell of the column may have a number format other than General, from its style or as a pivot
   * table label.
   */
  hasFormats(sheet: SubSheet, col: number): boolean {
    return this.pivotOutputs.size > 0 || sheet.styles.column(col) !== undefined;
  }

  text(sheet: SubSheet, row: number, col: number): string {
    return shownText(sheet.sheet.read(row, col), this.numberFormat(sheet, row, col));
  }

  /** Returns the bounding rectangle of all cells with values or formulas, or undefined if there are none. */
  usedRange(sheet: SubSheet): Rect | undefined {
    const { cells } = sheet.sheet;
    const { row: bottom, col: right } = cells.last();
    if (bottom < 0) return undefined;
    let top = bottom;
    let left = right;
    for (const band of cells.bands) {
      if (band.start > top && left === 0) break;
      band.chunks.forEach((chunk, col) => {
        if (!chunk || (col >= left && band.start > top)) return;
        for (let i = 0; i < chunk.rows; i++) {
          if (chunk.tags[i] === 0 && (chunk.formulas?.[i] ?? 0) === 0) continue;
          if (band.start + i < top) top = band.start + i;
          if (col < left) left = col;
          break;
        }
      });
    }
    return { top, left, bottom, right };
  }

  /**
   * Returns the number of rows and columns to show: the grid, extended to the cells that arrays and pivot tables fill
   * beyond it.
   */
  size(sheet: SubSheet): { rows: number; cols: number } {
    return { rows: Math.max(sheet.rows, sheet.sheet.lastRow + 1), cols: Math.max(sheet.cols, sheet.sheet.lastCol + 1) };
  }

  pivot(id: string): PivotTable | undefined {
    return this.pivots.find((one) => one.id === id);
  }

  /** Returns the pivot tables whose output overlaps a rectangle of a sub-sheet. */
  pivotsMeeting(sheet: SubSheet, rect: Rect): PivotTable[] {
    return this.pivots.filter((one) => {
      const output = this.pivotOutputs.get(one.id);
      return output?.sheet === sheet.id && meets(output.rect, rect);
    });
  }

  /**
   * Lists all defined names. `written` determines how their formulas print sheet and table names; the default is the
   * form users see.
   */
  names(
    written: SheetNames = this.workbook,
  ): { readonly name: string; readonly sheet: string | undefined; readonly formula: string }[] {
    return this.workbook.names
      .list()
      .map(({ name, sheet, template }) => ({
        name,
        sheet: sheet === undefined ? undefined : this.#byNumber.get(sheet)?.id,
        formula: template.text(0, 0, written),
      }))
      .sort((a, b) => compare(a.name.toUpperCase(), b.name.toUpperCase()) || compare(a.sheet ?? '', b.sheet ?? ''));
  }

  // The methods below implement CellContext, through which formulas read formats, sizes and other properties of cells.

  formatAt(sheet: number, row: number, col: number): string {
    const found = this.#byNumber.get(sheet);
    return found ? this.numberFormat(found, row, col) : 'General';
  }

  columnWidth(sheet: number, col: number): number {
    const pixels = this.#byNumber.get(sheet)?.colSizes.get(col) ?? 0;
    return pixels === 0 ? usualColumnWidth : pixels / pixelsPerCharacter;
  }

  pivotData(sheet: number, row: number, col: number, data: string, items: readonly PivotItem[]): Scalar {
    const sub = this.numbered(sheet);
    return sub ? getPivotData(this, sub, row, col, data, items) : cellErrors.ref;
  }

  isRowHidden(sheet: number, row: number, byHand: boolean): boolean {
    const found = this.#byNumber.get(sheet);
    if (!found) return false;
    return found.filteredRows().get(row) !== 0 || (byHand && found.hiddenRows.get(row) !== 0);
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
