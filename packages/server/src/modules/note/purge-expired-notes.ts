import type { Services } from '../../context.ts';
import { systemStamp } from '../../ports/audit-stamp.ts';
import { trashMs } from './note-writes.ts';

const atOnce = 500;

/** Permanently deletes notes that have been in the trash for 30 days. Returns their number. */
export async function purgeExpiredNotes({ notes, clock }: Pick<Services, 'notes' | 'clock'>): Promise<number> {
  const before = clock.now() - trashMs;
  let purged = 0;
  for (;;) {
    const some = await notes.purge(systemStamp(clock.now(), 'job:purge_notes'), before, atOnce);
    purged += some;
    if (some < atOnce) return purged;
  }
}
