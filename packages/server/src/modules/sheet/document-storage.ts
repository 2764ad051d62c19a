import type { HostServices } from './host/host-services.ts';
import { overLimit } from './errors.ts';
import { quotaErrorMessage } from '../../kernel/quota-message.ts';
import { QuotaExceeded } from '../../ports/blob-accounting.ts';
import { DocumentTooLarge } from '../../ports/sheet-store.ts';
import { systemStamp } from '../../ports/audit-stamp.ts';
import type { Services } from '../../context.ts';

/** Maximum bytes of one document, including its log and snapshots. */
export const maxDocumentBytes = 2 * 2 ** 30;
const trashMs = 30 * 24 * 60 * 60 * 1000;
const purgeBatchSize = 100;
/** Age in milliseconds after which garbage collection deletes a stored blob to which no database row refers. */
const unreferencedMs = 60 * 60 * 1000;

/**
 * Converts an error about an exceeded storage limit to a failure that names the limit for the caller. Returns other
 * errors unchanged.
 */
export function toQuotaFailure(error: unknown): unknown {
  if (error instanceof QuotaExceeded) return overLimit(quotaErrorMessage(error));
  if (error instanceof DocumentTooLarge)
    return overLimit(
      `the document would have ${error.why.bytes} bytes of contents and history, and the limit is ` +
        `${error.why.limit}; use copy_file to make a copy without the history`,
    );
  return error;
}

export async function withQuotaFailures<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    throw toQuotaFailure(error);
  }
}

interface BlobToStore {
  userId: string;
  key: string;
  bytes: Uint8Array;
  /** Input field that error messages refer to. */
  field: string;
}

/**
 * Charges the bytes to the user's quota, stores them, and runs `takeOver`, which must write the database row that
 * refers to them. Without that row, garbage collection deletes the bytes later.
 */
export async function storeCountedBlob(
  { blobs, blobAccounting, clock, config }: Pick<HostServices, 'blobs' | 'blobAccounting' | 'clock' | 'config'>,
  object: BlobToStore,
  takeOver: () => Promise<void>,
): Promise<void> {
  const { userId, key, bytes, field } = object;
  await withQuotaFailures(async () => {
    await blobAccounting.charge(userId, key, bytes.length, {
      field,
      quotaBytes: config.SHEAF_QUOTA_BYTES,
      expiresAt: clock.now() + unreferencedMs,
    });
    await blobs.put(key, bytes, bytes.length);
    await takeOver();
  });
}

/** Permanently deletes spreadsheets that have been in the trash for 30 days. Returns their number. */
export async function purgeDocuments({ sheets, clock }: Pick<Services, 'sheets' | 'clock'>): Promise<number> {
  const before = clock.now() - trashMs;
  let purged = 0;
  for (;;) {
    const some = await sheets.purge(systemStamp(clock.now(), 'job:purge_documents'), before, purgeBatchSize);
    purged += some;
    if (some < purgeBatchSize) return purged;
  }
}
