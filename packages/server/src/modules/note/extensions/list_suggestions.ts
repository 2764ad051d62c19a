import { locateSuggestedChanges } from '@sheaf/markdown/suggested-changes';
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
    const { version } = await requireNote(context, id, 'read');
    const current = (await context.notes.markdown(id, version)) ?? '';
    const suggestions = [];
    for (const found of await context.suggestions.open(id)) {
      const base = found.baseVersion === version ? current : await baseTextOf(context, found);
      const edits = editsOf(found);
      const places = locateSuggestedChanges(base, current, edits);
      suggestions.push({
        suggestion_id: found.id,
        user_id: found.userId,
        user_name: (await context.accounts.user(found.userId))?.name ?? '',
        key_id: found.keyId,
        create_time: found.at,
        base_version: found.baseVersion,
        edits: edits.map(({ number, at, remove, insert, state }, index) => ({
          number,
          line: base.slice(0, at).split('\n').length,
          position: at,
          old: base.slice(at, at + remove),
          new: insert,
          state,
          stale: state === 'open' && places[index]!.at === undefined,
        })),
      });
    }
    return { note_id: id, doc_id: id, suggestions };
  },
});
