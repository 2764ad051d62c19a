import type { Param } from './database.ts';
import type { Statement } from './statement.ts';

/**
 * Numbers of rows that one INSERT statement may contain. They are few, so that the database prepares few statements; a
 * batch of up to eight rows still needs only one statement.
 */
const rowsAtOnce = [64, 32, 16, 12, 8, 7, 6, 5, 4, 3, 2, 1];

export type Rows = readonly (readonly Param[])[];

/** Type of a column in PostgreSQL. */
export type ColumnType = 'TEXT' | 'BIGINT' | 'BYTEA';

/** Inserts any number of rows into a table, with a fixed set of statements that the database prepares once. */
export class BulkInsert {
  /**
   * The statement up to and including the column names, and the types of these columns. Undefined if the types are not
   * known.
   */
  readonly columns: { readonly insert: string; readonly types: readonly ColumnType[] } | undefined;
  readonly #texts: readonly string[];
  /**
   * Cached texts of statements that insert into this table and other tables at once. The key identifies the other
   * tables.
   */
  readonly #combined = new Map<string, readonly string[]>();

  /**
   * `insert` is the statement up to and including VALUES, and `rest` is the text after the values. `width` is the
   * number of values per row, or their types if the database cannot derive them.
   */
  constructor(insert: string, width: number | readonly string[], rest = '', columns?: BulkInsert['columns']) {
    this.columns = columns;
    const values =
      typeof width === 'number' ? Array<string>(width).fill('?') : width.map((type) => `CAST(? AS ${type})`);
    const row = `(${values.join(', ')})`;
    this.#texts = rowsAtOnce.map((count) => `${insert} ${Array.from({ length: count }, () => row).join(', ')} ${rest}`);
  }

  /**
   * Creates a BulkInsert for a table whose columns have the given types. On PostgreSQL, the rows of a group of writes
   * are then sent as one array per column.
   */
  static into(table: string, columns: Readonly<Record<string, ColumnType>>): BulkInsert {
    const insert = `INSERT INTO ${table} (${Object.keys(columns).join(', ')})`;
    const types = Object.values(columns);
    return new BulkInsert(`${insert} VALUES`, types.length, '', { insert, types });
  }

  statements(rows: Rows): Statement[] {
    return statementsOf(this.#texts, [rows]);
  }

  /**
   * Returns statements each of which inserts rows into this table and all the other tables at once. Every table must
   * get the same number of rows. Only PostgreSQL can run these statements.
   */
  statementsWith(rows: Rows, others: readonly (readonly [BulkInsert, Rows])[]): Statement[] {
    const tables = others.map(([table]) => table);
    // The cache key consists of each table's statement for a single row, which identifies the table.
    const key = tables.map((table) => table.#texts.at(-1)).join('\n');
    let texts = this.#combined.get(key);
    if (!texts) {
      texts = this.#texts.map((text, index) => {
        const parts = tables.map((table, place) => `also${place} AS (${table.#texts[index]!})`);
        return `WITH ${parts.join(', ')} ${text}`;
      });
      this.#combined.set(key, texts);
    }
    return statementsOf(texts, [...others.map(([, list]) => list), rows]);
  }
}

/**
 * Returns the statements that insert the rows of all lists. Each statement takes the same number of rows from every
 * list, so the lists must have equal lengths.
 */
function statementsOf(texts: readonly string[], lists: readonly Rows[]): Statement[] {
  const statements: Statement[] = [];
  const length = lists[0]!.length;
  let next = 0;
  for (const [index, count] of rowsAtOnce.entries()) {
    for (; next + count <= length; next += count) {
      const params: Param[] = [];
      for (const rows of lists) for (let at = next; at < next + count; at++) params.push(...rows[at]!);
      statements.push({ text: texts[index]!, params });
    }
  }
  return statements;
}
