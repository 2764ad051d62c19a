import { z } from 'zod';
import { integer, otherName } from '../../operation/fields.ts';
import { operation } from '../../operation/operation.ts';
import { previewOf, headBytes } from '../content.ts';
import { limitsOf, writing } from '../model.ts';
import { acceptingDocId, contentFormat, docId, markdown, noteId, noteIds } from '../schema.ts';

const input = z.object({
  note_id: noteId(),
  doc_id: docId(),
  content_format: contentFormat(),
  content: markdown('Markdown to append as a separate block.'),
  base_version: otherName(
    integer('Version that was read; the call fails with 210008 if the note has a newer one.', { min: 1 }),
  ).optional(),
});

export const append_doc = operation({
  name: 'append_doc',
  summary:
    "Appends Markdown to one of the caller's notes. Concurrent appends are all applied, one after " +
    'another; the title is unchanged. To replace the text use update_note.\nExample: ' +
    '{"note_id":"note_...","content_format":1,"content":"- eggs"}',
  effect: 'write',
  isOneWrite: true,
  input,
  output: z.object(noteIds),
  parse: acceptingDocId(input),
  async run({ note_id: id, content, base_version: baseVersion }, context) {
    const { userId } = context.caller;
    const face = async (text: string) => previewOf(await context.markdown.head(text, userId));
    const change = { id, userId, markdown: content, baseVersion, headBytes, face };
    return writing(
      context,
      { target: id, stranger: 'not_author' },
      () => context.notes.append(context.stamp, change, limitsOf(context)),
      (note) => {
        context.reply.version = note.version;
        return { note_id: id, doc_id: id };
      },
    );
  },
});
