import { fail } from '../operation/errors.ts';
import { noRoomFor } from '../operation/no-room.ts';
import { StorageFull } from '../ports/kept-objects.ts';
import { DocumentFull } from '../ports/sheet-store.ts';
import { systemStamp } from '../ports/stamp.ts';
import type { Services } from '../context.ts';

/** Maximum size of one document, including log and snapshots. */
export const maxDocumentBytes = 2 * 2 ** 30;
const trashMs = 30 * 24 * 60 * 60 * 1000;
const atOnce = 100;
/** An object that no row refers to after this time is garbage. */
const keptMs = 60 * 60 * 1000;

/** Converts storage limit errors to failures that name the limit. */
export function refusalOf(error: unknown): unknown {
  if (error instanceof StorageFull) return fail('limit_exceeded', noRoomFor(error));
  if (error instanceof DocumentFull)
    return fail(
      'limit_exceeded',
      `the document would have ${error.why.bytes} bytes of contents and history, and the limit is ` +
        `${error.why.limit}; use copy_file to make a copy without the history`,
    );
  return error;
}

export async function fitting<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    throw refusalOf(error);
  }
}

interface KeptObject {
  userId: string;
  key: string;
  bytes: Uint8Array;
  /** The field that a failure names. */
  field: string;
}

type KeepServices = Pick<Services, 'blobs' | 'kept' | 'clock'> & {
  config: Pick<Services['config'], 'SHEAF_QUOTA_BYTES'>;
};

/**
 * Counts the bytes against the user's quota, stores them, and runs `takeOver`, which writes the row that refers to
 * them. Without that row they are garbage.
 */
export async function keepObject(
  { blobs, kept, clock, config }: KeepServices,
  object: KeptObject,
  takeOver: () => Promise<void>,
): Promise<void> {
  const { userId, key, bytes, field } = object;
  await fitting(async () => {
    await kept.keep(userId, key, bytes.length, {
      field,
      quotaBytes: config.SHEAF_QUOTA_BYTES,
      until: clock.now() + keptMs,
    });
    await blobs.put(key, bytes, bytes.length);
    await takeOver();
  });
}

/** Deletes spreadsheets that have been in the trash for 30 days. */
export async function purgeDocuments({ sheets, clock }: Pick<Services, 'sheets' | 'clock'>): Promise<number> {
  const before = clock.now() - trashMs;
  let purged = 0;
  for (;;) {
    const some = await sheets.purge(systemStamp(clock.now(), 'job:purge_documents'), before, atOnce);
    purged += some;
    if (some < atOnce) return purged;
  }
}
