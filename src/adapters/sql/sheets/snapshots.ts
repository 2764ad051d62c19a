import type { StoredSnapshot } from '../../../ports/sheet-store.ts';
import type { Database, Sql } from '../database.ts';
import { storeMore } from './document-bytes.ts';

export async function saveSnapshot(db: Database, id: string, snapshot: StoredSnapshot): Promise<void> {
  await db.write(
    null,
    async (tx) => {
      const before = await tx.get<{ size: number }>(
        'SELECT size FROM document_snapshot WHERE document_id = ? AND version = ?',
        id,
        snapshot.version,
      );
      await insertSnapshot(tx, id, snapshot);
      await storeMore(tx, id, snapshot.size - (before?.size ?? 0));
    },
    { lock: `document:${id}` },
  );
}

export async function listSnapshots(db: Database, id: string, atMost: number): Promise<StoredSnapshot[]> {
  const rows = await db.all<{ version: number; blob_key: string; size: number; sha256: string }>(
    'SELECT version, blob_key, size, sha256 FROM document_snapshot WHERE document_id = ? AND version <= ? ORDER BY version DESC',
    id,
    atMost,
  );
  return rows.map(({ blob_key: blobKey, ...rest }) => ({ ...rest, blobKey }));
}

export async function dropSnapshots(db: Database, id: string, before: number): Promise<string[]> {
  return db.write(
    null,
    async (tx) => {
      const rows = await tx.all<{ blob_key: string; size: number }>(
        'SELECT blob_key, size FROM document_snapshot WHERE document_id = ? AND version < ? AND version > 0',
        id,
        before,
      );
      await tx.execute(
        'DELETE FROM document_snapshot WHERE document_id = ? AND version < ? AND version > 0',
        id,
        before,
      );
      await storeMore(tx, id, -rows.reduce((sum, row) => sum + row.size, 0));
      return rows.map((row) => row.blob_key);
    },
    { lock: `document:${id}` },
  );
}

export async function insertSnapshot(tx: Sql, id: string, snapshot: StoredSnapshot): Promise<void> {
  await tx.execute(
    `INSERT INTO document_snapshot (document_id, version, blob_key, size, sha256) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (document_id, version) DO UPDATE SET blob_key = excluded.blob_key, size = excluded.size, sha256 = excluded.sha256`,
    id,
    snapshot.version,
    snapshot.blobKey,
    snapshot.size,
    snapshot.sha256,
  );
}
