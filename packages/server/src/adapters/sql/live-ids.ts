import type { Database } from './database.ts';
import { raw, sql } from './statement.ts';

/** Number of ids read per query. */
const page = 1000;

/**
 * Yields the ids of all rows in these tables that are not deleted, for rebuilding a search index. Stops at the highest
 * id that exists at the start. Rows added later are not needed, because the writes that add them also queue them for
 * indexing.
 */
export async function* listLiveIds(
  db: Pick<Database, 'all' | 'get'>,
  ...tables: readonly string[]
): AsyncGenerator<string> {
  const ends = await Promise.all(
    tables.map((table) => db.get<{ id: string | null }>(`SELECT max(id) AS id FROM ${table}`)),
  );
  for (const [index, table] of tables.entries()) {
    const end = ends[index]?.id ?? '';
    for (let after = ''; ;) {
      const rows = await db.all<{ id: string }>(sql`SELECT id FROM ${raw(table)} WHERE id > ${after} AND id <= ${end}
        AND deleted_at IS NULL ORDER BY id LIMIT ${raw(page)}`);
      for (const { id } of rows) yield id;
      if (rows.length < page) break;
      after = rows.at(-1)!.id;
    }
  }
}
