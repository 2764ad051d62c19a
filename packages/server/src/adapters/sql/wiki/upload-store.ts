import { escapeText } from '../../../lib/escaped-text.ts';
import { QuotaExceeded } from '../../../ports/blob-accounting.ts';
import type { Stamp } from '../../../ports/audit-stamp.ts';
import type { UploadAccounting, Upload, UploadStore } from '../../../ports/wiki-store.ts';
import type { Database, Sql } from '../database.ts';
import { sql } from '../statement.ts';
import { releaseBlob } from '../blob-accounting.ts';
import { BulkInsert } from '../bulk-insert.ts';
import { incrementStorage } from '../storage-usage.ts';
import { toUpload, type UploadRow } from './wiki-rows.ts';

const newUploads = new BulkInsert(
  `INSERT INTO wiki_upload (media_id, user_id, base_id, cos_key, file_name, file_ext, content_type, media_type, kind, file_size,
     created_at, expires_at) VALUES`,
  12,
);
const newCountedBlobs = new BulkInsert('INSERT INTO kept_object (key, user_id, bytes) VALUES', 3);

export class SqlUploadStore implements UploadStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async createUpload(stamp: Stamp | null, upload: Upload, counting?: UploadAccounting): Promise<void> {
    await this.#db.write(
      stamp,
      { target: upload.mediaId, ...(counting ? { lock: [], batch: 'uploads' } : { isolation: 'repeatable read' }) },
      async (tx) => {
        if (counting) await chargeUpload(tx, upload, counting);
        await tx.add(newUploads, [
          [
            upload.mediaId,
            upload.userId,
            upload.baseId,
            upload.blobKey,
            escapeText(upload.fileName),
            escapeText(upload.fileExt),
            upload.contentType,
            upload.mediaType,
            upload.kind,
            upload.fileSize,
            upload.createdAt,
            upload.expiresAt,
          ],
        ]);
      },
    );
  }

  async upload(mediaId: string): Promise<Upload | undefined> {
    const row = await this.#db.get<UploadRow>(sql`SELECT * FROM wiki_upload WHERE media_id = ${mediaId}`);
    return row && toUpload(row);
  }

  async uploadByKey(blobKey: string): Promise<Upload | undefined> {
    const row = await this.#db.get<UploadRow>(sql`SELECT * FROM wiki_upload WHERE cos_key = ${blobKey}`);
    return row && toUpload(row);
  }

  async expire(before: number, limit: number): Promise<number> {
    const due = await this.#db.all<{ media_id: string; cos_key: string }>(sql`SELECT media_id, cos_key FROM wiki_upload
      WHERE expires_at < ${before} LIMIT ${limit}`);
    if (due.length === 0) return 0;
    return this.#db.write(null, async (tx) => {
      let expired = 0;
      for (const row of due) {
        const removed = await tx.run(sql`DELETE FROM wiki_upload WHERE media_id = ${row.media_id}`);
        // Mark the blob as garbage only if this call deleted the upload. Otherwise the upload was completed meanwhile
        // and an item uses the blob, or another process has deleted the expired upload.
        if (removed > 0) await markGarbage(tx, row.cos_key);
        expired += removed;
      }
      return expired;
    });
  }

  async discard(blobKey: string, after = 0): Promise<void> {
    await this.#db.write(null, (tx) => markGarbage(tx, blobKey, after));
  }

  async garbage(now: number, limit: number): Promise<string[]> {
    const rows = await this.#db.all<{ cos_key: string; used: number }>(sql`SELECT g.cos_key, CASE WHEN EXISTS (SELECT 1
      FROM wiki_item i WHERE i.cos_key = g.cos_key AND i.cos_key <> '') THEN 1 ELSE 0 END AS used FROM wiki_garbage g
      WHERE g.due_at <= ${now} ORDER BY g.cos_key LIMIT ${limit}`);
    const used = rows.filter((row) => row.used === 1);
    // Take blobs that are in use off the deletion queue. Check each again in the write, because the last item that uses
    // the blob may have been purged since the query above; the blob then stays queued.
    for (const row of used)
      await this.#db.write(null, (tx) =>
        tx.run(sql`DELETE FROM wiki_garbage WHERE cos_key = ${row.cos_key}
          AND EXISTS (SELECT 1 FROM wiki_item i WHERE i.cos_key = wiki_garbage.cos_key)`),
      );
    return rows.filter((row) => row.used === 0).map((row) => row.cos_key);
  }

  async forgetGarbage(blobKey: string): Promise<void> {
    await this.#db.write(null, async (tx) => {
      await tx.execute(sql`DELETE FROM wiki_garbage WHERE cos_key = ${blobKey}`);
      await releaseBlob(tx, blobKey);
    });
  }

  async isWithdrawn(blobKey: string): Promise<boolean> {
    const rows = await this.#db.all<{ is_live: number }>(sql`SELECT CASE WHEN i.deleted_at IS NULL
      AND b.deleted_at IS NULL THEN 1 ELSE 0 END AS is_live FROM wiki_item i JOIN wiki_base b ON b.id = i.base_id
      WHERE i.cos_key = ${blobKey} AND i.cos_key <> ''`);
    if (rows.length > 0) return rows.every((row) => row.is_live === 0);
    // A blob with a later deletion time (`due_at` > 0), such as an archive made for a link, is not withdrawn yet. It
    // can be read until then.
    return (
      (await this.#db.get(sql`SELECT 1 AS found FROM wiki_garbage WHERE cos_key = ${blobKey} AND due_at = 0`)) !==
      undefined
    );
  }

  async storage(userId: string, defaultQuota: number): Promise<{ used: number; quota: number }> {
    const row = await this.#db.get<{ bytes: number | null; quota_bytes: number | null }>(sql`SELECT s.bytes,
      u.quota_bytes FROM user_account u LEFT JOIN storage_use s ON s.user_id = u.id WHERE u.id = ${userId}`);
    return { used: row?.bytes ?? 0, quota: row?.quota_bytes ?? defaultQuota };
  }
}

/**
 * Charges a new upload to its user's quota. The blob key is new, so there is no earlier charge to read, and concurrent
 * uploads can share one statement.
 */
async function chargeUpload(
  tx: Sql,
  { userId, blobKey, fileSize }: Upload,
  { field, quotaBytes }: UploadAccounting,
): Promise<void> {
  await tx.add(newCountedBlobs, [[blobKey, userId, fileSize]]);
  await incrementStorage(
    tx,
    userId,
    fileSize,
    quotaBytes,
    (bytes, use) => new QuotaExceeded({ reason: 'storage_full', field, bytes, ...use }),
  );
}

/**
 * Marks a blob as garbage. It is deleted later, at the earliest at the time `after`. Called in the transaction that
 * ends the last use of the blob.
 */
export async function markGarbage(tx: Sql, blobKey: string, after = 0): Promise<void> {
  await tx.execute(sql`INSERT INTO wiki_garbage (cos_key, due_at) VALUES (${blobKey}, ${after}) ON CONFLICT (cos_key)
    DO NOTHING`);
}
