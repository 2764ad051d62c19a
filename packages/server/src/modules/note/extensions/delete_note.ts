import { z } from 'zod';
import { operation } from '../../../kernel/operation.ts';
import { writeAndNotify } from '../note-writes.ts';
import { parserAcceptingDocId, docId, noteId, noteIds } from '../schema.ts';

const input = z.object({ note_id: noteId(), doc_id: docId() });

export const delete_note = operation({
  name: 'delete_note',
  summary: 'Moves a note to the trash for 30 days; restore_note restores it.\nExample: {"note_id":"note_..."}',
  effect: 'destroy',
  input,
  output: z.object(noteIds),
  parse: parserAcceptingDocId(input),
  async run({ note_id: id }, context) {
    return writeAndNotify(
      context,
      { target: id, stranger: 'no_permission' },
      () => context.notes.trash(context.stamp, context.caller.userId, id),
      () => ({ note_id: id, doc_id: id }),
    );
  },
});
