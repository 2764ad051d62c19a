import { z } from 'zod';
import { operation } from '../../../kernel/operation.ts';
import { writeAndNotify } from '../note-writes.ts';
import { parserAcceptingDocId, docId, noteBookInfo, noteId, toNoteBookInfo } from '../schema.ts';

const input = z.object({ note_id: noteId(), doc_id: docId() });

export const restore_note = operation({
  name: 'restore_note',
  summary:
    'Restores a deleted note, to its notebook if that still exists. To restore an earlier version of a ' +
    'note that is not deleted use restore_note_version.\nExample: {"note_id":"note_..."}',
  effect: 'write',
  idempotent: true,
  input,
  output: z.object({ note: noteBookInfo.meta({ description: 'The note.' }) }),
  parse: parserAcceptingDocId(input),
  async run({ note_id: id }, context) {
    return writeAndNotify(
      context,
      { target: id, stranger: 'no_permission' },
      () => context.notes.restore(context.stamp, context.caller.userId, id),
      (note) => {
        context.reply.version = note.version;
        return { note: toNoteBookInfo(note) };
      },
    );
  },
});
