import type { Context } from '../context.ts';
import { answered } from '../operation/stored-answer.ts';
import { NoteRefused, type Limits, type Note } from '../ports/note-store.ts';
import { notesTopic } from './news.ts';
import { failureOf, type ForeignNoteError } from './refusals.ts';

const noteBytes = 2 ** 20;
const maxNotebooks = 1000;
export const trashMs = 30 * 24 * 60 * 60 * 1000;

export function limitsOf(context: Context): Limits {
  return { noteBytes, quotaBytes: context.config.SHEAF_QUOTA_BYTES, notebooks: maxNotebooks };
}

/** Runs a call's write, then notifies the search index and the subscribers. */
export async function writing<Result, Answer extends Record<string, unknown>>(
  context: Context,
  { target, stranger }: { target: string; stranger: ForeignNoteError },
  write: () => Promise<Result>,
  answer: (result: Result) => Answer,
): Promise<Answer> {
  let data: Answer;
  try {
    data = await answered(context, write, answer);
  } catch (error) {
    if (!(error instanceof NoteRefused)) throw error;
    throw failureOf(error.why, stranger);
  }
  context.searchFeed.poke();
  const { userId, keyId } = context.caller;
  const news = {
    user_id: userId,
    key_id: keyId,
    operation: context.stamp.operation,
    target,
  };
  context.events
    .publish(notesTopic(userId), news)
    .catch((error: unknown) => context.log.warn({ err: error }, 'news of a note'));
  return data;
}

/** The caller's note; other users' notes and nonexistent ones give the same error. */
export async function ownNote(context: Context, id: string, stranger: ForeignNoteError): Promise<Note> {
  const note = await context.notes.note(id);
  if (!note || note.userId !== context.caller.userId) throw failureOf({ reason: 'not_found', id }, stranger);
  if (note.deletedAt !== null) throw failureOf({ reason: 'deleted', id }, stranger);
  return note;
}
