import { z } from 'zod';
import { titleSortKey } from '../../../lib/sort-key.ts';
import { fail } from '../../../kernel/errors.ts';
import { operation } from '../../../kernel/operation.ts';
import { cleanTitle, maxTitleLength } from '../parse-markdown.ts';
import { writeAndNotify } from '../note-writes.ts';
import { parserAcceptingDocId, docId, noteId, noteIds, plainString } from '../schema.ts';

const input = z.object({
  note_id: noteId(),
  doc_id: docId(),
  title: plainString('The new title.', { min: 1, max: maxTitleLength }),
});

export const rename_note = operation({
  name: 'rename_note',
  summary:
    'Sets a note\'s title. From then on the title no longer follows the text.\nExample: {"note_id":"note_...","title":"Plans"}',
  effect: 'write',
  idempotent: true,
  input,
  output: z.object(noteIds),
  parse: parserAcceptingDocId(input),
  async run({ note_id: id, title }, context) {
    const clean = cleanTitle(title);
    if (clean === '') throw fail('invalid_parameter', `title: must not be empty (got ${JSON.stringify(title)})`);
    return writeAndNotify(
      context,
      { target: id, stranger: 'no_permission' },
      () => context.notes.rename(context.stamp, context.caller.userId, id, clean, titleSortKey(clean)),
      (note) => {
        context.reply.version = note.version;
        return { note_id: id, doc_id: id };
      },
    );
  },
});
