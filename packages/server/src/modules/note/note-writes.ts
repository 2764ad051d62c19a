import type { Context } from '../../context.ts';
import { publishAccessChange } from '../../kernel/access-changes.ts';
import { writeAndAnswer } from '../../kernel/idempotent-answer.ts';
import { NoteRefused, type NoteLimits, type Note } from '../../ports/note-store.ts';
import { notesTopic } from './events.ts';
import { maxNoteBytes } from './schema.ts';
import { toFailure, type ForeignNoteError } from './store-errors.ts';

const maxNotebooks = 1000;
export const trashMs = 30 * 24 * 60 * 60 * 1000;

export function noteLimits(context: Context): NoteLimits {
  return { noteBytes: maxNoteBytes, quotaBytes: context.config.SHEAF_QUOTA_BYTES, notebooks: maxNotebooks };
}

/**
 * Runs the write of a call. Then wakes the search index and notifies the subscribers of the changed notes. `target` is
 * the id of the changed note, or a function that returns the ids of several. Returns the call's answer.
 */
export async function writeAndNotify<Result, Answer extends Record<string, unknown>>(
  context: Context,
  target: string | (() => readonly string[]),
  write: () => Promise<Result>,
  answer: (result: Result) => Answer,
  { stranger = 'no_permission', author = context.caller.userId }: { stranger?: ForeignNoteError; author?: string } = {},
): Promise<Answer> {
  // First save text that users have typed in open editors, so that it becomes a separate version before this write.
  if (typeof target === 'string') await context.noteRooms.flush(target);
  let data: Answer;
  // User whose subscribers are notified: the note's author, even if another user writes the shared note.
  let writtenFor = author;
  try {
    data = await writeAndAnswer(context, write, (result) => {
      writtenFor = authorIn(result) ?? author;
      return answer(result);
    });
  } catch (error) {
    if (!(error instanceof NoteRefused)) throw error;
    throw toFailure(error.why, stranger);
  }
  context.searchFeed.wake();
  for (const one of typeof target === 'string' ? [target] : target()) publishNoteEvent(context, writtenFor, one);
  return data;
}

/**
 * Like writeAndNotify, but for writes that may end other users' access to the caller's notes. Makes open subscriptions
 * to these notes check their access again.
 */
export async function writeAndRecheck<Result, Answer extends Record<string, unknown>>(
  ...[context, ...rest]: Parameters<typeof writeAndNotify<Result, Answer>>
): Promise<Answer> {
  const data = await writeAndNotify(context, ...rest);
  publishAccessChange(context, { topic: notesTopic(context.caller.userId) });
  return data;
}

/** Notifies the subscribers of the author's notes that a note or its related data changed. */
export function publishNoteEvent(context: Context, author: string, target: string): void {
  const { userId, keyId } = context.caller;
  const news = {
    user_id: userId,
    key_id: keyId,
    operation: context.stamp.operation,
    target,
  };
  context.events
    .publish(notesTopic(author), news)
    .catch((error: unknown) => context.log.warn({ err: error }, 'news of a note'));
}

function authorIn(result: unknown): string | undefined {
  if (Array.isArray(result)) return authorIn(result[0]);
  return typeof result === 'object' && result !== null && 'userId' in result ? String(result.userId) : undefined;
}

/** Returns the caller's own note. Notes of other users and nonexistent notes give the same error, `stranger`. */
export async function requireOwnNote(context: Context, id: string, stranger: ForeignNoteError): Promise<Note> {
  const note = await context.notes.note(id);
  if (!note || note.userId !== context.caller.userId) throw toFailure({ reason: 'not_found', id }, stranger);
  if (note.deletedAt !== null) throw toFailure({ reason: 'deleted', id }, stranger);
  return note;
}

/**
 * Returns a function that creates the answer of most writes to notes: the note's id under two names. The function also
 * puts the note's version into the reply.
 */
export function idsAndVersion({ reply }: Context): (note: Note) => { note_id: string; doc_id: string } {
  return ({ id, version }) => {
    reply.version = version;
    return { note_id: id, doc_id: id };
  };
}
