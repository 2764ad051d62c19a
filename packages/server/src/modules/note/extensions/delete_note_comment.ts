import { flag, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { writeComment } from '../comments.ts';
import { requireNote } from '../note-access.ts';
import { noteIdFields } from '../schema.ts';

export const delete_note_comment = operation({
  summary:
    "Deletes an own entry of a comment on a note; the note's author may delete any. The thread goes with its last entry.\n" +
    'Example: {"note_id":"note_...","comment_id":"comment_...","entry_id":"entry_..."}',
  effect: 'destroy',
  input: {
    ...noteIdFields,
    comment_id: text('The thread.', { min: 1, max: 64 }),
    entry_id: text('The entry.', { min: 1, max: 64 }),
  },
  output: { deleted: flag('Always true.') },
  aliases: { doc_id: 'note_id' },
  async run({ note_id: id, comment_id: threadId, entry_id: entryId }, context) {
    const note = await requireNote(context, id, 'comment');
    const commented = { id, authorId: note.userId };
    return writeComment(
      context,
      note,
      () =>
        context.comments.remove(context.stamp, commented, threadId, entryId, {
          isOwner: note.userId === context.caller.userId,
        }),
      () => ({ deleted: true }),
    );
  },
});
