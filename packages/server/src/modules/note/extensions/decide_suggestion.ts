import { fail } from '../../../kernel/errors.ts';
import { flag, integer, list } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { writeAndAnswer } from '../../../kernel/idempotent-answer.ts';
import { requireNote } from '../note-access.ts';
import { editNote } from '../note-edits.ts';
import { noteIdFields, noteIds, plainString, version } from '../schema.ts';
import { baseTextOf, editsOf } from '../suggestions.ts';
import { applySuggested } from '../text/suggested-edits.ts';

export const decide_suggestion = operation({
  summary:
    'Accepts or refuses a suggestion, whole or single changes of it. Accepting fails with 210008 if the text there was ' +
    'changed since.\nExample: {"note_id":"note_...","suggestion_id":"suggestion_...","accept":true,"numbers":[1]}',
  effect: 'write',
  input: {
    ...noteIdFields,
    suggestion_id: plainString('Id from list_suggestions.', { min: 1 }),
    accept: flag('Whether to accept, or else to refuse.'),
    numbers: list('Numbers of single changes; all open ones if omitted.', integer('Number of a change.', { min: 1 }), {
      min: 1,
      max: 1000,
    }).optional(),
  },
  output: { ...noteIds, version: version() },
  aliases: { doc_id: 'note_id' },
  async run({ note_id: id, suggestion_id: suggestionId, accept, numbers }, context) {
    const note = await requireNote(context, id, 'write');
    const found = await context.suggestions.get(suggestionId);
    if (!found || found.noteId !== id)
      throw fail('invalid_parameter', `suggestion_id: the note has no suggestion ${JSON.stringify(suggestionId)}`);
    const edits = editsOf(found);
    const isChosen = (number: number): boolean => numbers?.includes(number) ?? true;
    const chosen = edits.filter(({ number, state }) => state === 'open' && isChosen(number));
    const missing = numbers?.find((number) => !chosen.some((edit) => edit.number === number));
    if (chosen.length === 0 || missing !== undefined)
      throw fail('conflict', `numbers: change ${missing ?? 1} of the suggestion was decided before, or does not exist`);
    const decided = edits.map((edit) =>
      chosen.includes(edit) ? { ...edit, state: accept ? ('accepted' as const) : ('rejected' as const) } : edit,
    );
    const change = {
      before: found.edits,
      after: JSON.stringify(decided),
      isOpen: decided.some(({ state }) => state === 'open'),
    };
    const decide = async (): Promise<void> => {
      if (!(await context.suggestions.decide(context.stamp, suggestionId, change)))
        throw fail('conflict', 'suggestion_id: somebody else is deciding about it; list the suggestions again');
    };
    if (!accept) return writeAndAnswer(context, decide, () => ({ note_id: id, doc_id: id, version: note.version }));
    const base = await baseTextOf(context, found);
    // The text is written first: if the server ends in between, the change is found to be made already, and is not made
    // twice.
    const answer = await editNote(
      context,
      id,
      {},
      async (current) => {
        const applied = applySuggested(base, current, chosen);
        if ('stale' in applied)
          throw fail('conflict', `numbers: the text at change ${applied.stale} was changed since it was suggested`);
        return { text: applied.text, changes: [] };
      },
      ({ note: written }) => ({ note_id: id, doc_id: id, version: written.version }),
    );
    await decide();
    return answer;
  },
});
