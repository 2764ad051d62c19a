import { RefusalError } from './refusal-error.ts';
import type { Stamp } from './audit-stamp.ts';

/**
 * Position of a comment thread in its note: the quoted text and the text around it. If the quote is empty, the thread
 * is about the whole note.
 */
export interface CommentAnchor {
  quote: string;
  /** Text directly before and after the quote, used to tell equal quotes in the note apart. */
  before: string;
  after: string;
  /** Position of the quote in the note's text, in millionths of the text's length. */
  at: number;
  /** Heading above the quote when the comment thread began; '' if there was none. */
  heading: string;
}

export interface CommentEntry {
  id: string;
  userId: string;
  text: string;
  createdAt: number;
  editedAt: number | null;
}

export interface CommentThread {
  id: string;
  noteId: string;
  anchor: CommentAnchor;
  createdAt: number;
  resolvedAt: number | null;
  resolvedBy: string;
  /** Comments of the thread, oldest first. There is at least one. */
  entries: CommentEntry[];
}

export const maxThreads = 1000;
export const maxEntries = 1000;
/** Bytes charged to the quota for a comment, in addition to its text. */
export const entryBytes = 256;

export type CommentRefusal =
  | { reason: 'no_note' | 'no_thread' | 'no_entry'; id: string }
  | { reason: 'not_author'; id: string }
  | { reason: 'too_many_threads' | 'too_many_entries'; count: number; limit: number }
  | { reason: 'no_space'; bytes: number; used: number; quota: number };

/** Thrown when the store refuses a write; nothing was written. */
export class CommentRefused extends RefusalError<CommentRefusal> {}

/** The note that a comment belongs to. Comments are charged to the quota of the note's author. */
export interface CommentedNote {
  id: string;
  authorId: string;
}

export interface CommentLimits {
  quotaBytes: number;
}

/**
 * A new or changed comment. Mentioned users get a notice in their inbox. For a new comment, the note's author and
 * followers and the other users who commented in the thread get one too.
 */
export interface NewEntry {
  id: string;
  text: string;
  /** Users whom the text of the comment mentions. */
  mentioned: readonly string[];
}

/** Result of a write: the thread, and the users whose inboxes were changed. */
export interface CommentChange {
  threadId: string;
  receivers: string[];
}

/**
 * Stores comments on notes. A comment, its inbox notices and its audit row are written in one transaction. A user who
 * comments on a note follows it from then on, unless the user has stopped following it. Comments are deleted when their
 * note is deleted permanently, but not when their quoted text is deleted. Callers must check the user's role.
 */
export interface CommentStore {
  /**
   * Begins a comment thread with its first entry. Throws CommentRefused, for example if the note has too many threads.
   */
  begin(
    stamp: Stamp,
    note: CommentedNote,
    thread: { id: string; anchor: CommentAnchor },
    entry: NewEntry,
    limits: CommentLimits,
  ): Promise<CommentChange>;
  /**
   * Adds a comment to a thread if `entry` is given. Resolves or reopens the thread if `thread.resolved` is given.
   * Throws CommentRefused, for example if the thread does not exist or has too many comments.
   */
  reply(
    stamp: Stamp,
    note: CommentedNote,
    thread: { id: string; resolved?: boolean | undefined },
    entry: NewEntry | undefined,
    limits: CommentLimits,
  ): Promise<CommentChange>;
  /** Changes the text of a comment entry. Throws CommentRefused if the user in `stamp` did not write the entry. */
  edit(
    stamp: Stamp,
    note: CommentedNote,
    threadId: string,
    entry: NewEntry,
    limits: CommentLimits,
  ): Promise<CommentChange>;
  /**
   * Deletes a comment. If it was the only one in its thread, deletes the thread too. Throws CommentRefused if another
   * user than the one in `stamp` wrote the comment, unless `isOwner` (the user owns the note) is true.
   */
  remove(
    stamp: Stamp,
    note: CommentedNote,
    threadId: string,
    entryId: string,
    options: { isOwner: boolean },
  ): Promise<CommentChange>;
  /** Lists the threads of a note, oldest first. */
  threads(noteId: string): Promise<CommentThread[]>;
}
