import { yieldToEventLoop } from '../../lib/event-loop.ts';
import type { Dialect, Param } from '../sql/database.ts';
import { quoteIdentifier, type Table, type SnapshotView } from './catalog.ts';

export type Row = Record<string, Param>;

/**
 * Target size of a page of rows in bytes. The number of rows per page adapts to it, because a row can be a single
 * number or a whole workbook.
 */
const targetBytes = 4 * 2 ** 20;
const firstPage = 16;
const maxPageSize = 2000;

/**
 * Yields all rows of a table as JSON lines, one page at a time. The rows are in the order of the primary key, or in
 * storage order if the table has none.
 */
export async function* readTableLines(
  view: SnapshotView,
  dialect: Dialect,
  table: Table,
): AsyncGenerator<{ lines: string; rows: readonly Row[] }> {
  const key = table.key.length > 0 ? table.key.map(quoteIdentifier) : [dialect.name === 'sqlite' ? 'rowid' : 'ctid'];
  const hidden = table.key.length === 0;
  const columns = table.columns.map(quoteIdentifier).join(', ');
  const position = hidden ? `, ${dialect.name === 'sqlite' ? 'rowid' : 'ctid::text'} AS sheaf_position` : '';
  const marks = key.map(() => (hidden && dialect.name === 'postgres' ? '?::tid' : '?')).join(', ');
  const order = `ORDER BY ${key.join(', ')} LIMIT ?`;
  let after: Param[] | undefined;
  let size = firstPage;
  for (;;) {
    const where = after ? `WHERE (${key.join(', ')}) > (${marks})` : '';
    const page = await view.all<Row>(
      `SELECT ${columns}${position} FROM ${quoteIdentifier(table.name)} ${where} ${order}`,
      ...(after ?? []),
      size,
    );
    const last = page.at(-1);
    if (!last) return;
    after = hidden ? [last['sheaf_position']!] : table.key.map((name) => last[name]!);
    const lines = page.map((row) => `${encodeRow(table, row)}\n`).join('');
    yield { lines, rows: page };
    if (page.length < size) return;
    size = Math.max(1, Math.min(maxPageSize, size * 4, Math.floor((size * targetBytes) / lines.length)));
    // Yield to the event loop between pages. SQLite queries are synchronous and would otherwise block the process until
    // the end.
    await yieldToEventLoop();
  }
}

/**
 * Encodes a row as JSON with its columns in alphabetical order, so that SQLite and PostgreSQL produce the same line for
 * a row.
 */
function encodeRow(table: Table, row: Row): string {
  const out: Record<string, unknown> = {};
  for (const name of table.columns.toSorted()) {
    const value = row[name]!;
    out[name] = value instanceof Uint8Array ? { bytes: Buffer.from(value).toString('base64') } : value;
  }
  return JSON.stringify(out);
}

export function decodeRow(line: string): Row {
  const row = JSON.parse(line) as Record<string, string | number | null | { bytes: string }>;
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value !== null && typeof value === 'object' ? Buffer.from(value.bytes, 'base64') : value,
    ]),
  );
}
