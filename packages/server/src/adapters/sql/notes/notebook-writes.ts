import { NoteRefused, type Notebook } from '../../../ports/note-store.ts';
import type { Sql } from '../database.ts';
import { insertRow } from '../row.ts';
import { sql } from '../statement.ts';
import { queueForIndex } from '../queue-for-index.ts';
import { deletePublicLinksOf } from '../permissions/public-link-store.ts';
import { deleteGrantsOn, queueNotesIn } from '../permissions/shared-notes.ts';
import { notebookColumns, toNotebook, type NotebookRow } from './rows.ts';

/** Returns a user's notebook, or undefined if the user has none with this id. */
export async function findNotebook(tx: Pick<Sql, 'get'>, userId: string, id: string): Promise<Notebook | undefined> {
  const row = await tx.get<NotebookRow>(sql`SELECT * FROM notebook WHERE id = ${id} AND user_id = ${userId}`);
  return row && toNotebook(row);
}

export async function existingNotebook(tx: Sql, userId: string, id: string): Promise<Notebook> {
  const found = await findNotebook(tx, userId, id);
  if (!found) throw new NoteRefused({ reason: 'no_notebook', id });
  return found;
}

/** Returns a user's notebook with this name, or undefined if there is none. Prefers a top-level notebook. */
export async function findNotebookByName(
  tx: Pick<Sql, 'get'>,
  userId: string,
  name: string,
): Promise<Notebook | undefined> {
  const row = await tx.get<NotebookRow>(sql`SELECT * FROM notebook WHERE user_id = ${userId} AND name = ${name}
    ORDER BY CASE WHEN parent_id = '' THEN 0 ELSE 1 END, created_at, id LIMIT 1`);
  return row && toNotebook(row);
}

export async function insertNotebook(
  tx: Sql,
  at: number,
  notebook: { id: string; userId: string; name: string; parentId: string },
  most: number,
): Promise<Notebook> {
  const { id, userId, name, parentId } = notebook;
  if (parentId !== '' && !(await findNotebook(tx, userId, parentId)))
    throw new NoteRefused({ reason: 'no_parent_notebook', id: parentId });
  await checkUniqueName(tx, userId, parentId, name);
  const { n } = (await tx.get<{ n: number }>(sql`SELECT COUNT(*) AS n FROM notebook WHERE user_id = ${userId}`))!;
  if (n >= most) throw new NoteRefused({ reason: 'notebook_limit', count: n, limit: most });
  const added = { id, userId, name, parentId, noteCount: 0, createdAt: at, modifiedAt: at };
  await tx.execute(insertRow('notebook', notebookColumns, added));
  await updateTotals(tx, userId, at);
  return added;
}

async function checkUniqueName(tx: Sql, userId: string, parentId: string, name: string): Promise<void> {
  const same = await tx.get(sql`SELECT 1 AS found FROM notebook WHERE user_id = ${userId} AND parent_id = ${parentId}
    AND name = ${name}`);
  if (same) throw new NoteRefused({ reason: 'name_exists', name });
}

/** Increments or decrements a notebook's number of notes. The id '' stands for the notes without a notebook. */
export async function updateNoteCount(
  tx: Sql,
  userId: string,
  notebookId: string,
  by: 1 | -1,
  at: number,
): Promise<void> {
  if (notebookId === '') return updateTotals(tx, userId, at, { loose: by });
  await tx.increment({
    name: `notebook:${notebookId}`,
    by: [by],
    apply: (tx, [sum = 0]) =>
      tx.execute('UPDATE notebook SET note_count = note_count + ?, modified_at = ? WHERE id = ?', sum, at, notebookId),
  });
}

/**
 * Adds to two counters of the user: the number of all notes, and the number of notes without a notebook (`loose`). Also
 * increments the version number by which clients notice changes of the list of notebooks.
 */
export function updateTotals(
  tx: Sql,
  userId: string,
  at: number,
  by: { notes?: number; loose?: number } = {},
): Promise<void> {
  return tx.increment({
    name: `space:${userId}`,
    by: [1, by.notes ?? 0, by.loose ?? 0],
    apply: (tx, [touches = 1, notes = 0, loose = 0]) =>
      tx.execute(sql`INSERT INTO note_space (user_id, version, note_count, loose_count, modified_at)
        VALUES (${userId}, 1 + CAST(${touches} AS BIGINT), ${notes}, ${loose}, ${at}) ON CONFLICT (user_id)
        DO UPDATE SET version = note_space.version + excluded.version - 1,
        note_count = note_space.note_count + excluded.note_count,
        loose_count = note_space.loose_count + excluded.loose_count, modified_at = excluded.modified_at`),
  });
}

async function isInside(tx: Pick<Sql, 'get'>, userId: string, id: string, ancestor: string): Promise<boolean> {
  for (let at = id; at !== '';) {
    if (at === ancestor) return true;
    const row = await tx.get<{ parent_id: string }>(sql`SELECT parent_id FROM notebook WHERE id = ${at}
      AND user_id = ${userId}`);
    at = row?.parent_id ?? '';
  }
  return false;
}

/**
 * Deletes a notebook and its sub-notebooks. Their notes become notes without a notebook or go to the trash. Returns the
 * number of notes.
 */
export async function deleteNotebook(
  tx: Sql,
  userId: string,
  id: string,
  at: number,
  notes: 'keep' | 'trash',
): Promise<number> {
  const doomed = [id];
  for (let i = 0; i < doomed.length; i++) {
    const inside = await tx.all<{ id: string }>(sql`SELECT id FROM notebook WHERE user_id = ${userId}
      AND parent_id = ${doomed[i]!}`);
    doomed.push(...inside.map((row) => row.id));
  }
  await queueNotesIn(tx, [id]);
  let moved = 0;
  for (const notebookId of doomed) {
    if (notes === 'trash') {
      // Count the notes by the returned rows. The notebook's own counter may be outdated, because writes to a note do
      // not wait for writes to its notebook.
      const found = await tx.all<{ id: string }>(sql`UPDATE note SET deleted_at = ${at} WHERE user_id = ${userId}
        AND notebook_id = ${notebookId} AND deleted_at IS NULL RETURNING id`);
      for (const note of found) await queueForIndex(tx, 'note', note.id);
      moved += found.length;
    } else {
      moved += await tx.run(sql`UPDATE note SET notebook_id = '' WHERE user_id = ${userId}
        AND notebook_id = ${notebookId} AND deleted_at IS NULL`);
    }
    // The notebook may also hold notes that are already in the trash; take these out of the notebook, too.
    await tx.execute(sql`UPDATE note SET notebook_id = '' WHERE user_id = ${userId} AND notebook_id = ${notebookId}`);
    await deleteGrantsOn(tx, 'notebook', notebookId);
    await deletePublicLinksOf(tx, 'notebook', notebookId);
    await tx.execute(sql`DELETE FROM notebook WHERE id = ${notebookId}`);
  }
  await updateTotals(tx, userId, at, notes === 'trash' ? { notes: -moved } : { loose: moved });
  return moved;
}

export async function changeNotebook(
  tx: Sql,
  at: number,
  userId: string,
  id: string,
  change: { name?: string; parentId?: string },
): Promise<Notebook> {
  const found = await existingNotebook(tx, userId, id);
  const name = change.name ?? found.name;
  const parentId = change.parentId ?? found.parentId;
  if (name === found.name && parentId === found.parentId) return found;
  if (parentId !== '') {
    if (!(await findNotebook(tx, userId, parentId)))
      throw new NoteRefused({ reason: 'no_parent_notebook', id: parentId });
    if (await isInside(tx, userId, parentId, id)) throw new NoteRefused({ reason: 'cycle' });
  }
  await checkUniqueName(tx, userId, parentId, name);
  await tx.execute('UPDATE notebook SET name = ?, parent_id = ?, modified_at = ? WHERE id = ?', name, parentId, at, id);
  if (parentId !== found.parentId) await queueNotesIn(tx, [id]);
  await updateTotals(tx, userId, at);
  return { ...found, name, parentId, modifiedAt: at };
}
