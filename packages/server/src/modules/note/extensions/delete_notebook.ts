import { integer, oneOf } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { requireUserNotebook } from '../notebook-folders.ts';
import { writeAndRecheck } from '../note-writes.ts';
import { plainString } from '../schema.ts';

export const delete_notebook = operation({
  summary:
    'Deletes a notebook and the notebooks in it. Their notes become uncategorized, or are moved to the ' +
    'trash on request.\nExample: {"folder_id":"folder_...","notes":"keep"}',
  effect: 'destroy',
  input: {
    folder_id: plainString('The notebook.', { min: 1 }),
    notes: oneOf(
      'What happens to the notes: "keep" (default) makes them uncategorized, "delete" moves them to the trash.',
      ['keep', 'delete'],
    ).optional(),
  },
  output: { note_number: integer('Number of notes that became uncategorized or were deleted.') },
  async run(input, context) {
    const { id, userId } = await requireUserNotebook(context, input.folder_id);
    const fate = input.notes === 'delete' ? 'trash' : 'keep';
    return writeAndRecheck(
      context,
      id,
      () => context.notes.removeNotebook(context.stamp, userId, id, fate),
      (note_number) => ({ note_number }),
    );
  },
});
