import { cursor, integer, list } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { isEnd, nextCursor, pageOf, readCursor } from '../../../kernel/paging.ts';
import { trashMs } from '../note-writes.ts';
import { noteBookInfo, toNoteBookInfo } from '../schema.ts';

const deletedNote = noteBookInfo.extend({
  delete_time: integer('Unix milliseconds.'),
  purge_time: integer('Time of permanent deletion in Unix milliseconds.'),
});

export const list_deleted_notes = operation({
  summary:
    'Lists the notes in the trash, most recently deleted first. restore_note restores a note.\nExample: {"cursor":"","limit":20}',
  effect: 'read',
  input: {
    cursor: cursor().optional(),
    limit: integer('Maximum number of results. Default: 20.', { min: 1, max: 20 }).optional(),
  },
  output: { notes: list('Deleted notes.', deletedNote), next_cursor: nextCursor(), is_end: isEnd() },
  async run(input, context) {
    const { userId } = context.caller;
    const limit = input.limit ?? 20;
    const scope = `list_deleted_notes ${userId}`;
    const [value, id] = readCursor(scope, input.cursor, 'a previous page') ?? [];
    const found = await context.notes.trashed(
      userId,
      limit + 1,
      typeof value === 'number' && typeof id === 'string' ? { value, id } : undefined,
    );
    const { page, is_end, next_cursor } = pageOf(found, limit, scope, (last) => [last.deletedAt ?? 0, last.id]);
    return {
      notes: page.map((note) => ({
        ...toNoteBookInfo(note),
        delete_time: note.deletedAt ?? 0,
        purge_time: (note.deletedAt ?? 0) + trashMs,
      })),
      next_cursor,
      is_end,
    };
  },
});
