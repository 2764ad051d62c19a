import type { BulkInsert, ColumnType, Rows } from '../bulk-insert.ts';
import type { Param } from '../database.ts';
import type { Statement } from '../statement.ts';
import { encodeArray } from './binary-array.ts';

type Insert = readonly [BulkInsert, Rows];

/**
 * Maximum size in bytes of the values of one statement that takes its rows from arrays. PostgreSQL buffers these rows
 * before it inserts them, and writes larger buffers to temporary files.
 */
const maxArrayBytes = 256 * 1024;

/**
 * Returns statements that insert rows into several tables. Tables that get the same number of rows share statements,
 * which only PostgreSQL can run.
 */
export function combineInserts(inserts: Iterable<Insert>): Statement[] {
  const byCount = new Map<number, Insert[]>();
  for (const insert of inserts) {
    const same = byCount.get(insert[1].length);
    if (same) same.push(insert);
    else byCount.set(insert[1].length, [insert]);
  }
  return Array.from(byCount.values(), (same) => fromArrays(same) ?? fromValues(same)).flat();
}

function fromValues(same: readonly Insert[]): Statement[] {
  const [table, rows] = same.at(-1)!;
  return same.length === 1 ? table.statements(rows) : table.statementsWith(rows, same.slice(0, -1));
}

/**
 * Returns a statement that takes the rows from one array per column, so that its text is the same for any number of
 * rows. PostgreSQL plans each new text again on every connection, and planning costs more than inserting a few rows.
 * Returns undefined if there is only one row, if the rows are large, or if the types of columns are not known.
 */
function fromArrays(same: readonly Insert[]): Statement[] | undefined {
  if (same[0]![1].length < 2) return undefined;
  const inserts: string[] = [];
  const params: Param[] = [];
  let bytes = 0;
  for (const [{ columns }, rows] of same) {
    if (!columns) return undefined;
    inserts.push(selectFromArrays(columns));
    for (const [index, type] of columns.types.entries()) {
      const array = encodeArray(type, rows, index, maxArrayBytes - bytes);
      if (!array) return undefined;
      bytes += array.length;
      params.push(array);
    }
  }
  return [{ text: combine(inserts), params }];
}

const selects = new Map<string, string>();

function selectFromArrays({ insert, types }: { insert: string; types: readonly ColumnType[] }): string {
  let text = selects.get(insert);
  if (text === undefined) {
    text = `${insert} SELECT * FROM unnest(${types.map((type) => `CAST(? AS ${type}[])`).join(', ')})`;
    selects.set(insert, text);
  }
  return text;
}

/** Combines several INSERT statements into one. All but the last become WITH clauses, which PostgreSQL also runs. */
function combine(inserts: readonly string[]): string {
  const others = inserts.slice(0, -1).map((insert, place) => `also${place} AS (${insert})`);
  return others.length === 0 ? inserts[0]! : `WITH ${others.join(', ')} ${inserts.at(-1)!}`;
}
