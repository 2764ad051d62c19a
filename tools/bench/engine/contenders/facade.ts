import { loadColumn, loadRows, Workbook, WorkbookCore } from '@sheaf/engine';
import type { Contender, Rows } from '../contender.ts';

/** The public `Workbook`, filled by `fromRows`. */
export class Facade implements Contender {
  #workbook = new Workbook();

  build(rows: Rows): void {
    this.#workbook = this.filled(rows);
  }

  filled(rows: Rows): Workbook {
    return Workbook.fromRows(rows);
  }

  set(row: number, col: number, value: number): void {
    this.#workbook.set({ row, col }, value);
  }

  value(row: number, col: number): unknown {
    return this.#workbook.get({ row, col });
  }

  read(): number {
    return this.#workbook.rows().reduce((count, line) => count + line.length, 0);
  }
}

/** The public `Workbook`, filled by one `set`. */
export class FacadeBulk extends Facade {
  override filled(rows: Rows): Workbook {
    const workbook = new Workbook();
    workbook.set('A1', rows);
    return workbook;
  }
}

/** The internal `WorkbookCore`, driven directly. The first and the last row determine which columns hold formulas. */
export class Inside implements Contender {
  #core = new WorkbookCore();

  build(rows: Rows): void {
    const core = new WorkbookCore();
    this.#core = core;
    const sheet = core.addSheet('Sheet1');
    const width = rows[0]?.length ?? 0;
    const formulas = Array.from(
      { length: width },
      (_, col) => isFormula(rows.at(0)?.[col]) || isFormula(rows.at(-1)?.[col]),
    );
    if (!formulas.includes(true)) loadRows(core, sheet, 0, 0, rows);
    else {
      formulas.forEach((mixed, col) => {
        const inputs = rows.map((line) => line[col] ?? null);
        if (!mixed) loadColumn(core, sheet, 0, col, inputs);
        else
          inputs.forEach((input, row) => {
            if (isFormula(input)) core.setFormula(sheet, row, col, input);
            else if (input !== null) core.setValue(sheet, row, col, input);
          });
      });
    }
    core.recalc();
  }

  set(row: number, col: number, value: number): void {
    this.#core.setValue(this.#core.sheets[0]!, row, col, value);
    this.#core.recalc();
  }

  value(row: number, col: number): unknown {
    return this.#core.sheets[0]!.read(row, col);
  }
}

function isFormula(input: unknown): input is string {
  return typeof input === 'string' && input.charCodeAt(0) === 61;
}
