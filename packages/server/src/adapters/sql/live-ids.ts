import type { Database } from './database.ts';

/** As many as are held at a time. */
const page = 1000;

/**
 * The id of everything in these tables that is not deleted, for building an index anew. It ends with what was there
 * when it began: what is written later tells of itself, and following it would list, and index, all of that twice.
 */
export async function* liveIds(
  db: Pick<Database, 'all' | 'get'>,
  ...tables: readonly string[]
): AsyncGenerator<string> {
  const ends = await Promise.all(
    tables.map((table) => db.get<{ id: string | null }>(`SELECT max(id) AS id FROM ${table}`)),
  );
  for (const [index, table] of tables.entries()) {
    const end = ends[index]?.id ?? '';
    for (let after = ''; ;) {
      const rows = await db.all<{ id: string }>(
        `SELECT id FROM ${table} WHERE id > ? AND id <= ? AND deleted_at IS NULL ORDER BY id LIMIT ${page}`,
        after,
        end,
      );
      for (const { id } of rows) yield id;
      if (rows.length < page) break;
      after = rows.at(-1)!.id;
    }
  }
}
