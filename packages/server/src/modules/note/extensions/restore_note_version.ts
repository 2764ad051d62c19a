import { fail } from '../../../kernel/errors.ts';
import { integer } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { buildPreview } from '../parse-markdown.ts';
import { requireNote } from '../note-access.ts';
import { idsAndVersion, noteLimits, writeAndNotify } from '../note-writes.ts';
import { noteIdFields, noteIds, version } from '../schema.ts';

export const restore_note_version = operation({
  summary:
    'Restores an earlier text of a note as its latest version; the versions in between are kept. For a ' +
    'deleted note use restore_note.\nExample: {"note_id":"note_...","version":2}',
  effect: 'write',
  input: {
    ...noteIdFields,
    version: integer('Version to restore, from get_note_history.', { min: 1 }),
  },
  output: { ...noteIds, version: version() },
  aliases: { doc_id: 'note_id' },
  async run({ note_id: id, version: wanted }, context) {
    const { userId } = await requireNote(context, id, 'write');
    const markdown = await context.notes.markdown(id, wanted);
    if (markdown === undefined) throw fail('invalid_parameter', `version: the note has no version ${wanted}`);
    const head = await context.markdown.parseHead(markdown, context.caller.userId);
    const change = { id, userId, markdown, preview: (title?: string) => buildPreview(head, title) };
    return writeAndNotify(
      context,
      id,
      () => context.notes.replace(context.stamp, change, noteLimits(context)),
      (note) => ({ ...idsAndVersion(context)(note), version: note.version }),
    );
  },
});
