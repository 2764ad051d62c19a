import { QuotaExceeded } from '../../../ports/blob-accounting.ts';
import type { StoredImage } from '../../../ports/sheet-store.ts';
import type { Stamp } from '../../../ports/audit-stamp.ts';
import type { Database } from '../database.ts';
import { insertRow, rowMapper, type Row } from '../row.ts';
import { raw, sql } from '../statement.ts';
import { adoptBlob } from '../blob-accounting.ts';
import { addStorage } from '../storage-usage.ts';
import type { DocumentLimits } from './document-accounting.ts';

const columns = 'id, owner_id, blob_key, content_type, width, height, size';
const toImage = rowMapper<StoredImage>()(columns);

export async function addImage(
  db: Database,
  stamp: Stamp | null,
  image: StoredImage,
  at: number,
  limits: Pick<DocumentLimits, 'quotaBytes'>,
): Promise<void> {
  await db.write(stamp, { target: image.id, isolation: 'repeatable read' }, async (tx) => {
    await adoptBlob(tx, image.blobKey);
    const over = await addStorage(tx, image.ownerId, image.size, limits.quotaBytes);
    if (over) throw new QuotaExceeded({ reason: 'storage_full', field: 'content', bytes: image.size, ...over });
    await tx.execute(insertRow('sheet_image', `${columns}, created_at`, { ...image, createdAt: at }));
  });
}

export async function findImage(db: Database, id: string): Promise<StoredImage | undefined> {
  const row = await db.get<Row<StoredImage>>(sql`SELECT ${raw(columns)} FROM sheet_image WHERE id = ${id}`);
  return row && toImage(row);
}
