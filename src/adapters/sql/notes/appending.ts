import type { Limits, NotePreview, NoteStore } from '../../../ports/note-store.ts';
import type { Database } from '../database.ts';
import type { NoteRow } from './rows.ts';
import { pieceText, toStored, type PieceRow, type StoredText } from './text.ts';

/** After so many appends the whole text is written once more, so that reading it stays quick. */
const maxChainLength = 200;

/** The note, with its text where the text is needed: in one turn with the database. */
const noteWithText = `SELECT n.*, b.name AS notebook_name, v.lead, v.is_packed, v.body FROM note n
  LEFT JOIN notebook b ON b.id = n.notebook_id
  LEFT JOIN note_version v ON v.note_id = n.id AND v.version >= n.whole_version AND v.version <= n.version
    AND (n.version - n.whole_version >= ? OR n.size < ?)
  WHERE n.id = ? AND n.user_id = ? ORDER BY v.version`;

export type Append = Parameters<NoteStore['append']>[1];

/** What an append writes beside the text itself, made outside its transaction: reading and packing take time. */
export interface Draft {
  /** The version it was made on; 0 when there is no such note, which the transaction then says. */
  version: number;
  /** Where the beginning of the note changed. */
  face?: NotePreview;
  /** Where the chain of appended pieces ends. */
  whole?: StoredText;
}

/** Somebody else wrote between the draft and the transaction. */
export class NoteMoved extends Error {}

export async function draftAppend(db: Database, change: Append, stored: StoredText, limits: Limits): Promise<Draft> {
  const rows = await db.all<NoteRow & PieceRow>(
    noteWithText,
    maxChainLength - 1,
    change.headBytes,
    change.id,
    change.userId,
  );
  const [row] = rows;
  if (!row) return { version: 0 };
  const { version } = row;
  const isHead = row.size < change.headBytes;
  const isLong = version + 1 - row.whole_version >= maxChainLength;
  // What the transaction will refuse is not worth reading.
  if ((!isHead && !isLong) || row.deleted_at !== null || row.size + stored.size > limits.noteBytes) return { version };
  const text = rows.map(pieceText).join('') + '\n'.repeat(Math.max(0, 2 - row.line_ends)) + change.markdown;
  return {
    version,
    ...(isHead ? { face: await change.face(text) } : {}),
    ...(isLong ? { whole: await toStored(text) } : {}),
  };
}
