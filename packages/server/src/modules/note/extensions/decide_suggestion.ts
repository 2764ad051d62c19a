import { applyLocatedChanges, locateSuggestedChanges } from '@sheaf/markdown/suggested-changes';
import type { Context } from '../../../context.ts';
import { fail } from '../../../kernel/errors.ts';
import { flag, integer, list } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { writeAndAnswer } from '../../../kernel/idempotent-answer.ts';
import type { Suggestion } from '../../../ports/suggestion-store.ts';
import { requireNote } from '../note-access.ts';
import { editNote } from '../note-edits.ts';
import { publishNoteEvent } from '../note-writes.ts';
import { noteIdFields, noteIds, plainString, version } from '../schema.ts';
import { baseTextOf, editsOf } from '../suggestions.ts';

type Decision = 'accept' | 'reject' | 'undo';

export const decide_suggestion = operation({
  summary:
    'Accepts or refuses a suggestion, whole or single changes of it, or undoes that. Fails with 210008 if the text there ' +
    'was changed since.\nExample: {"note_id":"note_...","suggestion_id":"suggestion_...","accept":true,"numbers":[1]}',
  effect: 'write',
  input: {
    ...noteIdFields,
    suggestion_id: plainString('Id from list_suggestions, or that was decided about.', { min: 1 }),
    accept: flag('Whether to accept, or else to refuse. Send accept or undo.').optional(),
    undo: flag('True undoes a decision: the changes are open again, and accepted ones are taken back.').optional(),
    numbers: list('Numbers of single changes; all if omitted.', integer('Number of a change.', { min: 1 }), {
      min: 1,
      max: 1000,
    }).optional(),
  },
  output: { ...noteIds, version: version() },
  aliases: { doc_id: 'note_id' },
  async run({ note_id: id, suggestion_id: suggestionId, accept, undo, numbers }, context) {
    const decision = decisionOf(accept, undo);
    const note = await requireNote(context, id, 'write');
    const found = await context.suggestions.get(suggestionId);
    if (!found || found.noteId !== id)
      throw fail('invalid_parameter', `suggestion_id: the note has no suggestion ${JSON.stringify(suggestionId)}`);
    const chosen = chosenNumbers(found, decision, numbers);
    const decide = async (): Promise<void> => {
      if (!(await context.suggestions.decide(context.stamp, suggestionId, decidedState(found, chosen, decision))))
        throw fail('conflict', 'suggestion_id: somebody else is deciding about it; list the suggestions again');
    };
    const edits = editsOf(found);
    const hasAccepted = edits.some(({ number, state }) => chosen.has(number) && state === 'accepted');
    if (decision === 'accept' || hasAccepted) {
      // Write the note's text before storing the decision. If the server stops between the two writes, the change stays
      // undecided. In the other order, it would be stored as accepted, although the text lacks it.
      const answer = await writeChosen(context, found, chosen);
      await decide();
      publishNoteEvent(context, note.userId, id);
      return answer;
    }
    const answer = await writeAndAnswer(context, decide, () => ({ note_id: id, doc_id: id, version: note.version }));
    publishNoteEvent(context, note.userId, id);
    return answer;
  },
});

function decisionOf(accept: boolean | undefined, undo: boolean | undefined): Decision {
  if ((accept === undefined) === (undo !== true))
    throw fail('invalid_parameter', 'accept: send accept, or undo as true, and not both');
  if (undo === true) return 'undo';
  return accept === true ? 'accept' : 'reject';
}

/**
 * Selects the changes of a suggestion that the decision applies to, and returns their numbers. Without `numbers`,
 * selects all undecided changes, or for an undo all decided ones. Throws if `numbers` contains any other number, or if
 * there is nothing to select.
 */
function chosenNumbers(found: Suggestion, decision: Decision, numbers: readonly number[] | undefined): Set<number> {
  const isUndo = decision === 'undo';
  const possible = editsOf(found)
    .filter(({ state }) => (state === 'open') !== isUndo)
    .map(({ number }) => number);
  const chosen = new Set(numbers ?? possible);
  const missing = [...chosen].find((number) => !possible.includes(number));
  const state = isUndo ? 'was not decided' : 'was decided before';
  if (chosen.size === 0 || missing !== undefined)
    throw fail('conflict', `numbers: change ${missing ?? 1} of the suggestion ${state}, or does not exist`);
  return chosen;
}

function decidedState(found: Suggestion, chosen: ReadonlySet<number>, decision: Decision) {
  const state = ({ accept: 'accepted', reject: 'rejected', undo: 'open' } as const)[decision];
  const decided = editsOf(found).map((edit) => (chosen.has(edit.number) ? { ...edit, state } : edit));
  return {
    before: found.edits,
    after: JSON.stringify(decided),
    isOpen: decided.some((edit) => edit.state === 'open'),
  };
}

/** Applies the chosen changes to the note. For an undo, reverts the changes that were accepted. */
async function writeChosen(context: Context, found: Suggestion, chosen: ReadonlySet<number>) {
  const id = found.noteId;
  const base = await baseTextOf(context, found);
  const edits = editsOf(found);
  return editNote(
    context,
    id,
    {},
    async (current) => {
      const isWritten = (number: number): boolean =>
        chosen.has(number) && edits.some((edit) => edit.number === number && edit.state !== 'rejected');
      const placed = locateSuggestedChanges(base, current, edits).filter(({ number }) => isWritten(number));
      const applied = applyLocatedChanges(current, placed);
      if ('stale' in applied)
        throw fail('conflict', `numbers: the text at change ${applied.stale} was changed since it was suggested`);
      return { text: applied.text, changes: [] };
    },
    ({ note: written }) => ({ note_id: id, doc_id: id, version: written.version }),
  );
}
