import { computeSuggestedChanges, type SuggestedChange } from '@sheaf/markdown/suggested-changes';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { fail } from '../../kernel/errors.ts';
import { flag, integer, list, oneOf, text } from '../../kernel/field-schemas.ts';
import { writeAndAnswer } from '../../kernel/idempotent-answer.ts';
import { newId } from '../../lib/ids.ts';
import { NoteRefused, type Note } from '../../ports/note-store.ts';
import { TooManySuggestions, type Suggestion } from '../../ports/suggestion-store.ts';
import { noteLimits, publishNoteEvent } from './note-writes.ts';
import { toFailure } from './store-errors.ts';

export const suggest = () =>
  flag('Whether to change nothing yet and only suggest the change; a person accepts or refuses it.').optional();

export const suggestionId = () =>
  text('Id of the suggestion, if the change was only suggested; then see list_suggestions.').optional();

export const suggestion = z.object({
  suggestion_id: text('Its id.'),
  user_id: text('Who suggested it.'),
  user_name: text('Name of that user.'),
  key_id: text('Key or session by which it was suggested.'),
  create_time: integer('Unix milliseconds.'),
  base_version: integer('Version of the note on which it is based.'),
  edits: list(
    'Its single changes.',
    z.object({
      number: integer('Number of the change in the suggestion, starting at 1.'),
      line: integer('Line of the change in the version on which it is based.'),
      position: integer('Its position in the text of that version, in UTF-16 code units from 0.'),
      old: text('The text that it removes.'),
      new: text('The text that it inserts.'),
      state: oneOf('Its state.', ['open', 'accepted', 'rejected']),
      stale: flag('Whether the text at the change was changed since, so that it cannot be accepted.'),
    }),
  ),
});

/**
 * Stores the difference between two texts of a note as a suggestion, which a person later accepts or rejects. `answer`
 * creates the call's answer from the suggestion's id.
 */
export async function addSuggestion<Answer extends Record<string, unknown>>(
  context: Context,
  note: Note,
  texts: { before: string; after: string },
  answer: (id: string) => Answer,
): Promise<Answer> {
  const edits = computeSuggestedChanges(texts.before, texts.after);
  if (edits.length === 0) throw fail('invalid_parameter', 'suggest: the suggestion would change nothing');
  const id = newId('suggestion');
  const { userId, keyId } = context.caller;
  const suggested = {
    id,
    noteId: note.id,
    userId,
    keyId,
    at: context.stamp.at,
    baseVersion: note.version,
    edits: JSON.stringify(edits),
  };
  const add = () => context.suggestions.add(context.stamp, note.userId, suggested, noteLimits(context));
  try {
    const answered = await writeAndAnswer(context, add, () => answer(id));
    publishNoteEvent(context, note.userId, note.id);
    return answered;
  } catch (error) {
    if (error instanceof NoteRefused) throw toFailure(error.why, 'no_permission');
    if (error instanceof TooManySuggestions)
      throw fail('invalid_parameter', 'suggest: the note has 100 open suggestions; decide about some first');
    throw error;
  }
}

export function editsOf({ edits }: Suggestion): SuggestedChange[] {
  return JSON.parse(edits) as SuggestedChange[];
}

export async function baseTextOf(context: Context, { noteId, baseVersion }: Suggestion): Promise<string> {
  const base = await context.notes.markdown(noteId, baseVersion);
  if (base === undefined) throw fail('conflict', `suggestion_id: the note no longer has version ${baseVersion}`);
  return base;
}
