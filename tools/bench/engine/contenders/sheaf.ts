import {
  SheetDocument,
  cellReplies,
  edit,
  regionOf,
  sortOrder,
  type SubSheet,
  type IndexedSheet,
} from '@sheaf/engine/internal/document';
import { loadColumn, loadRows, type WorkbookCore } from '@sheaf/engine';
import { addSheet, permuteRows } from '@sheaf/engine/internal/mutations';
import type { Contender, Rows } from '../workloads.ts';

const sheetId = 'sheet1';

export class Sheaf implements Contender {
  #document = newDocument();

  get #sub(): SubSheet {
    return this.#document.subSheet(sheetId);
  }

  get #sheet(): IndexedSheet {
    return this.#sub.sheet;
  }

  get #workbook(): WorkbookCore {
    return this.#document.workbook;
  }

  build(rows: Rows): void {
    this.#document = newDocument();
    const workbook = this.#workbook;
    const sheet = this.#sheet;
    if (!hasFormula(rows)) {
      loadRows(workbook, sheet, 0, 0, rows);
      return;
    }
    const width = rows[0]?.length ?? 0;
    for (let col = 0; col < width; col++) {
      const inputs = rows.map((line) => line[col] ?? null);
      if (!inputs.some(isFormula)) {
        loadColumn(workbook, sheet, 0, col, inputs);
        continue;
      }
      inputs.forEach((input, row) => {
        if (isFormula(input)) workbook.setFormula(sheet, row, col, input);
        else if (input !== null) workbook.setValue(sheet, row, col, input);
      });
    }
    workbook.recalc();
  }

  set(row: number, col: number, value: number): void {
    this.#workbook.setValue(this.#sheet, row, col, value);
    this.#workbook.recalc();
  }

  value(row: number, col: number): unknown {
    return this.#sheet.read(row, col);
  }

  insertRow(at: number): void {
    this.#workbook.insertRows(this.#sheet, at, 1);
    this.#workbook.recalc();
  }

  /**
   * Sorts in the same way as the server does: computes the new order of the rows, then applies it as one undoable
   * change.
   */
  sort(rows: number, cols: number, keys: readonly number[]): void {
    const rect = { top: 0, left: 0, bottom: rows - 1, right: cols - 1 };
    const order = sortOrder(
      this.#sub,
      rect,
      keys.map((col) => ({ col, descending: false })),
    );
    edit(this.#document, [permuteRows.of({ sheet: sheetId, region: regionOf(rect), order })]);
  }

  read(rows: number, cols: number): number {
    return cellReplies(this.#document, this.#sub, { top: 0, left: 0, bottom: rows - 1, right: cols - 1 }).length;
  }

  close(): void {
    this.#document = newDocument();
  }
}

function newDocument(): SheetDocument {
  const document = new SheetDocument();
  edit(document, [addSheet.of({ sheet: sheetId, name: 'Sheet1' })]);
  return document;
}

function hasFormula(rows: Rows): boolean {
  for (const line of rows) for (const input of line) if (typeof input === 'string' && isFormula(input)) return true;
  return false;
}

function isFormula(input: unknown): input is string {
  return typeof input === 'string' && input.charCodeAt(0) === 61;
}
