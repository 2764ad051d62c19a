import { z } from 'zod';
import { decodeCursor, encodeCursor } from '../../../lib/cursor.ts';
import { fail } from '../../../kernel/errors.ts';
import { cursor, integer, list } from '../../../kernel/field-schemas.ts';
import { formatValue } from '../../../kernel/parse-input.ts';
import { operation } from '../../../kernel/operation.ts';
import { trashMs } from '../note-writes.ts';
import { isEnd, nextCursor, noteBookInfo, toNoteBookInfo } from '../schema.ts';

const deletedNote = noteBookInfo.extend({
  delete_time: integer('Unix milliseconds.'),
  purge_time: integer('Time of permanent deletion in Unix milliseconds.'),
});

export const list_deleted_notes = operation({
  name: 'list_deleted_notes',
  summary:
    'Lists the notes in the trash, most recently deleted first. restore_note restores a note.\nExample: {"cursor":"","limit":20}',
  effect: 'read',
  input: z.object({
    cursor: cursor().optional(),
    limit: integer('Maximum number of results. Default: 20.', { min: 1, max: 20 }).optional(),
  }),
  output: z.object({ notes: list('Deleted notes.', deletedNote), next_cursor: nextCursor(), is_end: isEnd() }),
  async run(input, context) {
    const { userId } = context.caller;
    const limit = input.limit ?? 20;
    const scope = `list_deleted_notes ${userId}`;
    const [value, id] = input.cursor ? (decodeCursor(scope, input.cursor) ?? ['']) : [];
    if (value === '')
      throw fail(
        'invalid_parameter',
        `cursor: must be "" or the next_cursor of a previous page (got ${formatValue(input.cursor)})`,
      );
    const found = await context.notes.trashed(
      userId,
      limit + 1,
      typeof value === 'number' && typeof id === 'string' ? { value, id } : undefined,
    );
    const page = found.slice(0, limit);
    const last = page.at(-1);
    const isLast = found.length <= limit;
    return {
      notes: page.map((note) => ({
        ...toNoteBookInfo(note),
        delete_time: note.deletedAt ?? 0,
        purge_time: (note.deletedAt ?? 0) + trashMs,
      })),
      next_cursor: isLast || !last ? '' : encodeCursor(scope, [last.deletedAt ?? 0, last.id]),
      is_end: isLast,
    };
  },
});
