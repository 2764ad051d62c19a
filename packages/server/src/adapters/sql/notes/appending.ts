import type { Limits, NotePreview, NoteStore } from '../../../ports/note-store.ts';
import type { Database } from '../database.ts';
import type { NoteRow } from './rows.ts';
import { lineEnds, pieceText, toStored, type PieceRow, type StoredText } from './text.ts';

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
  /** The note as it is when this has been written. */
  next?: KnownNote;
}

/** Somebody else wrote between the draft and the transaction. */
export class NoteMoved extends Error {}

interface KnownNote {
  readonly userId: string;
  readonly version: number;
  readonly wholeVersion: number;
  readonly size: number;
  readonly lineEnds: number;
  /** While all of it counts for how the note looks in lists. */
  readonly text?: string;
}

/** Notes that were appended to last, with at most 16 KiB of text each. */
const maxKnown = 300;

/**
 * Makes drafts. Who appends to a note usually does so again: what the last append left is remembered, so that the next one need
 * not read it. It is a guess, for another node may have written since; the transaction compares the versions.
 */
export class AppendDrafts {
  readonly #db: Database;
  readonly #known = new Map<string, KnownNote>();

  constructor(db: Database) {
    this.#db = db;
    db.incarnation.onChange(() => this.#known.clear());
  }

  async make(change: Append, stored: StoredText, limits: Limits): Promise<Draft> {
    const known = this.#known.get(change.id);
    const isEnough = known && (known.text !== undefined || known.size >= change.headBytes) && !isEndOfChain(known);
    if (isEnough && known.userId === change.userId) return drafted(known, known.text, change, stored, limits);
    const rows = await this.#db.all<NoteRow & PieceRow>(
      noteWithText,
      maxChainLength - 1,
      change.headBytes,
      change.id,
      change.userId,
    );
    const [row] = rows;
    if (!row) return { version: 0 };
    if (row.deleted_at !== null) return { version: row.version };
    const { version, whole_version: wholeVersion, size, line_ends: ends } = row;
    const found = { userId: change.userId, version, wholeVersion, size, lineEnds: ends };
    const isRead = size < change.headBytes || isEndOfChain(found);
    return drafted(found, isRead ? rows.map(pieceText).join('') : undefined, change, stored, limits);
  }

  /** What a draft said the note would be is what it is now. */
  written(id: string, { next }: Draft): void {
    this.#known.delete(id);
    if (!next) return;
    this.#known.set(id, next);
    if (this.#known.size > maxKnown) this.#known.delete(this.#known.keys().next().value!);
  }

  /** The guess was wrong, or nobody knows. */
  forget(id: string): void {
    this.#known.delete(id);
  }
}

function isEndOfChain({ version, wholeVersion }: KnownNote): boolean {
  return version + 1 - wholeVersion >= maxChainLength;
}

/** `before` is the note's text where that is needed. */
async function drafted(
  note: KnownNote,
  before: string | undefined,
  change: Append,
  stored: StoredText,
  limits: Limits,
): Promise<Draft> {
  const { version } = note;
  // What the transaction will refuse is not worth the work.
  if (note.size + stored.size > limits.noteBytes) return { version };
  const lead = Math.max(0, 2 - note.lineEnds);
  const size = note.size + lead + stored.size;
  const text = before === undefined ? undefined : before + '\n'.repeat(lead) + change.markdown;
  const isLong = isEndOfChain(note);
  return {
    version,
    ...(text !== undefined && note.size < change.headBytes ? { face: await change.face(text) } : {}),
    ...(text !== undefined && isLong ? { whole: await toStored(text) } : {}),
    next: {
      userId: change.userId,
      version: version + 1,
      wholeVersion: isLong ? version + 1 : note.wholeVersion,
      size,
      lineEnds: lineEnds(change.markdown),
      ...(text !== undefined && size < change.headBytes ? { text } : {}),
    },
  };
}
