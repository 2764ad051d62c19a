import { z } from 'zod';
import { flag, integer, list } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { baseVersion, changedLines, dryRun, editNote } from '../note-edits.ts';
import { addSuggestion, suggest, suggestionId } from '../suggestions.ts';
import { isWellFormed, maxNoteBytes, noteIdFields, noteIds, notWellFormed, version } from '../schema.ts';

const maxEdits = 50;

const words = (description: string, min: number) =>
  z.string().min(min).max(maxNoteBytes).refine(isWellFormed, notWellFormed).meta({ description });
const heading = (description: string) => words(description, 1).max(300).optional();

const edit = z.object({
  old: words('Text to replace, exactly as in the Markdown; refused unless it occurs once.', 1).optional(),
  new: words('The new text; may be empty.', 0),
  count: integer('How often old occurs, if more than once: all are replaced.', { min: 1, max: 10_000 }).optional(),
  under: heading('Heading. With old: only in its section. Without: adds new at the end of its text.'),
  after: heading('Heading after which new is inserted.'),
  at_end: flag('True adds new at the end of the note.').optional(),
  replace_section: heading('Heading whose text, with lower headings, new replaces.'),
});

export const edit_note = operation({
  summary:
    "Changes parts of a note's Markdown, all edits or none, without sending the rest. A heading is its text or " +
    '"Parent > Heading".\nExample: {"note_id":"note_...","edits":[{"old":"10 May","new":"12 May"},{"under":"Tasks","new":"- [ ] call"}]}',
  effect: 'write',
  input: {
    ...noteIdFields,
    edits: list('Edits, applied one after another.', edit, { min: 1, max: maxEdits }),
    base_version: baseVersion(),
    dry_run: dryRun(),
    suggest: suggest(),
  },
  output: { ...noteIds, version: version(), changes: changedLines(), suggestion_id: suggestionId() },
  aliases: { doc_id: 'note_id' },
  async run({ note_id: id, edits, base_version, dry_run, suggest: isSuggestion }, context) {
    const wanted = edits.map(({ replace_section: replaceSection, at_end: atEnd, ...rest }) => ({
      ...rest,
      replaceSection,
      atEnd,
    }));
    if (isSuggestion === true && dry_run !== true) {
      const texts = { before: '', after: '' };
      const { note, ...answer } = await editNote(
        context,
        id,
        { baseVersion: base_version, dryRun: true },
        async (markdown) => {
          const edited = await context.noteText.edit(context.caller.userId, markdown, wanted);
          if ('text' in edited) Object.assign(texts, { before: markdown, after: edited.text });
          return edited;
        },
        ({ note, changes }) => ({ note, note_id: id, doc_id: id, version: note.version, changes }),
      );
      return addSuggestion(context, note, texts, (suggestionId) => ({ ...answer, suggestion_id: suggestionId }));
    }
    return editNote(
      context,
      id,
      { baseVersion: base_version, dryRun: dry_run },
      (markdown) => context.noteText.edit(context.caller.userId, markdown, wanted),
      ({ note, changes }) => ({ note_id: id, doc_id: id, version: note.version, changes }),
    );
  },
});
