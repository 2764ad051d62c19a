import type { Param } from './database.ts';
import type { Statement } from './statement.ts';

/**
 * Row counts for which statements exist. Few constant texts need few prepared statements, and a small batch needs only
 * one statement.
 */
const rowsAtOnce = [64, 16, 8, 7, 6, 5, 4, 3, 2, 1];

/**
 * Inserts any number of rows into a table. It uses a fixed set of constant statements, which the database prepares
 * once.
 */
export class BulkInsert {
  readonly #texts: readonly string[];

  /**
   * `insert` is the statement up to and including VALUES, `rest` is the text after the values, and `width` is the
   * number of values per row.
   */
  constructor(insert: string, width: number, rest = '') {
    const row = `(${Array.from({ length: width }, () => '?').join(', ')})`;
    this.#texts = rowsAtOnce.map((count) => `${insert} ${Array.from({ length: count }, () => row).join(', ')} ${rest}`);
  }

  statements(rows: readonly (readonly Param[])[]): Statement[] {
    const statements: Statement[] = [];
    let next = 0;
    for (const [index, count] of rowsAtOnce.entries()) {
      for (; next + count <= rows.length; next += count)
        statements.push({ text: this.#texts[index]!, params: rows.slice(next, next + count).flat() });
    }
    return statements;
  }
}
