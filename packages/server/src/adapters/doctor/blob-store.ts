import { buffer } from 'node:stream/consumers';
import { randomText } from '../../lib/ids.ts';
import type { BlobStore } from '../../ports/blob-store.ts';
import { failure, ok, errorReason, type Finding } from './finding.ts';

/** Writes, reads and deletes a test object. A store that responds may still refuse one of these operations. */
export async function checkBlobStore(blobs: BlobStore, where: string): Promise<Finding> {
  const key = `doctor/${randomText(20)}`;
  const content = Buffer.from(`sheaf doctor ${key}`);
  let step = 'reach';
  try {
    await blobs.ping();
    step = 'write to';
    await blobs.put(key, content, content.length);
    step = 'read from';
    const stream = await blobs.get(key);
    if (!stream || !(await buffer(stream)).equals(content)) throw new Error('what was written does not come back');
    step = 'delete from';
    await blobs.delete(key);
    return ok('store', `${where}: objects can be written, read and deleted`);
  } catch (error) {
    if (step !== 'reach') await blobs.delete(key).catch(() => undefined);
    return failure(
      'store',
      `cannot ${step} ${where}: ${errorReason(error)}`,
      where.startsWith('http')
        ? 'Look at SHEAF_S3_ENDPOINT, the bucket, the keys, and whether they may read, write, list and delete there.'
        : 'Look at the disk and at who owns that folder.',
    );
  }
}
