import type { Sql } from '../database.ts';
import { sql } from '../statement.ts';
import { addStorage } from '../storage-usage.ts';
import { markGarbage } from '../wiki/upload-store.ts';
import { deletePublicLinksOf } from '../permissions/public-link-store.ts';
import { deleteGrantsOn } from '../permissions/shared-notes.ts';

/**
 * Deletes a document, with its log, if it was moved to the trash before a given time. Marks its snapshots as garbage.
 * Returns whether a document was deleted.
 */
export async function purgeDocument(tx: Sql, id: string, before: number): Promise<boolean> {
  const gone = await tx.get<{ owner_id: string; counted_bytes: number }>(sql`SELECT owner_id, counted_bytes
    FROM document WHERE id = ${id} AND deleted_at IS NOT NULL AND deleted_at < ${before}`);
  if (!gone) return false;
  const snapshots = await tx.all<{ blob_key: string }>(sql`SELECT blob_key FROM document_snapshot
    WHERE document_id = ${id}`);
  for (const { blob_key: key } of snapshots) await markGarbage(tx, key);
  await tx.execute(sql`DELETE FROM document_snapshot WHERE document_id = ${id}`);
  await tx.execute(sql`DELETE FROM revision WHERE document_id = ${id}`);
  await tx.execute(sql`DELETE FROM document_member WHERE document_id = ${id}`);
  await tx.execute(sql`DELETE FROM object_tag WHERE object_id = ${id}`);
  await tx.execute(sql`DELETE FROM document_lease WHERE resource = ${`sheet:${id}`}`);
  await deleteGrantsOn(tx, 'sheet', id);
  await deletePublicLinksOf(tx, 'sheet', id);
  await tx.execute(sql`DELETE FROM document WHERE id = ${id}`);
  if (gone.counted_bytes > 0) await addStorage(tx, gone.owner_id, -gone.counted_bytes, 0);
  return true;
}
