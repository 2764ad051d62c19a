import type { Context } from '../context.ts';
import { fail } from '../operation/errors.ts';
import { NoteRefused, type Limits, type Note, type NoteRefusal } from '../ports/note-store.ts';

const noteBytes = 2 ** 20;
const maxNotebooks = 1000;
export const trashMs = 30 * 24 * 60 * 60 * 1000;

export function limitsOf(context: Context): Limits {
  return { noteBytes, quotaBytes: context.config.SHEAF_QUOTA_BYTES, notebooks: maxNotebooks };
}

/** How a note that is not the caller's, or is none, is refused: reading and appending have a number of their own. */
export type ForeignNoteError = 'not_author' | 'no_permission';

const words: Record<Exclude<NoteRefusal, 'not_found'>, string> = {
  no_space: 'no_space',
  deleted: 'note_deleted',
  too_large: 'too_large',
  stale: 'conflict',
  name_exists: 'notebook_exists',
  notebook_limit: 'notebook_limit',
  no_notebook: 'no_notebook',
  cycle: 'invalid_parameter',
};

/** Runs a write; when it happened, the search index and whoever watches hear of it and of what changed. */
export async function writing<Result>(
  context: Context,
  { target, stranger }: { target: string; stranger: ForeignNoteError },
  write: () => Promise<Result>,
): Promise<Result> {
  let result: Result;
  try {
    result = await write();
  } catch (error) {
    if (!(error instanceof NoteRefused)) throw error;
    throw fail(error.reason === 'not_found' ? stranger : words[error.reason], error.message);
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
    .publish(`note:${userId}`, news)
    .catch((error: unknown) => context.log.warn({ error: String(error) }, 'news of a note'));
  return result;
}

/** The caller's note; a foreign one and one that never was give the same answer. */
export async function ownNote(context: Context, id: string, stranger: ForeignNoteError): Promise<Note> {
  const note = await context.notes.note(id);
  if (!note || note.userId !== context.caller.userId)
    throw fail(stranger, `note_id: there is no note ${JSON.stringify(id)} of yours`);
  if (note.deletedAt !== null)
    throw fail('note_deleted', `note_id: the note ${JSON.stringify(id)} was deleted; restore_note restores it`);
  return note;
}
