import type { RevisionId, StoredSnapshot } from '../../../ports/sheet-store.ts';
import type { Database, Sql } from '../database.ts';
import { sql } from '../statement.ts';
import { markGarbage } from '../wiki/upload-store.ts';
import { addStoredBytes } from './document-accounting.ts';

export async function saveSnapshot(
  db: Database,
  id: string,
  snapshot: StoredSnapshot,
  of: RevisionId | undefined,
): Promise<boolean> {
  return db.write(null, { lock: `document:${id}` }, async (tx) => {
    const before = await tx.get<{ size: number; blob_key: string }>(sql`SELECT size, blob_key FROM document_snapshot
      WHERE document_id = ${id} AND version = ${snapshot.version}`);
    if (!(await insertSnapshot(tx, id, snapshot, of))) return false;
    // The blob is in use from now on, so remove its mark as garbage, if any. The key is derived from the version and
    // the content, so an equal snapshot that was discarded earlier may have marked the same key.
    await tx.execute(sql`DELETE FROM wiki_garbage WHERE cos_key = ${snapshot.blobKey}`);
    if (before && before.blob_key !== snapshot.blobKey) await markGarbage(tx, before.blob_key);
    await addStoredBytes(tx, id, snapshot.size - (before?.size ?? 0));
    return true;
  });
}

export async function listSnapshots(db: Database, id: string, atMost: number): Promise<StoredSnapshot[]> {
  const rows = await db.all<{ version: number; blob_key: string; size: number; sha256: string }>(sql`SELECT s.version,
    s.blob_key, s.size, s.sha256 FROM document_snapshot s JOIN document d ON d.id = s.document_id
    WHERE s.document_id = ${id} AND s.version <= ${atMost} AND s.version <= d.version ORDER BY s.version DESC`);
  return rows.map(({ blob_key: blobKey, ...rest }) => ({ ...rest, blobKey }));
}

export async function listOrphanedSnapshots(db: Database, id: string): Promise<number[]> {
  const rows = await db.all<{ version: number }>(sql`SELECT s.version FROM document_snapshot s JOIN document d
    ON d.id = s.document_id WHERE s.document_id = ${id} AND s.version > d.version ORDER BY s.version`);
  return rows.map(({ version }) => version);
}

/**
 * Deletes the snapshots above `version`, the document's current version. They belong to revisions that were lost when
 * the database was restored from a backup. Without this, the document would load such a snapshot once it reaches that
 * version again.
 */
export async function discardOrphanedSnapshots(tx: Sql, id: string, version: number): Promise<void> {
  const rows = await tx.all<{ blob_key: string; size: number }>(sql`DELETE FROM document_snapshot
    WHERE document_id = ${id} AND version > ${version} RETURNING blob_key, size`);
  for (const row of rows) await markGarbage(tx, row.blob_key);
  await addStoredBytes(tx, id, -rows.reduce((sum, row) => sum + row.size, 0));
}

export async function dropSnapshots(db: Database, id: string, before: number): Promise<string[]> {
  return db.write(null, { lock: `document:${id}` }, async (tx) => {
    const rows = await tx.all<{ blob_key: string; size: number }>(sql`SELECT blob_key, size FROM document_snapshot
      WHERE document_id = ${id} AND version < ${before} AND version > 0`);
    await tx.execute(sql`DELETE FROM document_snapshot WHERE document_id = ${id} AND version < ${before}
      AND version > 0`);
    await addStoredBytes(tx, id, -rows.reduce((sum, row) => sum + row.size, 0));
    return rows.map((row) => row.blob_key);
  });
}

/**
 * Inserts the snapshot, or replaces the one of the same version. Does so only if the document has reached the
 * snapshot's version and, if `of` is given, its log still contains the revision `of`. Returns whether the snapshot was
 * stored. Check and insert are one statement, so that no other write comes between them.
 */
export async function insertSnapshot(
  tx: Sql,
  id: string,
  { version, blobKey, size, sha256 }: StoredSnapshot,
  of?: RevisionId,
): Promise<boolean> {
  const values = [version, blobKey, size, sha256, id, version];
  const stored = of
    ? await tx.run(insertMarked, ...values, of.version, of.at, of.seed)
    : await tx.run(insertUnmarked, ...values);
  return stored > 0;
}

const insertHeader = `INSERT INTO document_snapshot (document_id, version, blob_key, size, sha256)
  SELECT d.id, CAST(? AS BIGINT), CAST(? AS TEXT), CAST(? AS BIGINT), CAST(? AS TEXT) FROM document d
  WHERE d.id = ? AND d.version >= ?`;
const orReplace = `ON CONFLICT (document_id, version)
  DO UPDATE SET blob_key = excluded.blob_key, size = excluded.size, sha256 = excluded.sha256`;
const insertUnmarked = `${insertHeader} ${orReplace}`;
const insertMarked = `${insertHeader}
  AND EXISTS (SELECT 1 FROM revision r WHERE r.document_id = d.id AND r.version = ? AND r.at = ? AND r.seed = ?) ${orReplace}`;
