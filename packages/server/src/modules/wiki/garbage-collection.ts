import type { Services } from '../../context.ts';
import { systemStamp } from '../../ports/audit-stamp.ts';
import { trashMs } from './wiki-writes.ts';

const atOnce = 500;
/**
 * Time in milliseconds for which the file of an expired upload is kept. A file uploaded just before the expiry can
 * still be added to a knowledge base within this time.
 */
const graceMs = 60 * 60 * 1000;

/**
 * Deletes content that was in the trash for 30 days, expired uploads, and stored files (blobs) to which nothing refers.
 * Returns how many of each were deleted.
 */
export async function collectWikiGarbage({
  wiki,
  blobs,
  clock,
}: Pick<Services, 'wiki' | 'blobs' | 'clock'>): Promise<{ purged: number; expired: number; deleted: number }> {
  const done = { purged: 0, expired: 0, deleted: 0 };
  const now = clock.now();
  for (let some = atOnce; some >= atOnce; done.purged += some)
    some = await wiki.tree.purge(systemStamp(now, 'job:purge_knowledge'), now - trashMs, atOnce);
  for (let some = atOnce; some >= atOnce; done.expired += some) some = await wiki.uploads.expire(now - graceMs, atOnce);
  for (;;) {
    const keys = await wiki.uploads.garbage(now, atOnce);
    for (const key of keys) {
      await blobs.delete(key);
      await wiki.uploads.forgetGarbage(key);
    }
    done.deleted += keys.length;
    if (keys.length === 0) return done;
  }
}
