import { z } from 'zod';
import { integer, aliasField } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { buildPreview, headBytes } from '../parse-markdown.ts';
import { noteLimits, writeAndNotify } from '../note-writes.ts';
import { parserAcceptingDocId, contentFormat, docId, markdown, noteId, noteIds } from '../schema.ts';

const input = z.object({
  note_id: noteId(),
  doc_id: docId(),
  content_format: contentFormat(),
  content: markdown('Markdown to append as a separate block.'),
  base_version: aliasField(
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
  parse: parserAcceptingDocId(input),
  async run({ note_id: id, content, base_version: baseVersion }, context) {
    const { userId } = context.caller;
    const preview = async (text: string) => buildPreview(await context.markdown.parseHead(text, userId));
    const change = { id, userId, markdown: content, baseVersion, headBytes, preview };
    return writeAndNotify(
      context,
      { target: id, stranger: 'not_author' },
      () => context.notes.append(context.stamp, change, noteLimits(context)),
      (note) => {
        context.reply.version = note.version;
        return { note_id: id, doc_id: id };
      },
    );
  },
});
