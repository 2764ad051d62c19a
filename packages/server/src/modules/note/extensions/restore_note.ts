import { operation } from '../../../kernel/operation.ts';
import { writeAndNotify } from '../note-writes.ts';
import { noteBookInfo, noteIdFields, toNoteBookInfo } from '../schema.ts';

export const restore_note = operation({
  summary:
    'Restores a deleted note, to its notebook if that still exists. To restore an earlier version of a ' +
    'note that is not deleted use restore_note_version.\nExample: {"note_id":"note_..."}',
  effect: 'write',
  idempotent: true,
  input: { ...noteIdFields },
  output: { note: noteBookInfo.meta({ description: 'The note.' }) },
  aliases: { doc_id: 'note_id' },
  async run({ note_id: id }, context) {
    return writeAndNotify(
      context,
      id,
      () => context.notes.restore(context.stamp, context.caller.userId, id),
      (note) => {
        context.reply.version = note.version;
        return { note: toNoteBookInfo(note) };
      },
    );
  },
});
