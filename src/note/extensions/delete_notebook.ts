import { z } from 'zod';
import { integer, oneOf } from '../../operation/fields.ts';
import { operation } from '../../operation/operation.ts';
import { madeNotebook } from '../folders.ts';
import { writing } from '../model.ts';
import { plainString } from '../schema.ts';

export const delete_notebook = operation({
  name: 'delete_notebook',
  summary:
    'Deletes a notebook and the notebooks in it. Their notes become un-categorised, or go to the trash ' +
    'when asked to.\nExample: {"folder_id":"folder_...","notes":"keep"}',
  effect: 'destroy',
  input: z.object({
    folder_id: plainString('The notebook.', { min: 1 }),
    notes: oneOf('keep (default): the notes become un-categorised; delete: they go to the trash.', [
      'keep',
      'delete',
    ]).optional(),
  }),
  output: z.object({ note_number: integer('How many notes became un-categorised or were deleted.') }),
  async run(input, context) {
    const { id, userId } = await madeNotebook(context, input.folder_id);
    const fate = input.notes === 'delete' ? 'trash' : 'keep';
    return {
      note_number: await writing(context, 'no_permission', () =>
        context.notes.removeNotebook(context.stamp, userId, id, fate),
      ),
    };
  },
});
