import { titleSortKey } from '../../../lib/sort-key.ts';
import type { Database } from '../database.ts';
import { grantedObjects } from '../permissions/grants.ts';
import { queryInChunks, sql } from '../statement.ts';
import { visibleSheetTitles } from '../title-lookup.ts';
import { sameTitle, titleHash } from '../wiki/wiki-rows.ts';

type Reads = Pick<Database, 'all'>;
type Targets = [title: string, target: { kind: 'item' | 'sheet'; id: string }][];

/**
 * Finds for each title the spreadsheet with this title that the user owns or that is shared with the user. If there are
 * several, the oldest one counts. Ignores case and accents.
 */
export async function findTitledSheets(db: Reads, userId: string, titles: readonly string[]): Promise<Targets> {
  // Reverse the list, so that the oldest spreadsheet comes last. In the map it then replaces newer ones with the same
  // title.
  const sheets = (await visibleSheetTitles(db, userId)).toReversed();
  const byKey = new Map(sheets.map(({ id, title }) => [titleSortKey(title), id]));
  return titles.flatMap((title): Targets => {
    const id = byKey.get(titleSortKey(title));
    return id === undefined ? [] : [[title, { kind: 'sheet', id }]];
  });
}

/**
 * Finds for each title the file with this title in the knowledge bases that the user may read. If there are several,
 * the oldest one counts.
 */
export async function findTitledItems(db: Reads, userId: string, titles: readonly string[]): Promise<Targets> {
  const byHash = new Map(titles.map((title) => [titleHash(title), title]));
  const rows = await queryInChunks<{ id: string; title: string; title_hash: number }>([...byHash.keys()], (list) =>
    db.all(sql`SELECT i.id, i.title, i.title_hash FROM wiki_item i
      JOIN ${grantedObjects('base', userId)} AS g ON g.id = i.base_id
      JOIN wiki_base b ON b.id = i.base_id AND b.deleted_at IS NULL
      WHERE i.title_hash IN (${list}) AND i.deleted_at IS NULL AND i.is_file = 1 ORDER BY i.id DESC`),
  );
  const found: Targets = rows.flatMap((row): Targets => {
    const title = byHash.get(row.title_hash);
    return title !== undefined && sameTitle(row.title, title) ? [[title, { kind: 'item', id: row.id }]] : [];
  });
  // The rows are ordered newest first, and later entries of a map replace earlier ones. So the oldest item with each
  // title remains.
  return [...new Map(found)];
}
