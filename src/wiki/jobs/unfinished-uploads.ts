import type { Services } from '../../context.ts';

/** The credential's hour, and an hour more for what was under way at its end. */
const patienceMs = 2 * 60 * 60 * 1000;

/** Removes the parts of uploads that nobody can complete any more. */
export async function abortUnfinishedUploads({ blobs, clock }: Pick<Services, 'blobs' | 'clock'>): Promise<number> {
  let aborted = 0;
  for await (const { key, uploadId, startedAt } of blobs.listUploads()) {
    if (startedAt > clock.now() - patienceMs) continue;
    await blobs.abortUpload(key, uploadId);
    aborted++;
  }
  return aborted;
}
