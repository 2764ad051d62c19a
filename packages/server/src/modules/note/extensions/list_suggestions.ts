import { list } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { requireNote } from '../note-access.ts';
import { noteIdFields, noteIds } from '../schema.ts';
import { baseTextOf, editsOf, suggestion } from '../suggestions.ts';

export const list_suggestions = operation({
  summary:
    'Lists the open suggestions of a note: changes that await a decision by decide_suggestion.\n' +
    'Example: {"note_id":"note_..."}',
  effect: 'read',
  input: noteIdFields,
  output: { ...noteIds, suggestions: list('The suggestions, oldest first.', suggestion) },
  aliases: { doc_id: 'note_id' },
  async run({ note_id: id }, context) {
    await requireNote(context, id, 'read');
    const suggestions = [];
    for (const found of await context.suggestions.open(id)) {
      const base = await baseTextOf(context, found);
      suggestions.push({
        suggestion_id: found.id,
        user_id: found.userId,
        user_name: (await context.accounts.user(found.userId))?.name ?? '',
        key_id: found.keyId,
        create_time: found.at,
        base_version: found.baseVersion,
        edits: editsOf(found).map(({ number, at, remove, insert, state }) => ({
          number,
          line: base.slice(0, at).split('\n').length,
          old: base.slice(at, at + remove),
          new: insert,
          state,
        })),
      });
    }
    return { note_id: id, doc_id: id, suggestions };
  },
});
