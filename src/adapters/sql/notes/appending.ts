import type { Limits, NotePreview, NoteStore } from '../../../ports/note-store.ts';
import type { Database } from '../database.ts';
import { selectNote, type NoteRow } from './rows.ts';
import { readText, toStored, type StoredText } from './text.ts';

/** After so many appends the whole text is written once more, so that reading it stays quick. */
const maxChainLength = 200;

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
  const row = await db.get<NoteRow>(`${selectNote} WHERE n.id = ? AND n.user_id = ?`, change.id, change.userId);
  if (!row) return { version: 0 };
  const { version } = row;
  const isHead = row.size < change.headBytes;
  const isLong = version + 1 - row.whole_version >= maxChainLength;
  // What the transaction will refuse is not worth reading.
  if ((!isHead && !isLong) || row.deleted_at !== null || row.size + stored.size > limits.noteBytes) return { version };
  const text = (await readText(db, change.id, version)) + '\n'.repeat(Math.max(0, 2 - row.line_ends)) + change.markdown;
  return {
    version,
    ...(isHead ? { face: await change.face(text) } : {}),
    ...(isLong ? { whole: await toStored(text) } : {}),
  };
}
