import type { Context } from '../../../context.ts';
import { integer } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { cleanTitle, buildPreview } from '../parse-markdown.ts';
import { requireNote, writeAsAuthor } from '../note-access.ts';
import { checkTextSize } from '../note-edits.ts';
import { idsAndVersion, noteLimits, writeAndNotify } from '../note-writes.ts';
import { toFailure } from '../store-errors.ts';
import { addSuggestion, suggest, suggestionId } from '../suggestions.ts';
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
    title: title('Title to set; not for a suggestion.').optional(),
    suggest: suggest(),
  },
  output: { ...noteIds, version: version(), suggestion_id: suggestionId() },
  aliases: { doc_id: 'note_id' },
  async run({ note_id: id, content, base_version: baseVersion, title: given, suggest: isSuggestion }, context) {
    if (isSuggestion === true) return suggestText(context, id, content, baseVersion);
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

async function suggestText(context: Context, id: string, content: string, baseVersion: number | undefined) {
  await context.noteRooms.flush(id);
  const note = await requireNote(context, id, 'write');
  if (baseVersion !== undefined && baseVersion !== note.version)
    throw toFailure({ reason: 'stale', version: note.version, baseVersion }, 'no_permission');
  checkTextSize(context, content);
  const before = (await context.notes.markdown(id, note.version)) ?? '';
  return addSuggestion(context, note, { before, after: content }, (suggestionId) => ({
    note_id: id,
    doc_id: id,
    version: note.version,
    suggestion_id: suggestionId,
  }));
}
