import type { Param } from './database.ts';

/** How many rows one statement adds: its cost is shared, and few texts need to be prepared. */
const rowsAtOnce = [64, 16, 4, 2, 1];

/** Adds any number of rows to one table by as few statements as a handful of constant texts allows. */
export class ManyRows {
  readonly #texts: readonly string[];

  /** `insert` is the statement up to and with VALUES; `width` the number of values of a row. */
  constructor(insert: string, width: number) {
    const row = `(${Array.from({ length: width }, () => '?').join(', ')})`;
    this.#texts = rowsAtOnce.map((count) => `${insert} ${Array.from({ length: count }, () => row).join(', ')}`);
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
