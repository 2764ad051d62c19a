import type { Stamp } from '../../../ports/audit-stamp.ts';
import type { Database } from '../database.ts';
import { sql } from '../statement.ts';
import { deleteCommentsOf } from '../inbox/comment-store.ts';
import { deletePublicLinksOf } from '../permissions/public-link-store.ts';
import { deleteGrantsOn } from '../permissions/shared-notes.ts';
import { incrementStorage } from '../storage-usage.ts';
import type { NoteRow } from './rows.ts';
import { deleteNoteGraph } from './note-graph-store.ts';
import { deleteRoom } from './note-room-store.ts';
import { deleteSuggestions } from './suggestion-store.ts';
import { noteWriteOptions } from './note-writes.ts';

/**
 * Permanently deletes up to `limit` notes that were moved to the trash before a given time. Returns the number of
 * deleted notes.
 */
export async function purgeNotes(db: Database, stamp: Stamp, before: number, limit: number): Promise<number> {
  const due = await db.all<{ id: string; user_id: string }>(sql`SELECT id, user_id FROM note
    WHERE deleted_at IS NOT NULL AND deleted_at < ${before} LIMIT ${limit}`);
  let purged = 0;
  for (const { id, user_id: userId } of due) {
    purged += await db.write({ ...stamp, userId }, noteWriteOptions({ target: id, userId }), async (tx) => {
      const row = await tx.get<NoteRow>(sql`SELECT * FROM note WHERE id = ${id} AND deleted_at IS NOT NULL
        AND deleted_at < ${before}`);
      if (!row) return 0;
      await deleteNoteGraph(tx, id);
      await deleteRoom(tx, id);
      await deleteSuggestions(tx, id);
      await tx.execute(sql`DELETE FROM note_version WHERE note_id = ${id}`);
      await deleteGrantsOn(tx, 'note', id);
      await deletePublicLinksOf(tx, 'note', id);
      await tx.execute(sql`DELETE FROM note WHERE id = ${id}`);
      const freed = row.stored_bytes + (await deleteCommentsOf(tx, id));
      await incrementStorage(tx, userId, -freed, 0, () => new Error('bytes that are given back always fit'));
      return 1;
    });
  }
  await db.write(null, { lock: 'note changes' }, (tx) => tx.execute(sql`DELETE FROM note_change WHERE at < ${before}`));
  return purged;
}
