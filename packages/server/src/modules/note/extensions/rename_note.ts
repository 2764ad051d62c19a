import { titleSortKey } from '../../../lib/sort-key.ts';
import { fail } from '../../../kernel/errors.ts';
import { operation } from '../../../kernel/operation.ts';
import { cleanTitle, maxTitleLength } from '../parse-markdown.ts';
import { idsAndVersion, writeAndNotify } from '../note-writes.ts';
import { noteIdFields, noteIds, plainString } from '../schema.ts';

export const rename_note = operation({
  summary:
    'Sets a note\'s title. From then on the title no longer follows the text.\nExample: {"note_id":"note_...","title":"Plans"}',
  effect: 'write',
  idempotent: true,
  input: {
    ...noteIdFields,
    title: plainString('The new title.', { min: 1, max: maxTitleLength }),
  },
  output: noteIds,
  aliases: { doc_id: 'note_id' },
  async run({ note_id: id, title }, context) {
    const clean = cleanTitle(title);
    if (clean === '') throw fail('invalid_parameter', `title: must not be empty (got ${JSON.stringify(title)})`);
    return writeAndNotify(
      context,
      id,
      () => context.notes.rename(context.stamp, context.caller.userId, id, clean, titleSortKey(clean)),
      idsAndVersion(context),
    );
  },
});
