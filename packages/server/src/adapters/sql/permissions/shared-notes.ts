import type { Database, Sql } from '../database.ts';
import { queryInChunks, sql } from '../statement.ts';
import { deleteInboxOf } from '../inbox/notices.ts';
import { queueForIndex } from '../queue-for-index.ts';
import { notebooksByOwner, notebooksInside, sharedNotebooks } from './granted-notebooks.ts';
import type { ResourceKind } from '../../../ports/permission-store.ts';

/**
 * Returns the ids of those given notes that are shared with somebody, by a grant on the note itself or on a notebook
 * around it.
 */
export async function sharedNotesOf(db: Pick<Database, 'all'>, noteIds: readonly string[]): Promise<Set<string>> {
  const direct = await queryInChunks<{ id: string }>(noteIds, (list) =>
    db.all(sql`SELECT DISTINCT subject_id AS id FROM share_grant WHERE kind = 'note' AND subject_id IN (${list})`),
  );
  const shared = new Set(direct.map((row) => row.id));
  const notebooks = await sharedNotebooks(db);
  if (notebooks.size === 0) return shared;
  const notes = await queryInChunks<{ id: string; notebook_id: string }>(noteIds, (list) =>
    db.all(sql`SELECT id, notebook_id FROM note WHERE id IN (${list})`),
  );
  for (const { id, notebook_id: notebookId } of notes) if (notebooks.has(notebookId)) shared.add(id);
  return shared;
}

/**
 * Queues a note for the search index of shared notes. The note is removed from that index if it is no longer shared.
 */
export function queueSharedNote(tx: Sql, noteId: string): Promise<void> {
  return queueForIndex(tx, 'shared_note', noteId);
}

/** Queues the notes of notebooks, and of all notebooks inside them, for the search index of shared notes. */
export async function queueNotesIn(tx: Sql, notebookIds: readonly string[]): Promise<void> {
  for (const [owner, ids] of notebooksByOwner(await notebooksInside(tx, notebookIds)))
    await queryInChunks(ids, (list) =>
      tx.execute(sql`INSERT INTO search_outbox (space, id, user_id) SELECT 'shared_note', id, CAST(${tx.userId} AS TEXT)
        FROM note WHERE user_id = ${owner} AND notebook_id IN (${list}) AND deleted_at IS NULL`),
    );
}

/** Deletes the grants on an object that is deleted permanently, and all data that inboxes store about it. */
export async function deleteGrantsOn(tx: Sql, kind: ResourceKind, id: string): Promise<void> {
  await deleteInboxOf(tx, kind, id);
  await tx.execute(sql`DELETE FROM share_grant WHERE kind = ${kind} AND subject_id = ${id}`);
}

/** Deletes the grant on an object to a user or group. Returns whether there was one. */
export async function deleteGrant(tx: Sql, kind: ResourceKind, id: string, grantee: string): Promise<boolean> {
  const count = await tx.run(sql`DELETE FROM share_grant WHERE kind = ${kind} AND subject_id = ${id}
    AND grantee = ${grantee}`);
  return count > 0;
}

/**
 * Deletes the grants to a user or group. Queues the affected notes for the search index, because they may no longer be
 * shared.
 */
export async function deleteGrantsTo(tx: Sql, grantee: string): Promise<void> {
  const gone = await tx.all<{ kind: string; subject_id: string }>(sql`DELETE FROM share_grant
    WHERE grantee = ${grantee} RETURNING kind, subject_id`);
  for (const { kind, subject_id: id } of gone) if (kind === 'note') await queueSharedNote(tx, id);
  const notebooks = gone.filter(({ kind }) => kind === 'notebook').map((row) => row.subject_id);
  if (notebooks.length > 0) await queueNotesIn(tx, notebooks);
}
