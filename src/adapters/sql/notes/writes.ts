import { NoteRefused, type Limits, type Notebook, type NotebookChoice } from '../../../ports/note-store.ts';
import type { Stamp } from '../../../ports/stamp.ts';
import type { Sql } from '../database.ts';
import { selectNote, type NoteRow } from './rows.ts';
import type { StoredText } from './text.ts';
import { existingNotebook, findNotebookByName, insertNotebook } from './notebook-table.ts';
import { addStorage } from '../storage-use.ts';

/** Steps of the note store's transactions. */

export function refuseTooLarge(size: number, limits: Limits): void {
  if (size > limits.noteBytes) throw new NoteRefused({ reason: 'too_large', size, limit: limits.noteBytes });
}

export async function takeSpace(tx: Sql, userId: string, bytes: number, limits: Limits): Promise<void> {
  const over = await addStorage(tx, userId, bytes, limits.quotaBytes);
  if (over) throw new NoteRefused({ reason: 'no_space', bytes, ...over });
}

export async function ownNote(tx: Sql, userId: string, id: string): Promise<NoteRow> {
  const row = await tx.get<NoteRow>(`${selectNote} WHERE n.id = ? AND n.user_id = ?`, id, userId);
  if (!row) throw new NoteRefused({ reason: 'not_found', id });
  return row;
}

export async function liveNote(tx: Sql, userId: string, id: string): Promise<NoteRow> {
  const row = await ownNote(tx, userId, id);
  if (row.deleted_at !== null) throw new NoteRefused({ reason: 'deleted', id });
  return row;
}

export async function place(
  tx: Sql,
  userId: string,
  at: number,
  choice: NotebookChoice,
  limits: Limits,
): Promise<Pick<Notebook, 'id' | 'name'>> {
  if ('id' in choice) return existingNotebook(tx, userId, choice.id);
  const found = await findNotebookByName(tx, userId, choice.name);
  if (found) return found;
  return insertNotebook(tx, at, { id: choice.newId, userId, name: choice.name, parentId: '' }, limits.notebooks);
}

export interface NewVersion {
  id: string;
  version: number;
  title: string;
  /** Of the whole note. */
  size: number;
  whole: boolean;
  lead: number;
  stored: StoredText;
}

export async function addVersion(tx: Sql, stamp: Stamp, version: NewVersion): Promise<void> {
  await tx.execute(
    `INSERT INTO note_version (note_id, version, is_whole, title, size, lead, is_packed, body, at, key_id, operation) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    version.id,
    version.version,
    version.whole ? 1 : 0,
    version.title,
    version.size,
    version.lead,
    version.stored.packed,
    version.stored.body,
    stamp.at,
    stamp.keyId,
    stamp.operation,
  );
}
