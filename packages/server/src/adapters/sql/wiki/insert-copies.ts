import type { Param, Sql } from '../database.ts';

/** A new item and the item it is copied from. */
export interface Copy {
  from: string;
  id: string;
  place: number;
  owner: string;
  state: string;
}

/** Copies per statement; only two list lengths need to be prepared. */
const atOnce = 100;

/** Inserts the copies with their texts and tags, and queues them for the search index. */
export async function insertCopies(
  tx: Sql,
  copies: readonly Copy[],
  place: { baseId: string; folderId: string; at: number },
): Promise<void> {
  for (let next = 0; next < copies.length;) {
    const length = copies.length - next >= atOnce ? atOnce : 1;
    await insertSome(tx, copies.slice(next, next + length), place);
    next += length;
  }
}

async function insertSome(
  tx: Sql,
  copies: readonly Copy[],
  { baseId, folderId, at }: { baseId: string; folderId: string; at: number },
): Promise<void> {
  const rows = (row: string): string => Array.from({ length: copies.length }, () => row).join(', ');
  const pairs = copies.flatMap(({ from, id }): Param[] => [from, id]);
  const withPairs = `WITH made (old_id, new_id) AS (VALUES ${rows('(?, ?)')})`;
  await tx.execute(
    `WITH made (old_id, new_id, place, owner, state) AS (VALUES ${rows('(?, ?, CAST(? AS BIGINT), ?, ?)')})
     INSERT INTO wiki_item (id, base_id, folder_id, user_id, media_type, is_file, title, title_hash, state,
       reason, kind, file_name, content_type, file_size, cos_key, content_id, sealed_password, last_modify_time, version, place, created_at, modified_at)
     SELECT made.new_id, ?, ?, made.owner, i.media_type, i.is_file, i.title, i.title_hash, made.state,
       i.reason, i.kind, i.file_name, i.content_type, i.file_size, i.cos_key, i.content_id, i.sealed_password, i.last_modify_time, 1, made.place, ?, ?
     FROM made JOIN wiki_item i ON i.id = made.old_id`,
    ...copies.flatMap(({ from, id, place, owner, state }): Param[] => [from, id, place, owner, state]),
    baseId,
    folderId,
    at,
    at,
  );
  await tx.execute(
    `${withPairs} INSERT INTO wiki_text (item_id, details, is_packed, body)
     SELECT made.new_id, t.details, t.is_packed, t.body FROM made JOIN wiki_text t ON t.item_id = made.old_id`,
    ...pairs,
  );
  await tx.execute(
    `${withPairs} INSERT INTO wiki_tag (item_id, tag) SELECT made.new_id, t.tag FROM made JOIN wiki_tag t ON t.item_id = made.old_id`,
    ...pairs,
  );
  await tx.execute(
    `${withPairs} INSERT INTO search_outbox (space, id, user_id, is_text) SELECT 'wiki', made.new_id, CAST(? AS TEXT), 1 FROM made`,
    ...pairs,
    tx.userId,
  );
}
