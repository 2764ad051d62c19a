import { QuotaExceeded } from '../../../ports/blob-accounting.ts';
import type { StoredImage } from '../../../ports/sheet-store.ts';
import type { Stamp } from '../../../ports/audit-stamp.ts';
import type { Database } from '../database.ts';
import { sql } from '../statement.ts';
import { adoptBlob } from '../blob-accounting.ts';
import { addStorage } from '../storage-usage.ts';
import type { DocumentLimits } from './document-accounting.ts';

export async function addImage(
  db: Database,
  stamp: Stamp,
  image: StoredImage,
  limits: Pick<DocumentLimits, 'quotaBytes'>,
): Promise<void> {
  await db.write(
    stamp,
    async (tx) => {
      await adoptBlob(tx, image.blobKey);
      const over = await addStorage(tx, image.ownerId, image.size, limits.quotaBytes);
      if (over) throw new QuotaExceeded({ reason: 'storage_full', field: 'content', bytes: image.size, ...over });
      await tx.execute(sql`INSERT INTO sheet_image (id, owner_id, blob_key, content_type, width, height, size,
        created_at) VALUES (${image.id}, ${image.ownerId}, ${image.blobKey}, ${image.contentType}, ${image.width},
        ${image.height}, ${image.size}, ${stamp.at})`);
    },
    { target: image.id, blind: true },
  );
}

export async function findImage(db: Database, id: string): Promise<StoredImage | undefined> {
  const row = await db.get<{
    id: string;
    owner_id: string;
    blob_key: string;
    content_type: string;
    width: number;
    height: number;
    size: number;
  }>(sql`SELECT id, owner_id, blob_key, content_type, width, height, size FROM sheet_image WHERE id = ${id}`);
  return (
    row && {
      id: row.id,
      ownerId: row.owner_id,
      blobKey: row.blob_key,
      contentType: row.content_type,
      width: row.width,
      height: row.height,
      size: row.size,
    }
  );
}
