import type { NoteLimits, NotePreview, NoteStore } from '../../../ports/note-store.ts';
import type { Database } from '../database.ts';
import type { NoteRow } from './rows.ts';
import { countTrailingNewlines, decodePiece, encodeText, type PieceRow, type StoredText } from './stored-text.ts';

/**
 * Number of appends after which the whole text of a note is stored again, so that a read need not join too many pieces.
 */
const maxChainLength = 200;

/**
 * Selects a note in one round trip, with the stored pieces of its text only if an append needs them. If the number of
 * appended pieces is at least the first `?`, they are needed to store the whole text again. If the note's size in bytes
 * is below the second `?`, they are needed to compute the preview.
 */
const noteWithText = `SELECT n.*, b.name AS notebook_name, v.lead, v.is_packed, v.body FROM note n
  LEFT JOIN notebook b ON b.id = n.notebook_id
  LEFT JOIN note_version v ON v.note_id = n.id AND v.version >= n.whole_version AND v.version <= n.version
    AND (n.version - n.whole_version >= ? OR n.size < ?)
  WHERE n.id = ? AND n.user_id = ? ORDER BY v.version`;

export type NoteAppend = Parameters<NoteStore['append']>[1];

/** Values of an append that are computed before its transaction, because parsing and compressing the text take time. */
export interface AppendDraft {
  /**
   * Version of the note for which the draft was made. It is 0 if the note does not exist; the transaction then refuses
   * the append.
   */
  version: number;
  /**
   * Returns the note's preview. Called in the transaction with the note's current title, because a rename changes the
   * title without a new version.
   */
  preview?: (title: string | undefined) => NotePreview;
  /** Whole text of the note. Set only if so many appends are stored that the whole text must be stored again. */
  whole?: StoredText;
  /**
   * State of the note after this append, to be cached for the next append. Undefined if the transaction will refuse the
   * append.
   */
  next?: CachedNote;
}

/**
 * Thrown by an append if another write changed the note after the draft was made. The append is then tried again with a
 * new draft.
 */
export class NoteChanged extends Error {}

interface CachedNote {
  readonly userId: string;
  readonly version: number;
  readonly wholeVersion: number;
  readonly size: number;
  readonly lineEnds: number;
  /**
   * Text of the note. Cached only for short notes, whose preview must be computed from the whole text at each append.
   */
  readonly text?: string;
}

/** Maximum number of cached notes, with at most 16 KiB of text each. */
const maxCachedNotes = 300;

/**
 * Prepares drafts of appends. Caches a note's state after the last append, so that the next append need not read the
 * note. The cache may be outdated, because other nodes write too; the transaction therefore compares the versions.
 */
export class AppendDrafts {
  readonly #db: Database;
  readonly #cache = new Map<string, CachedNote>();

  constructor(db: Database) {
    this.#db = db;
    db.incarnation.onChange(() => this.#cache.clear());
  }

  async make(change: NoteAppend, stored: StoredText, limits: NoteLimits): Promise<AppendDraft> {
    const known = this.#cache.get(change.id);
    const isEnough = known && (known.text !== undefined || known.size >= change.headBytes) && !isEndOfChain(known);
    if (isEnough && known.userId === change.userId) return makeDraft(known, known.text, change, stored, limits);
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
    return makeDraft(found, isRead ? rows.map(decodePiece).join('') : undefined, change, stored, limits);
  }

  /** Called after an append succeeded. Caches the note's state, which is in the draft, for the next append. */
  cache(id: string, { next }: AppendDraft): void {
    this.#cache.delete(id);
    if (!next) return;
    this.#cache.set(id, next);
    if (this.#cache.size > maxCachedNotes) this.#cache.delete(this.#cache.keys().next().value!);
  }

  /** Removes a note's cached state, which may be outdated. */
  invalidate(id: string): void {
    this.#cache.delete(id);
  }
}

function isEndOfChain({ version, wholeVersion }: CachedNote): boolean {
  return version + 1 - wholeVersion >= maxChainLength;
}

/**
 * Prepares an append to a note, before the transaction that stores it. `before` is the note's text, or undefined if
 * the preparation does not need it.
 */
async function makeDraft(
  note: CachedNote,
  before: string | undefined,
  change: NoteAppend,
  stored: StoredText,
  limits: NoteLimits,
): Promise<AppendDraft> {
  const { version } = note;
  // Skip the work if the note becomes too large, because the transaction refuses the append anyway.
  if (note.size + stored.size > limits.noteBytes) return { version };
  const lead = Math.max(0, 2 - note.lineEnds);
  const size = note.size + lead + stored.size;
  const text = before === undefined ? undefined : before + '\n'.repeat(lead) + change.markdown;
  const isLong = isEndOfChain(note);
  return {
    version,
    ...(text !== undefined && note.size < change.headBytes ? { preview: await change.preview(text) } : {}),
    ...(text !== undefined && isLong ? { whole: await encodeText(text) } : {}),
    next: {
      userId: change.userId,
      version: version + 1,
      wholeVersion: isLong ? version + 1 : note.wholeVersion,
      size,
      lineEnds: countTrailingNewlines(change.markdown),
      ...(text !== undefined && size < change.headBytes ? { text } : {}),
    },
  };
}
