import { integer, aliasField } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { previewOf } from '../note-edits.ts';
import { headBytes } from '../parse-markdown.ts';
import { idsAndVersion, noteLimits, writeAndNotify } from '../note-writes.ts';
import { contentFormat, markdown, noteIdFields, noteIds } from '../schema.ts';

export const append_doc = operation({
  summary:
    "Appends Markdown to one of the caller's notes; concurrent appends are all applied. To replace the text " +
    'use update_note.\nExample: {"note_id":"note_...","content_format":1,"content":"- eggs"}',
  effect: 'write',
  isOneWrite: true,
  input: {
    ...noteIdFields,
    content_format: contentFormat(),
    content: markdown('Markdown to append as a separate block.'),
    base_version: aliasField(
      integer('Version that was read; the call fails with 210008 if the note has a newer one.', { min: 1 }),
    ).optional(),
  },
  output: noteIds,
  aliases: { doc_id: 'note_id' },
  async run({ note_id: id, content, base_version: baseVersion }, context) {
    const { userId } = context.caller;
    const preview = (text: string) => previewOf(context, text);
    const change = { id, userId, markdown: content, baseVersion, headBytes, preview };
    return writeAndNotify(
      context,
      id,
      () => context.notes.append(context.stamp, change, noteLimits(context)),
      idsAndVersion(context),
      { stranger: 'not_author' },
    );
  },
});
