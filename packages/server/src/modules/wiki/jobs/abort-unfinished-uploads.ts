import type { Services } from '../../../context.ts';
import { uploadPartsPrefix } from '../../../ports/blob-accounting.ts';

/**
 * Age in milliseconds at which an unfinished upload is aborted. The credential for the upload is valid for one hour,
 * and transfers in progress get one more hour.
 */
const patienceMs = 2 * 60 * 60 * 1000;

/** Aborts unfinished multipart uploads that are older than `patienceMs`. Returns their number. */
export async function abortUnfinishedUploads({
  blobs,
  clock,
  blobAccounting,
}: Pick<Services, 'blobs' | 'clock' | 'blobAccounting'>): Promise<number> {
  let aborted = 0;
  for await (const { key, uploadId, startedAt } of blobs.listUploads()) {
    if (startedAt > clock.now() - patienceMs) continue;
    await blobs.abortUpload(key, uploadId);
    await blobAccounting.releasePrefix(uploadPartsPrefix(key, uploadId));
    aborted++;
  }
  return aborted;
}
