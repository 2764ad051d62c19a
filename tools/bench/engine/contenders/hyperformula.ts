import { peers, type Contender, type Rows } from '../contender.ts';

interface Address {
  sheet: number;
  row: number;
  col: number;
}

interface Engine {
  setCellContents(address: Address, value: number): unknown;
  getCellValue(address: Address): unknown;
  getRangeValues(range: { start: Address; end: Address }): unknown[][];
  addRows(sheet: number, rows: [number, number]): unknown;
  destroy(): void;
}

interface Package {
  HyperFormula: { buildFromArray(rows: Rows, options: object): Engine };
}

export class HyperFormulaContender implements Contender {
  readonly #HyperFormula: Package['HyperFormula'];
  #engine: Engine | undefined;

  /** The column index stays off, which is the default; with it, lookups were many times slower here. */
  constructor(root: string) {
    this.#HyperFormula = (peers(root)('hyperformula') as Package).HyperFormula;
  }

  build(rows: Rows): void {
    this.close();
    this.#engine = this.#HyperFormula.buildFromArray(rows, { licenseKey: 'gpl-v3', maxRows: 2_000_000 });
  }

  set(row: number, col: number, value: number): void {
    this.#engine?.setCellContents({ sheet: 0, row, col }, value);
  }

  value(row: number, col: number): unknown {
    return this.#engine?.getCellValue({ sheet: 0, row, col });
  }

  insertRow(at: number): void {
    this.#engine?.addRows(0, [at, 1]);
  }

  read(rows: number, cols: number): number {
    const found =
      this.#engine?.getRangeValues({
        start: { sheet: 0, row: 0, col: 0 },
        end: { sheet: 0, row: rows - 1, col: cols - 1 },
      }) ?? [];
    return found.reduce((sum, line) => sum + line.length, 0);
  }

  close(): void {
    this.#engine?.destroy();
    this.#engine = undefined;
  }
}
