import { columnName } from '@sheaf/engine';
import { importPeer, type Contender, type Rows } from '../contender.ts';

interface Model {
  dispatch(command: string, payload: object): { isSuccessful: boolean };
  getters: { getEvaluatedCell(position: { sheetId: string; row: number; col: number }): { value: unknown } };
  leaveSession?(): void;
}

interface Package {
  Model: new (data: object, config?: object) => Model;
}

const sheetId = 'sheet1';

export class OSpreadsheet implements Contender {
  readonly #Model: Package['Model'];
  #model: Model | undefined;

  private constructor(model: Package['Model']) {
    this.#Model = model;
  }

  static async load(root: string): Promise<OSpreadsheet> {
    return new OSpreadsheet(
      (await importPeer<Package>(root, '@odoo/o-spreadsheet', 'dist/o_spreadsheet.esm.js')).Model,
    );
  }

  build(rows: Rows): void {
    this.#model = undefined;
    const cells: Record<string, string> = {};
    const names = (rows[0] ?? []).map((_, col) => columnName(col));
    rows.forEach((line, row) =>
      line.forEach((input, col) => {
        if (input !== null) cells[`${names[col]}${row + 1}`] = String(input);
      }),
    );
    const sheet = { id: sheetId, name: 'Sheet1', rowNumber: rows.length + 1, colNumber: names.length + 1, cells };
    this.#model = new this.#Model({ version: '19.3', sheets: [sheet] });
    // Evaluation is lazy: the first read calculates everything.
    this.value(0, 0);
  }

  set(row: number, col: number, value: number): void {
    this.#model?.dispatch('UPDATE_CELL', { sheetId: sheetId, row, col, content: String(value) });
    this.value(row, col);
  }

  value(row: number, col: number): unknown {
    return this.#model?.getters.getEvaluatedCell({ sheetId: sheetId, row, col }).value;
  }

  insertRow(at: number): void {
    this.#model?.dispatch('ADD_COLUMNS_ROWS', {
      sheetId: sheetId,
      sheetName: 'Sheet1',
      dimension: 'ROW',
      base: at,
      quantity: 1,
      position: 'before',
    });
    this.value(0, 0);
  }

  read(rows: number, cols: number): number {
    const found: unknown[] = [];
    for (let row = 0; row < rows; row++) {
      for (let col = 0; col < cols; col++)
        found.push(this.#model?.getters.getEvaluatedCell({ sheetId: sheetId, row, col }));
    }
    return found.length;
  }

  close(): void {
    this.#model = undefined;
  }
}
