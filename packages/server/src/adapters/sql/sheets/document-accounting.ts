import { QuotaExceeded } from '../../../ports/blob-accounting.ts';
import { DocumentTooLarge, type Revision } from '../../../ports/sheet-store.ts';
import type { Sql } from '../database.ts';
import { raw, sql } from '../statement.ts';
import { incrementStorage } from '../storage-usage.ts';

/**
 * Block size in bytes. A document is charged to its owner's quota in whole blocks, rounded up. Most edits stay within a
 * block and so do not update the row with the owner's usage. All documents of an owner share this row, so concurrent
 * edits would otherwise wait for each other.
 */
const block = 16 * 1024;

export interface DocumentLimits {
  /** Default quota in bytes for all stored data of an owner. */
  quotaBytes: number;
  /** Maximum size in bytes of a document's log and snapshots together. */
  documentBytes: number;
}

export interface DocumentUsage {
  id: string;
  owner_id: string;
  stored_bytes: number;
  counted_bytes: number;
}

export const usageColumns = 'id, owner_id, stored_bytes, counted_bytes';

export function revisionBytes(revisions: readonly Revision[]): number {
  let bytes = 0;
  for (const { mutations, inverse } of revisions) bytes += Buffer.byteLength(mutations) + Buffer.byteLength(inverse);
  return bytes;
}

/**
 * Charges a document's stored bytes to its owner's quota after they have changed. `added` is the change in bytes; it is
 * used only in the error. Throws if a limit is exceeded. Without `limits`, no limit is checked.
 */
export async function updateCountedBytes(
  tx: Sql,
  use: DocumentUsage,
  added: number,
  limits?: DocumentLimits,
): Promise<void> {
  if (limits && use.stored_bytes > limits.documentBytes) {
    throw new DocumentTooLarge({ reason: 'document_full', bytes: use.stored_bytes, limit: limits.documentBytes });
  }
  const counted = Math.ceil(use.stored_bytes / block) * block;
  if (counted === use.counted_bytes) return;
  await tx.execute(sql`UPDATE document SET counted_bytes = ${counted} WHERE id = ${use.id}`);
  await incrementStorage(
    tx,
    use.owner_id,
    counted - use.counted_bytes,
    limits?.quotaBytes ?? Number.MAX_SAFE_INTEGER,
    (_, over) => new QuotaExceeded({ reason: 'storage_full', field: 'file_id', bytes: added, ...over }),
    limits === undefined,
  );
}

export async function addStoredBytes(tx: Sql, id: string, bytes: number, limits?: DocumentLimits): Promise<void> {
  if (bytes === 0) return;
  const use = await tx.get<DocumentUsage>(sql`UPDATE document SET stored_bytes = stored_bytes + ${bytes}
    WHERE id = ${id} RETURNING ${raw(usageColumns)}`);
  if (use) await updateCountedBytes(tx, use, bytes, limits);
}
