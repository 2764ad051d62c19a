import { toText } from '../src/base/coerce.ts';
import { parseCell } from '../src/base/address.ts';
import { readInput } from '../src/workbook/parse-input.ts';
import type { IndexedSheet } from '../src/store/indexed-sheet.ts';
import { CellError, type Scalar } from '../src/base/values.ts';
import { WorkbookCore } from '../src/workbook/workbook-core.ts';

/** The test language: `book()`, `set`, `text`, `value`. Addresses are `A1` or `Other!A1`. */
export class TestBook {
  readonly workbook = new WorkbookCore();
  now = 45_000.5;
  seed = 1;
  #stale = false;

  constructor(...names: string[]) {
    for (const name of names.length > 0 ? names : ['Sheet1']) this.workbook.addSheet(name);
  }

  place(address: string): { sheet: IndexedSheet; row: number; col: number } {
    const mark = address.lastIndexOf('!');
    const sheet = mark < 0 ? this.workbook.sheets[0] : this.workbook.sheetByName(address.slice(0, mark));
    const cell = parseCell(address.slice(mark + 1));
    if (!sheet || !cell) throw new Error(`no cell ${address}`);
    return { sheet, ...cell };
  }

  /** Text is read as typed: `=A1`, `12`, `TRUE`, `'text`. Other values are stored as they are. */
  set(address: string, input: Scalar): this {
    const { sheet, row, col } = this.place(address);
    const read = typeof input === 'string' ? readInput(input) : { value: input };
    if ('formula' in read) this.workbook.setFormula(sheet, row, col, read.formula);
    else this.workbook.setValue(sheet, row, col, read.value);
    this.#stale = true;
    return this;
  }

  /** A formula of an older workbook: ranges are intersected instead of spilled. */
  setLegacy(address: string, formula: string): this {
    const { sheet, row, col } = this.place(address);
    this.workbook.setFormula(sheet, row, col, formula, false);
    this.#stale = true;
    return this;
  }

  /** Rows of inputs from a corner. */
  fill(corner: string, rows: readonly (readonly Scalar[])[]): this {
    const { sheet, row, col } = this.place(corner);
    rows.forEach((line, r) =>
      line.forEach((input, c) => {
        const read = typeof input === 'string' ? readInput(input) : { value: input };
        if ('formula' in read) this.workbook.setFormula(sheet, row + r, col + c, read.formula);
        else this.workbook.setValue(sheet, row + r, col + c, read.value);
      }),
    );
    this.#stale = true;
    return this;
  }

  name(name: string, formula: string): this {
    this.workbook.defineName(name, formula);
    this.#stale = true;
    return this;
  }

  recalc(): this {
    this.workbook.recalc({ now: this.now, seed: this.seed });
    this.#stale = false;
    return this;
  }

  /** The value itself; an error is its text. */
  value(address: string): number | string | boolean | null {
    if (this.#stale) this.recalc();
    const { sheet, row, col } = this.place(address);
    const value = sheet.read(row, col);
    return value instanceof CellError ? value.text : value;
  }

  /** The value as General text. */
  text(address: string): string {
    if (this.#stale) this.recalc();
    const { sheet, row, col } = this.place(address);
    const text = toText(sheet.read(row, col));
    return text instanceof CellError ? text.text : text;
  }

  formula(address: string): string | undefined {
    const { sheet, row, col } = this.place(address);
    return this.workbook.formulaText(sheet.id, row, col);
  }
}

export function book(...sheets: string[]): TestBook {
  return new TestBook(...sheets);
}

/** The value of one formula in a workbook of its own, standing in Z99. */
export function calc(formula: string, cells: Record<string, Scalar> = {}): number | string | boolean | null {
  const wb = book();
  for (const [address, input] of Object.entries(cells)) wb.set(address, input);
  return wb.set('Z99', formula).value('Z99');
}
