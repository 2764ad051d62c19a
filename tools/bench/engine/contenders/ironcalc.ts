import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importPeer, peerFile, type Contender, type Rows } from '../contender.ts';

interface Model {
  setUserInput(sheet: number, row: number, col: number, input: string): void;
  pasteCsvText(area: { sheet: number; row: number; column: number; width: number; height: number }, csv: string): void;
  getFormattedCellValue(sheet: number, row: number, col: number): string;
  insertRows(sheet: number, row: number, count: number): void;
  pauseEvaluation(): void;
  resumeEvaluation(): void;
  evaluate(): void;
  free(): void;
}

interface Package {
  initSync(options: { module: Uint8Array }): void;
  Model: new (name: string, locale: string, timezone: string, language: string) => Model;
}

/** Adapter for IronCalc, whose rows and columns count from 1. */
export class IronCalc implements Contender {
  readonly #Model: Package['Model'];
  #model: Model | undefined;

  private constructor(model: Package['Model']) {
    this.#Model = model;
  }

  static async load(root: string): Promise<IronCalc> {
    const ironcalc = await importPeer<Package>(root, '@ironcalc/wasm', 'wasm.js');
    ironcalc.initSync({ module: readFileSync(join(peerFile(root, '@ironcalc/wasm'), 'wasm_bg.wasm')) });
    return new IronCalc(ironcalc.Model);
  }

  build(rows: Rows): void {
    this.close();
    const model = new this.#Model('bench', 'en', 'UTC', 'en');
    this.#model = model;
    model.pauseEvaluation();
    // Pasting is its fastest input; the cost of setting a single cell grows with the number of cells.
    const text = rows.map((line) => line.map((input) => input ?? '').join('\t')).join('\n');
    model.pasteCsvText({ sheet: 0, row: 1, column: 1, width: 1, height: 1 }, text);
    model.resumeEvaluation();
    model.evaluate();
  }

  set(row: number, col: number, value: number): void {
    this.#model?.setUserInput(0, row + 1, col + 1, String(value));
  }

  value(row: number, col: number): unknown {
    const text = this.#model?.getFormattedCellValue(0, row + 1, col + 1) ?? '';
    return text === '' || Number.isNaN(Number(text)) ? text : Number(text);
  }

  insertRow(at: number): void {
    this.#model?.insertRows(0, at + 1, 1);
  }

  read(rows: number, cols: number): number {
    const found: string[] = [];
    for (let row = 1; row <= rows; row++) {
      for (let col = 1; col <= cols; col++) found.push(this.#model?.getFormattedCellValue(0, row, col) ?? '');
    }
    return found.length;
  }

  close(): void {
    this.#model?.free();
    this.#model = undefined;
  }
}
