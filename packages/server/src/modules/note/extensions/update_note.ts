import { integer } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { cleanTitle, buildPreview } from '../parse-markdown.ts';
import { writeAsAuthor } from '../note-access.ts';
import { idsAndVersion, noteLimits, writeAndNotify } from '../note-writes.ts';
import { contentFormat, markdown, noteIdFields, noteIds, title, version } from '../schema.ts';

export const update_note = operation({
  summary:
    'Replaces the entire text of a note; the previous text stays in its history. Read the note with ' +
    'export_note and send its version as base_version so that no concurrent change is lost. To add to ' +
    'the end use append_doc.\nExample: {"note_id":"note_...","content":"# Plans\\n\\nNew ' +
    'text","base_version":3}',
  effect: 'write',
  isOneWrite: true,
  input: {
    ...noteIdFields,
    content_format: contentFormat().optional(),
    content: markdown('The complete new text, up to 1 MiB.'),
    base_version: integer(
      'Version the change is based on; the call fails with 210008 if the note has a newer one. If omitted, the latest version is replaced.',
      { min: 1 },
    ).optional(),
    title: title('Title to set.').optional(),
  },
  output: { ...noteIds, version: version() },
  aliases: { doc_id: 'note_id' },
  async run({ note_id: id, content, base_version: baseVersion, title: given }, context) {
    const wanted = cleanTitle(given ?? '');
    const head = await context.markdown.parseHead(content, context.caller.userId);
    const title = wanted === '' ? undefined : wanted;
    const change = {
      id,
      markdown: content,
      baseVersion,
      title,
      preview: (title?: string) => buildPreview(head, title),
    };
    return writeAndNotify(
      context,
      id,
      () =>
        writeAsAuthor(context, id, (userId) =>
          context.notes.replace(context.stamp, { ...change, userId }, noteLimits(context)),
        ),
      (note) => ({ ...idsAndVersion(context)(note), version: note.version }),
    );
  },
});
