import type { PivotItem } from '../functions/call-context.ts';
import { RangeRef, type Scalar, type Totals, type VisitCell } from '../base/values.ts';
import type { WorkbookHost } from './workbook-host.ts';
import type { NumberBounds, SheetHost } from '../base/indexed-sheet-access.ts';
import type { TableSource } from './table-reference.ts';
import type { Template } from './formula-template.ts';

/**
 * Function that is called with every range before a formula reads it. It may throw to stop the formula, so that the
 * cells of the range can be calculated first.
 */
export type BeforeRead = (sheet: number, top: number, left: number, bottom: number, right: number) => void;

/**
 * Wraps a workbook and calls a function with every range before a formula reads it. Ranges of which only the size or
 * position is used, and ranges in branches of the formula that are not taken, are left out.
 */
export class ReadTrackingHost implements WorkbookHost {
  readonly #host: WorkbookHost;
  readonly #before: BeforeRead;
  readonly #sheets = new Map<SheetHost, ReadTrackingSheet>();

  constructor(host: WorkbookHost, before: BeforeRead) {
    this.#host = host;
    this.#before = before;
  }

  /** Returns the wrapper of a sub-sheet. It is always the same object, because references are compared by sub-sheet. */
  #guarded(sheet: SheetHost): SheetHost {
    let guarded = this.#sheets.get(sheet);
    if (!guarded) {
      guarded = new ReadTrackingSheet(sheet, this.#before);
      this.#sheets.set(sheet, guarded);
    }
    return guarded;
  }

  sheetById(id: number): SheetHost | undefined {
    const sheet = this.#host.sheetById(id);
    return sheet && this.#guarded(sheet);
  }

  sheetByName(name: string): SheetHost | undefined {
    const sheet = this.#host.sheetByName(name);
    return sheet && this.#guarded(sheet);
  }

  sheetList(): readonly SheetHost[] {
    return this.#host.sheetList().map((sheet) => this.#guarded(sheet));
  }

  /**
   * Returns a sheet of another workbook without a wrapper, because it is never recalculated and its reads need no
   * report.
   */
  outsideSheet(key: string): SheetHost | undefined {
    return this.#host.outsideSheet(key);
  }

  get tables(): TableSource {
    return this.#host.tables;
  }

  nameDefinition(name: string, sheet: number): Template | undefined {
    return this.#host.nameDefinition(name, sheet);
  }

  templateOf(text: string, row: number, col: number): Template {
    return this.#host.templateOf(text, row, col);
  }

  formulaText(sheet: number, row: number, col: number): string | undefined {
    return this.#host.formulaText(sheet, row, col);
  }

  isSubtotalCell(sheet: number, row: number, col: number): boolean {
    return this.#host.isSubtotalCell(sheet, row, col);
  }

  formatAt(sheet: number, row: number, col: number): string {
    return this.#host.formatAt(sheet, row, col);
  }

  columnWidth(sheet: number, col: number): number {
    return this.#host.columnWidth(sheet, col);
  }

  isRowHidden(sheet: number, row: number, byHand: boolean): boolean {
    return this.#host.isRowHidden(sheet, row, byHand);
  }

  pivotData(sheet: number, row: number, col: number, data: string, items: readonly PivotItem[]): Scalar {
    return this.#host.pivotData(sheet, row, col, data, items);
  }

  /**
   * Returns the range that the array formula in this cell fills; undefined if it fills none. First passes the cell to
   * `#before`, so that the cell can be calculated: only then is the size of its array known.
   */
  spillOf(sheet: number, row: number, col: number): RangeRef | undefined {
    this.#before(sheet, row, col, row, col);
    const area = this.#host.spillOf(sheet, row, col);
    return area && new RangeRef(this.#guarded(area.sheet as SheetHost), area.top, area.left, area.bottom, area.right);
  }
}

class ReadTrackingSheet implements SheetHost {
  readonly id: number;
  readonly name: string;
  readonly #sheet: SheetHost;
  readonly #before: BeforeRead;

  constructor(sheet: SheetHost, before: BeforeRead) {
    this.id = sheet.id;
    this.name = sheet.name;
    this.#sheet = sheet;
    this.#before = before;
  }

  get lastRow(): number {
    return this.#sheet.lastRow;
  }

  get lastCol(): number {
    return this.#sheet.lastCol;
  }

  read(row: number, col: number): Scalar {
    this.#before(this.id, row, col, row, col);
    return this.#sheet.read(row, col);
  }

  walk(row: number, col: number): Scalar {
    this.#before(this.id, row, col, row, col);
    return this.#sheet.walk(row, col);
  }

  eachFilled(top: number, left: number, bottom: number, right: number, visit: VisitCell): boolean {
    this.#before(this.id, top, left, bottom, right);
    return this.#sheet.eachFilled(top, left, bottom, right, visit);
  }

  totals(top: number, left: number, bottom: number, right: number): Totals {
    this.#before(this.id, top, left, bottom, right);
    return this.#sheet.totals(top, left, bottom, right);
  }

  findExact(top: number, left: number, bottom: number, right: number, needle: Scalar): number {
    this.#before(this.id, top, left, bottom, right);
    return this.#sheet.findExact(top, left, bottom, right, needle);
  }

  postings(col: number, top: number, bottom: number, value: number | string): Int32Array | undefined {
    this.#before(this.id, top, col, bottom, col);
    return this.#sheet.postings(col, top, bottom, value);
  }

  eachNumberBetween(
    col: number,
    top: number,
    bottom: number,
    bounds: NumberBounds,
    visit: (row: number) => void,
  ): void {
    this.#before(this.id, top, col, bottom, col);
    this.#sheet.eachNumberBetween(col, top, bottom, bounds, visit);
  }
}
