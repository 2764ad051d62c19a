import type { Dialect, Sql } from '../sql/database.ts';
import { sql } from '../sql/statement.ts';

export interface Table {
  name: string;
  columns: string[];
  /** Columns of the primary key, in key order; empty if the table has no primary key. */
  key: string[];
  identity?: string;
}

export type SnapshotView = Pick<Sql, 'all' | 'get'>;

/**
 * Tables that are not backed up, because a restored installation creates or rebuilds their rows itself (for example the
 * search index).
 */
const skipped =
  /^(sheaf_open|schema_version|schema_support|access_state|cluster_node|document_lease|last_backup|search_.*|sqlite_.*)$/;

/** Lists the tables to back up from the database's own catalog, so that new tables are included automatically. */
export async function readCatalog(view: SnapshotView, dialect: Dialect): Promise<Table[]> {
  const tables = dialect.name === 'sqlite' ? await sqliteTables(view) : await postgresTables(view);
  return tables.filter((table) => !skipped.test(table.name)).sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function sqliteTables(view: SnapshotView): Promise<Table[]> {
  const found = await view.all<{ name: string; definition: string }>(
    `SELECT s.name, s.sql AS definition FROM sqlite_schema s JOIN pragma_table_list l ON l.name = s.name AND l.schema = 'main'
     WHERE s.type = 'table' AND l.type = 'table'`,
  );
  const tables: Table[] = [];
  for (const { name, definition } of found) {
    const columns = await view.all<{ name: string; pk: number }>(sql`SELECT name, pk FROM pragma_table_info(${name})
      ORDER BY cid`);
    const key = columns
      .filter((column) => column.pk > 0)
      .sort((a, b) => a.pk - b.pk)
      .map((column) => column.name);
    const identity = /\bAUTOINCREMENT\b/i.test(definition) ? key[0] : undefined;
    tables.push({
      name,
      columns: columns.map((column) => column.name),
      key,
      ...(identity === undefined ? {} : { identity }),
    });
  }
  return tables;
}

async function postgresTables(view: SnapshotView): Promise<Table[]> {
  // Skip partitions, because their rows belong to the parent table.
  const columns = await view.all<{ table_name: string; column_name: string; is_numbered: boolean }>(
    `SELECT c.table_name, c.column_name, (c.is_identity = 'YES' OR c.column_default LIKE 'nextval(%') IS TRUE AS is_numbered
     FROM information_schema.columns c
     JOIN information_schema.tables t ON t.table_schema = c.table_schema AND t.table_name = c.table_name
     JOIN pg_class p ON p.oid = format('%I.%I', c.table_schema, c.table_name)::regclass AND NOT p.relispartition
     WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE' ORDER BY c.table_name, c.ordinal_position`,
  );
  const keys = await view.all<{ table_name: string; column_name: string }>(
    `SELECT k.table_name, k.column_name FROM information_schema.table_constraints c
     JOIN information_schema.key_column_usage k ON k.constraint_schema = c.constraint_schema
       AND k.constraint_name = c.constraint_name AND k.table_name = c.table_name
     WHERE c.table_schema = current_schema() AND c.constraint_type = 'PRIMARY KEY' ORDER BY k.table_name, k.ordinal_position`,
  );
  const tables = new Map<string, Table>();
  for (const column of columns) {
    const table = tables.get(column.table_name) ?? { name: column.table_name, columns: [], key: [] };
    tables.set(column.table_name, table);
    table.columns.push(column.column_name);
    if (column.is_numbered) table.identity = column.column_name;
  }
  for (const { table_name: name, column_name: column } of keys) tables.get(name)?.key.push(column);
  return [...tables.values()];
}

/**
 * Returns the highest auto-increment value ever issued, even if its row is deleted. A restored database continues after
 * this value, so that no id is reused.
 */
export async function lastIdentity(view: SnapshotView, dialect: Dialect, table: Table): Promise<number> {
  if (dialect.name === 'sqlite') {
    const row = await view.get<{ seq: number }>(sql`SELECT seq FROM sqlite_sequence WHERE name = ${table.name}`);
    return row?.seq ?? 0;
  }
  const row = await view.get<{ last: number | null }>(sql`SELECT s.last_value AS last FROM pg_sequences s
    WHERE format('%I.%I', s.schemaname, s.sequencename) = pg_get_serial_sequence(${table.name}, ${table.identity!})`);
  return row?.last ?? 0;
}

export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
