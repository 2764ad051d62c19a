import { NoteRefused, type Limits, type Notebook, type NotebookChoice } from '../../../ports/note-store.ts';
import type { Stamp } from '../../../ports/stamp.ts';
import type { Param, Sql, WriteOptions } from '../database.ts';
import { ManyRows } from '../many-rows.ts';
import { selectNote, type NoteRow } from './rows.ts';
import type { StoredText } from './text.ts';
import { existingNotebook, findNotebookByName, insertNotebook } from './notebook-table.ts';
import { tallyStorage } from '../storage-use.ts';

/** Steps of the note store's transactions. */

export interface Written {
  target: string;
  userId: string;
  /** Ids of the notes to lock; default the target. */
  notes?: readonly string[];
  /** Whether the write also depends on the user's notebooks. */
  inNotebooks?: boolean;
}

/** Write options: locks only the write's own notes, and groups concurrent writes into one transaction. */
export function noteWrite({
  target,
  userId,
  notes = [target],
  inNotebooks = false,
}: Written): Required<Pick<WriteOptions, 'target' | 'lock' | 'together'>> {
  const lock = notes.map((id) => `note:${id}`);
  return { target, lock: inNotebooks ? [...lock, `notebooks:${userId}`] : lock, together: 'notes' };
}

export function refuseTooLarge(size: number, limits: Limits): void {
  if (size > limits.noteBytes) throw new NoteRefused({ reason: 'too_large', size, limit: limits.noteBytes });
}

export function takeSpace(tx: Sql, userId: string, bytes: number, limits: Limits): Promise<void> {
  return tallyStorage(
    tx,
    userId,
    bytes,
    limits.quotaBytes,
    (sum, over) => new NoteRefused({ reason: 'no_space', bytes: sum, ...over }),
  );
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
  /** Size of the whole note. */
  size: number;
  whole: boolean;
  lead: number;
  stored: StoredText;
}

const newNotes = new ManyRows(
  `INSERT INTO note (id, user_id, notebook_id, title, title_key, is_titled, summary, cover_image, size, stored_bytes, version,
     whole_version, line_ends, created_at, modified_at) VALUES`,
  15,
);
const newVersions = new ManyRows(
  'INSERT INTO note_version (note_id, version, is_whole, title, size, lead, is_packed, body, at, key_id, operation) VALUES',
  11,
);

/**
 * Inserts a note. A note in a notebook is inserted at once, because other writes of the same transaction may read the
 * notebook's notes.
 */
export async function addNote(tx: Sql, notebookId: string, row: readonly Param[]): Promise<void> {
  if (notebookId === '') return tx.add(newNotes, [row]);
  for (const [text, params] of newNotes.statements([row])) await tx.execute(text, ...params);
}

export async function addVersion(tx: Sql, stamp: Stamp, version: NewVersion): Promise<void> {
  await tx.add(newVersions, [
    [
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
    ],
  ]);
}
