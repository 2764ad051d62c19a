import { StorageFull } from '../../../ports/kept-objects.ts';
import { DocumentFull, type Revision } from '../../../ports/sheet-store.ts';
import type { Sql } from '../database.ts';
import { tallyStorage } from '../storage-use.ts';

/**
 * A document counts against its owner's quota in whole blocks, rounded up, so that only some edits update the owner's
 * counter, which all of the owner's documents share.
 */
const block = 16 * 1024;

export interface DocumentLimits {
  /** Quota for all stored data, for owners who have none of their own. */
  quotaBytes: number;
  /** Maximum size of a document's log and snapshots. */
  documentBytes: number;
}

export interface DocumentUse {
  id: string;
  owner_id: string;
  stored_bytes: number;
  counted_bytes: number;
}

export const useColumns = 'id, owner_id, stored_bytes, counted_bytes';

export function bytesOf(revisions: readonly Revision[]): number {
  let bytes = 0;
  for (const { mutations, inverse } of revisions) bytes += Buffer.byteLength(mutations) + Buffer.byteLength(inverse);
  return bytes;
}

/** Updates the counted bytes after a change of the stored bytes. Without limits, it never refuses. */
export async function countDocument(tx: Sql, use: DocumentUse, added: number, limits?: DocumentLimits): Promise<void> {
  if (limits && use.stored_bytes > limits.documentBytes) {
    throw new DocumentFull({ reason: 'document_full', bytes: use.stored_bytes, limit: limits.documentBytes });
  }
  const counted = Math.ceil(use.stored_bytes / block) * block;
  if (counted === use.counted_bytes) return;
  await tx.execute('UPDATE document SET counted_bytes = ? WHERE id = ?', counted, use.id);
  await tallyStorage(
    tx,
    use.owner_id,
    counted - use.counted_bytes,
    limits?.quotaBytes ?? Number.MAX_SAFE_INTEGER,
    (_, over) => new StorageFull({ reason: 'storage_full', field: 'file_id', bytes: added, ...over }),
    limits === undefined,
  );
}

export async function storeMore(tx: Sql, id: string, bytes: number, limits?: DocumentLimits): Promise<void> {
  if (bytes === 0) return;
  const use = await tx.get<DocumentUse>(
    `UPDATE document SET stored_bytes = stored_bytes + ? WHERE id = ? RETURNING ${useColumns}`,
    bytes,
    id,
  );
  if (use) await countDocument(tx, use, bytes, limits);
}
