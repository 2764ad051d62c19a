import { z } from 'zod';
import { fail } from '../../../kernel/errors.ts';
import { integer } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { buildPreview } from '../parse-markdown.ts';
import { noteLimits, requireOwnNote, writeAndNotify } from '../note-writes.ts';
import { parserAcceptingDocId, docId, noteId, noteIds, version } from '../schema.ts';

const input = z.object({
  note_id: noteId(),
  doc_id: docId(),
  version: integer('Version to restore, from get_note_history.', { min: 1 }),
});

export const restore_note_version = operation({
  name: 'restore_note_version',
  summary:
    'Restores an earlier text of a note as its latest version; the versions in between are kept. For a ' +
    'deleted note use restore_note.\nExample: {"note_id":"note_...","version":2}',
  effect: 'write',
  input,
  output: z.object({ ...noteIds, version: version() }),
  parse: parserAcceptingDocId(input),
  async run({ note_id: id, version: wanted }, context) {
    await requireOwnNote(context, id, 'no_permission');
    const markdown = await context.notes.markdown(id, wanted);
    if (markdown === undefined) throw fail('invalid_parameter', `version: the note has no version ${wanted}`);
    const { userId } = context.caller;
    const head = await context.markdown.parseHead(markdown, userId);
    const change = { id, userId, markdown, preview: (title?: string) => buildPreview(head, title) };
    return writeAndNotify(
      context,
      { target: id, stranger: 'no_permission' },
      () => context.notes.replace(context.stamp, change, noteLimits(context)),
      ({ version }) => {
        context.reply.version = version;
        return { note_id: id, doc_id: id, version };
      },
    );
  },
});
