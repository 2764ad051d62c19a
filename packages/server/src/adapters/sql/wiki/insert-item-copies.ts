import type { Sql } from '../database.ts';
import { joined, sql } from '../statement.ts';

export interface ItemCopy {
  from: string;
  id: string;
  place: number;
  owner: string;
  state: string;
  fileSize: number;
}

/**
 * Number of copies per statement. The remaining copies are inserted one by one, so that only two statement texts must
 * be prepared.
 */
const atOnce = 100;

/** Inserts copies of knowledge base items with their texts and tags, and queues them for the search index. */
export async function insertItemCopies(
  tx: Sql,
  copies: readonly ItemCopy[],
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
  copies: readonly ItemCopy[],
  { baseId, folderId, at }: { baseId: string; folderId: string; at: number },
): Promise<void> {
  const pairs = joined(copies.map(({ from, id }) => sql`(${from}, ${id})`));
  const withPairs = sql`WITH made (old_id, new_id) AS (VALUES ${pairs})`;
  const rows = joined(
    copies.map((copy) => sql`(${copy.from}, ${copy.id}, CAST(${copy.place} AS BIGINT), ${copy.owner}, ${copy.state})`),
  );
  await tx.execute(sql`WITH made (old_id, new_id, place, owner, state) AS (VALUES ${rows})
    INSERT INTO wiki_item (id, base_id, folder_id, user_id, media_type, is_file, title, title_hash, state, reason, kind,
      file_name, content_type, file_size, cos_key, content_id, filed_version, sealed_password, last_modify_time,
      version, place, created_at, modified_at)
    SELECT made.new_id, ${baseId}, ${folderId}, made.owner, i.media_type, i.is_file, i.title, i.title_hash, made.state,
      i.reason, i.kind, i.file_name, i.content_type, i.file_size, i.cos_key, i.content_id, i.filed_version,
      i.sealed_password, i.last_modify_time, 1, made.place, ${at}, ${at}
    FROM made JOIN wiki_item i ON i.id = made.old_id`);
  await tx.execute(sql`${withPairs} INSERT INTO wiki_text (item_id, details, is_packed, body)
    SELECT made.new_id, t.details, t.is_packed, t.body FROM made JOIN wiki_text t ON t.item_id = made.old_id`);
  await tx.execute(sql`${withPairs} INSERT INTO wiki_tag (item_id, tag)
    SELECT made.new_id, t.tag FROM made JOIN wiki_tag t ON t.item_id = made.old_id`);
  await tx.execute(sql`${withPairs} INSERT INTO search_outbox (space, id, user_id, is_text)
    SELECT 'wiki', made.new_id, CAST(${tx.userId} AS TEXT), 1 FROM made`);
}
