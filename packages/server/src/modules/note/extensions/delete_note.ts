import { operation } from '../../../kernel/operation.ts';
import { writeAndRecheck } from '../note-writes.ts';
import { noteIdFields, noteIds } from '../schema.ts';

export const delete_note = operation({
  summary: 'Moves a note to the trash for 30 days; restore_note restores it.\nExample: {"note_id":"note_..."}',
  effect: 'destroy',
  input: { ...noteIdFields },
  output: noteIds,
  aliases: { doc_id: 'note_id' },
  async run({ note_id: id }, context) {
    return writeAndRecheck(
      context,
      id,
      () => context.notes.trash(context.stamp, context.caller.userId, id),
      () => ({ note_id: id, doc_id: id }),
    );
  },
});
