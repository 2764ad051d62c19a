import { z } from 'zod';
import { decodeCursor, encodeCursor } from '../../../lib/cursor.ts';
import { fail } from '../../../kernel/errors.ts';
import { integer, list } from '../../../kernel/field-schemas.ts';
import { formatValue } from '../../../kernel/parse-input.ts';
import { operation } from '../../../kernel/operation.ts';
import type { Note, NoteOrder } from '../../../ports/note-store.ts';
import { resolveFolder } from '../notebook-folders.ts';
import { folderId, isEnd, listCursor, nextCursor, noteBookInfo, orderOf, sortType, toNoteBookInfo } from '../schema.ts';

export const list_note = operation({
  name: 'list_note',
  summary:
    'Lists the caller\'s notes, all or those of one notebook, page by page. To find notes by words use search_note.\nExample: {"cursor":"","limit":20}',
  effect: 'read',
  input: z.object({
    folder_id: folderId('Notebook to list; all notes if empty or user_list_<user_id>.').optional(),
    sort_type: sortType(),
    cursor: listCursor(),
    limit: integer('Maximum number of results.', { min: 1, max: 20 }),
  }),
  output: z.object({ note_book_list: list('The notes.', noteBookInfo), is_end: isEnd(), next_cursor: nextCursor() }),
  async run(input, context) {
    const { userId } = context.caller;
    const folder = await resolveFolder(context, input.folder_id);
    const notebookId = folder.kind === 'all' ? undefined : folder.kind === 'loose' ? '' : folder.notebook.id;
    const order = orderOf(input.sort_type);
    const scope = `list_note ${userId} ${order} ${notebookId ?? '*'}`;
    const found = await context.notes.list({
      userId,
      notebookId,
      order,
      ...startOf(scope, input.cursor),
      limit: input.limit + 1,
    });
    const page = found.slice(0, input.limit);
    const isLast = found.length <= input.limit;
    const last = page.at(-1);
    return {
      note_book_list: page.map(toNoteBookInfo),
      is_end: isLast,
      next_cursor: isLast || !last ? '' : encodeCursor(scope, [valueOf(last, order), last.id]),
    };
  },
});

function startOf(scope: string, cursor: string): { after?: { value: string | number; id: string }; offset?: number } {
  if (cursor === '') return {};
  if (/^\d{1,15}$/.test(cursor)) return { offset: Number(cursor) };
  const [value, id] = decodeCursor(scope, cursor) ?? [];
  if (value === undefined || typeof id !== 'string') {
    throw fail(
      'invalid_parameter',
      `cursor: must be "" or the next_cursor of the same list in the same order (got ${formatValue(cursor)})`,
    );
  }
  return { after: { value, id } };
}

function valueOf(note: Note, order: NoteOrder): string | number {
  return { modified: note.modifiedAt, created: note.createdAt, title: note.titleKey, size: note.size }[order];
}
