import { z } from 'zod';
import { fail } from '../../operation/errors.ts';
import { integer, list } from '../../operation/fields.ts';
import { operation } from '../../operation/operation.ts';
import { folderOf } from '../folders.ts';
import { writing } from '../model.ts';
import { folderId, plainString } from '../schema.ts';

export const move_notes = operation({
  name: 'move_notes',
  summary:
    'Puts notes into another notebook, all of them or, when one cannot be moved, none (210033).\n' +
    'Example: {"note_ids":["note_a","note_b"],"folder_id":"folder_..."}',
  effect: 'write',
  idempotent: true,
  input: z.object({
    note_ids: list('Notes to move.', plainString('Note id.', { min: 1 }), { min: 1, max: 100 }),
    folder_id: folderId('Notebook to put them in; "" or the un-categorised one takes them out of theirs.'),
  }),
  output: z.object({ moved: integer('Notes that were somewhere else before.') }),
  async run(input, context) {
    const { userId } = context.caller;
    const folder = await folderOf(context, input.folder_id);
    const ids = [...new Set(input.note_ids)];
    const found = new Map((await context.notes.notes(ids)).map((note) => [note.id, note]));
    const bad = ids.flatMap((id) => {
      const note = found.get(id);
      if (!note || note.userId !== userId) return [`${JSON.stringify(id)} is no note of yours`];
      return note.deletedAt === null ? [] : [`${JSON.stringify(id)} was deleted`];
    });
    if (bad.length > 0)
      throw fail(
        'batch_failed',
        `note_ids: nothing was moved, because ${bad.slice(0, 10).join(', ')}${bad.length > 10 ? ` and ${bad.length - 10} more` : ''}`,
      );
    const to = folder.kind === 'notebook' ? folder.notebook.id : '';
    return { moved: await writing(context, 'no_permission', () => context.notes.move(context.stamp, userId, ids, to)) };
  },
});
