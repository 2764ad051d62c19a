import type { Param } from './database.ts';

/** How many rows one statement adds: its cost is shared, few texts need to be prepared, and few rows need but one. */
const rowsAtOnce = [64, 16, 8, 7, 6, 5, 4, 3, 2, 1];

/** Adds any number of rows to one table by as few statements as a handful of constant texts allows. */
export class ManyRows {
  readonly #texts: readonly string[];

  /** `insert` is the statement up to and with VALUES, `rest` what comes after them; `width` the number of values of a row. */
  constructor(insert: string, width: number, rest = '') {
    const row = `(${Array.from({ length: width }, () => '?').join(', ')})`;
    this.#texts = rowsAtOnce.map((count) => `${insert} ${Array.from({ length: count }, () => row).join(', ')} ${rest}`);
  }

  statements(rows: readonly (readonly Param[])[]): [text: string, params: Param[]][] {
    const statements: [string, Param[]][] = [];
    let next = 0;
    for (const [index, count] of rowsAtOnce.entries()) {
      for (; next + count <= rows.length; next += count)
        statements.push([this.#texts[index]!, rows.slice(next, next + count).flat()]);
    }
    return statements;
  }
}
