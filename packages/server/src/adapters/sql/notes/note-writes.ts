import { NoteRefused, type NoteLimits, type Notebook, type NotebookChoice } from '../../../ports/note-store.ts';
import type { Stamp } from '../../../ports/audit-stamp.ts';
import type { Param, Sql, WriteOptions } from '../database.ts';
import { BulkInsert } from '../bulk-insert.ts';
import { versionChecksum } from '../checksums.ts';
import { selectNote, type NoteRow } from './rows.ts';
import type { StoredText } from './stored-text.ts';
import { existingNotebook, findNotebookByName, insertNotebook } from './notebook-writes.ts';
import { incrementStorage } from '../storage-usage.ts';

export interface NoteWriteScope {
  target: string;
  userId: string;
  /** Ids of the notes to lock. If undefined, only the target is locked. */
  notes?: readonly string[];
  /** Whether to lock also the user's list of notebooks, because the write depends on it. */
  inNotebooks?: boolean;
}

/**
 * Returns the database options for a write to notes. It locks the given notes and, if `inNotebooks` is set, the user's
 * notebooks. With `batch`, PostgreSQL may run concurrent writes to notes in one transaction.
 */
export function noteWriteOptions({
  target,
  userId,
  notes = [target],
  inNotebooks = false,
}: NoteWriteScope): Required<Pick<WriteOptions, 'target' | 'lock' | 'batch'>> {
  const lock = notes.map((id) => `note:${id}`);
  return { target, lock: inNotebooks ? [...lock, `notebooks:${userId}`] : lock, batch: 'notes' };
}

export function checkNoteSize(size: number, limits: NoteLimits): void {
  if (size > limits.noteBytes) throw new NoteRefused({ reason: 'too_large', size, limit: limits.noteBytes });
}

export function chargeNoteStorage(tx: Sql, userId: string, bytes: number, limits: NoteLimits): Promise<void> {
  return incrementStorage(
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

export async function resolveNotebook(
  tx: Sql,
  userId: string,
  at: number,
  choice: NotebookChoice,
  limits: NoteLimits,
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
  /** Size in bytes of the whole note, even if `stored` is only the piece that was appended (`whole` is false). */
  size: number;
  whole: boolean;
  lead: number;
  stored: StoredText;
}

const newNotes = BulkInsert.into('note', {
  id: 'TEXT',
  user_id: 'TEXT',
  notebook_id: 'TEXT',
  title: 'TEXT',
  title_key: 'TEXT',
  is_titled: 'BIGINT',
  summary: 'TEXT',
  cover_image: 'TEXT',
  size: 'BIGINT',
  stored_bytes: 'BIGINT',
  version: 'BIGINT',
  whole_version: 'BIGINT',
  line_ends: 'BIGINT',
  created_at: 'BIGINT',
  modified_at: 'BIGINT',
});
const newVersions = BulkInsert.into('note_version', {
  note_id: 'TEXT',
  version: 'BIGINT',
  is_whole: 'BIGINT',
  title: 'TEXT',
  size: 'BIGINT',
  lead: 'BIGINT',
  is_packed: 'BIGINT',
  body: 'BYTEA',
  at: 'BIGINT',
  key_id: 'TEXT',
  operation: 'TEXT',
  user_id: 'TEXT',
  reason: 'TEXT',
  checksum: 'BIGINT',
});

/**
 * Inserts a note. A note in a notebook is inserted immediately instead of at the commit, because other writes of the
 * same transaction may read the notebook's notes.
 */
export async function addNote(tx: Sql, notebookId: string, row: readonly Param[]): Promise<void> {
  if (notebookId === '') return tx.add(newNotes, [row]);
  for (const statement of newNotes.statements([row])) await tx.execute(statement);
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
      stamp.userId,
      stamp.reason ?? '',
      versionChecksum(version.stored),
    ],
  ]);
}
