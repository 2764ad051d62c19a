import type { Database, Sql } from '../database.ts';
import { queryInChunks, sql } from '../statement.ts';
import { queueForIndex } from '../search-outbox.ts';
import type { ResourceKind } from '../../../ports/permission-store.ts';

/** Returns those of the notes that have a grant of their own or are in a notebook with one. */
export async function sharedNotesOf(db: Pick<Database, 'all'>, noteIds: readonly string[]): Promise<Set<string>> {
  const rows = await queryInChunks<{ id: string }>(noteIds, (list) =>
    db.all(sql`WITH RECURSIVE around(note_id, id) AS (
        SELECT n.id, n.notebook_id FROM note n WHERE n.id IN (${list}) AND n.notebook_id <> ''
        UNION SELECT a.note_id, b.parent_id FROM around a JOIN notebook b ON b.id = a.id WHERE b.parent_id <> '')
      SELECT a.note_id AS id FROM around a JOIN share_grant s ON s.kind = 'notebook' AND s.subject_id = a.id
      UNION SELECT s.subject_id AS id FROM share_grant s WHERE s.kind = 'note' AND s.subject_id IN (${list})`),
  );
  return new Set(rows.map((row) => row.id));
}

/** Queues a note for the search index of shared notes, which drops it if it is no longer shared. */
export function queueSharedNote(tx: Sql, noteId: string): Promise<void> {
  return queueForIndex(tx, 'shared_note', noteId);
}

/** Queues the notes of notebooks and of the notebooks inside them for the search index of shared notes. */
export async function queueNotesIn(tx: Sql, notebookIds: readonly string[]): Promise<void> {
  await queryInChunks(notebookIds, (list) =>
    tx.execute(sql`INSERT INTO search_outbox (space, id, user_id)
      WITH RECURSIVE inside(id, user_id) AS (
        SELECT b.id, b.user_id FROM notebook b WHERE b.id IN (${list})
        UNION SELECT b.id, b.user_id FROM inside i JOIN notebook b ON b.user_id = i.user_id AND b.parent_id = i.id)
      SELECT 'shared_note', n.id, CAST(${tx.userId} AS TEXT) FROM inside i JOIN note n ON n.user_id = i.user_id
        AND n.notebook_id = i.id AND n.deleted_at IS NULL`),
  );
}

/** Deletes the grants on an object that is deleted for good. */
export function deleteGrantsOn(tx: Sql, kind: ResourceKind, id: string): Promise<void> {
  return tx.execute(sql`DELETE FROM share_grant WHERE kind = ${kind} AND subject_id = ${id}`);
}

/** Deletes the grants to a user or group, and queues the notes that may no longer be shared. */
export async function deleteGrantsTo(tx: Sql, grantee: string): Promise<void> {
  const gone = await tx.all<{ kind: string; subject_id: string }>(sql`DELETE FROM share_grant
    WHERE grantee = ${grantee} RETURNING kind, subject_id`);
  for (const { kind, subject_id: id } of gone) if (kind === 'note') await queueSharedNote(tx, id);
  const notebooks = gone.filter(({ kind }) => kind === 'notebook').map((row) => row.subject_id);
  if (notebooks.length > 0) await queueNotesIn(tx, notebooks);
}
