import { Workbook, loadRows, readRange } from '../../../src/sheet/engine/index.ts';
import type { Scalar, Sheet } from '../../../src/sheet/engine/index.ts';
import type { Contender, Rows } from '../contender.ts';

export class Sheaf implements Contender {
  private workbook = new Workbook();
  private sheet: Sheet = this.workbook.addSheet('Sheet1');

  build(rows: Rows): void {
    this.workbook = new Workbook();
    this.sheet = this.workbook.addSheet('Sheet1');
    const width = rows[0]?.length ?? 0;
    const formulas: number[] = [];
    for (let col = 0; col < width; col++) if (rows.some((line) => isFormula(line[col]))) formulas.push(col);
    const values = formulas.length === 0 ? rows : rows.map((line) => line.map((input) => (isFormula(input) ? null : input)));
    loadRows(this.workbook, this.sheet, 0, 0, values as readonly (readonly Scalar[])[]);
    for (const col of formulas) {
      for (let row = 0; row < rows.length; row++) {
        const input = rows[row]?.[col];
        if (isFormula(input)) this.workbook.setFormula(this.sheet, row, col, input);
      }
    }
    this.workbook.recalc();
  }

  set(row: number, col: number, value: number): void {
    this.workbook.setValue(this.sheet, row, col, value);
    this.workbook.recalc();
  }

  value(row: number, col: number): unknown {
    return this.sheet.read(row, col);
  }

  insertRow(at: number): void {
    this.workbook.insertRows(this.sheet, at, 1);
    this.workbook.recalc();
  }

  read(rows: number, cols: number): number {
    return readRange(this.workbook, this.sheet, 0, 0, rows - 1, cols - 1).length;
  }

  close(): void {
    this.workbook = new Workbook();
    this.sheet = this.workbook.addSheet('Sheet1');
  }
}

function isFormula(input: unknown): input is string {
  return typeof input === 'string' && input.charCodeAt(0) === 61;
}
