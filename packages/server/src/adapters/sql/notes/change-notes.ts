import type { Stamp } from '../../../ports/audit-stamp.ts';
import {
  NoteRefused,
  type ChangedNote,
  type Note,
  type NoteLimits,
  type NotePreview,
  type NotesChange,
} from '../../../ports/note-store.ts';
import { BulkInsert } from '../bulk-insert.ts';
import type { Database, Sql } from '../database.ts';
import type { Row } from '../row.ts';
import { sql } from '../statement.ts';
import { queueForIndex } from '../queue-for-index.ts';
import { addVersion, chargeNoteStorage, checkNoteSize, liveNote, noteWriteOptions } from './note-writes.ts';
import { toNote, type NoteRow } from './rows.ts';
import { countTrailingNewlines, encodeText, type StoredText } from './stored-text.ts';

interface TextReplacement {
  id: string;
  markdown: string;
  stored: StoredText;
  baseVersion?: number;
  title?: string;
  preview: (title: string | undefined) => NotePreview;
}

/** Replaces the text of a note whose row was read in the same transaction. */
export async function replaceNoteText(tx: Sql, stamp: Stamp, row: NoteRow, change: TextReplacement): Promise<Note> {
  const { id, baseVersion, stored } = change;
  if (baseVersion !== undefined && baseVersion !== row.version)
    throw new NoteRefused({ reason: 'stale', version: row.version, baseVersion });
  const version = row.version + 1;
  const isTitled = change.title !== undefined || row.is_titled === 1;
  const preview = change.preview(change.title ?? (isTitled ? row.title : undefined));
  const modifiedAt = Math.max(stamp.at, row.modified_at);
  await tx.execute(sql`UPDATE note SET title = ${preview.title}, title_key = ${preview.titleKey},
    is_titled = ${isTitled ? 1 : 0}, summary = ${preview.summary}, cover_image = ${preview.coverImage},
    size = ${stored.size}, stored_bytes = stored_bytes + ${stored.size}, version = ${version},
    whole_version = ${version}, line_ends = ${countTrailingNewlines(change.markdown)},
    modified_at = ${modifiedAt} WHERE id = ${id}`);
  await addVersion(tx, stamp, { id, version, title: preview.title, size: stored.size, whole: true, lead: 0, stored });
  await queueForIndex(tx, 'note', id);
  return toNote({
    ...row,
    title: preview.title,
    title_key: preview.titleKey,
    is_titled: isTitled ? 1 : 0,
    summary: preview.summary,
    cover_image: preview.coverImage,
    size: stored.size,
    version,
    modified_at: modifiedAt,
  });
}

const changes = new BulkInsert(
  `INSERT INTO note_change (change_id, note_id, user_id, at, from_version, to_version, old_title, was_titled, new_title)
     VALUES`,
  9,
);

/** Replaces texts and titles of several notes in one transaction. */
export async function changeNotes(
  db: Database,
  stamp: Stamp,
  change: NotesChange,
  limits: NoteLimits,
): Promise<Note[]> {
  const texts: (NotesChange['texts'][number] & { stored: StoredText })[] = [];
  for (const text of change.texts) {
    const stored = await encodeText(text.markdown);
    checkNoteSize(stored.size, limits);
    texts.push({ ...text, stored });
  }
  const { userId, target } = change;
  const ids = [...new Set([...change.renames, ...texts].map(({ id }) => id))];
  return db.write(stamp, noteWriteOptions({ target, userId, notes: ids }), async (tx) => {
    await chargeNoteStorage(
      tx,
      userId,
      texts.reduce((sum, { stored }) => sum + stored.size, 0),
      limits,
    );
    const before = new Map<string, NoteRow>();
    for (const id of ids) before.set(id, await liveNote(tx, userId, id));
    const written = new Map<string, Note>();
    for (const rename of change.renames) {
      const row = before.get(rename.id)!;
      written.set(rename.id, await renameNoteRow(tx, stamp, row, rename));
      await relinkRows(tx, rename, texts);
    }
    for (const text of texts) {
      const row = before.get(text.id)!;
      const rename = change.renames.find(({ id }) => id === text.id);
      const now = rename
        ? { ...row, title: rename.title, title_key: rename.titleKey, is_titled: rename.isTitled ? 1 : 0 }
        : row;
      written.set(text.id, await replaceNoteText(tx, stamp, now, text));
    }
    const rows = ids.map((id) => recordedRow(change, stamp, before.get(id)!, written.get(id)!));
    for (const statement of changes.statements(rows)) await tx.execute(statement);
    return [...written.values()];
  });
}

function recordedRow({ changeId }: NotesChange, { userId, at }: Stamp, before: NoteRow, now: Note) {
  const { id, version, title, is_titled: wasTitled } = before;
  return [changeId, id, userId, at, version, now.version, title, wasTitled, now.title];
}

export async function renameNoteRow(
  tx: Sql,
  stamp: Stamp,
  row: NoteRow,
  { id, title, titleKey, isTitled }: NotesChange['renames'][number],
): Promise<Note> {
  const modifiedAt = Math.max(stamp.at, row.modified_at);
  await tx.execute(sql`UPDATE note SET title = ${title}, title_key = ${titleKey}, is_titled = ${isTitled ? 1 : 0},
    modified_at = ${modifiedAt} WHERE id = ${id}`);
  await queueForIndex(tx, 'note', id);
  return toNote({ ...row, title, title_key: titleKey, is_titled: isTitled ? 1 : 0, modified_at: modifiedAt });
}

/**
 * Writes the new title of a renamed note into the stored links (rows of `note_link`) of the given texts, which were
 * rewritten with this title. When the links are derived again from the texts, targets are kept by title, so the links
 * still lead to the renamed note.
 */
async function relinkRows(
  tx: Sql,
  { id, title, titleKey }: NotesChange['renames'][number],
  texts: NotesChange['texts'],
): Promise<void> {
  for (const text of texts)
    await tx.execute(sql`UPDATE note_link SET title = ${title}, title_key = ${titleKey} WHERE note_id = ${text.id}
      AND target_id = ${id} AND title_key <> ''`);
}

export async function listChangedNotes(
  db: Pick<Database, 'all'>,
  userId: string,
  changeId: string,
): Promise<ChangedNote[]> {
  const rows = await db.all<Row<ChangedNote>>(sql`SELECT note_id, from_version, to_version, old_title, was_titled,
    new_title FROM note_change WHERE change_id = ${changeId} AND user_id = ${userId} ORDER BY note_id`);
  return rows.map((row) => ({
    noteId: row.note_id,
    fromVersion: row.from_version,
    toVersion: row.to_version,
    oldTitle: row.old_title,
    wasTitled: row.was_titled === 1,
    newTitle: row.new_title,
  }));
}
