import { fail } from '../../../kernel/errors.ts';
import { integer, list } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { resolveFolder } from '../notebook-folders.ts';
import { writeAndRecheck } from '../note-writes.ts';
import { folderId, plainString } from '../schema.ts';

export const move_notes = operation({
  summary:
    'Moves notes to another notebook. If one of them cannot be moved, none are (210033).\nExample: {"note_ids":["note_a","note_b"],"folder_id":"folder_..."}',
  effect: 'write',
  idempotent: true,
  input: {
    note_ids: list('Notes to move.', plainString('Note id.', { min: 1 }), { min: 1, max: 100 }),
    folder_id: folderId('Target notebook; "" or the uncategorized notebook removes them from theirs.'),
  },
  output: { moved: integer('Number of notes that changed notebook.') },
  async run(input, context) {
    const { userId } = context.caller;
    const folder = await resolveFolder(context, input.folder_id);
    const ids = [...new Set(input.note_ids)];
    const found = new Map((await context.notes.notes(ids)).map((note) => [note.id, note]));
    const bad = ids.flatMap((id) => {
      const note = found.get(id);
      if (!note || note.userId !== userId) return [`${JSON.stringify(id)} is not a note of yours`];
      return note.deletedAt === null ? [] : [`${JSON.stringify(id)} was deleted`];
    });
    if (bad.length > 0)
      throw fail(
        'batch_failed',
        `note_ids: nothing was moved, because ${bad.slice(0, 10).join(', ')}${bad.length > 10 ? ` and ${bad.length - 10} more` : ''}`,
      );
    const to = folder.kind === 'notebook' ? folder.notebook.id : '';
    return writeAndRecheck(
      context,
      to === '' ? (ids[0] ?? '') : to,
      () => context.notes.move(context.stamp, userId, ids, to),
      (moved) => ({ moved }),
    );
  },
});
