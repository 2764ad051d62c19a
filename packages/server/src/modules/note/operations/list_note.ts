import { integer, list } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { isEnd, nextCursor, pageOf, readCursor } from '../../../kernel/paging.ts';
import { resolveFolder } from '../notebook-folders.ts';
import { folderId, listCursor, noteBookInfo, orderOf, orderValue, sortType, toNoteBookInfo } from '../schema.ts';

export const list_note = operation({
  summary:
    "Lists the caller's notes, all or those of one notebook. To find notes by words use " +
    'search_note.\nExample: {"cursor":"","limit":20}',
  effect: 'read',
  input: {
    folder_id: folderId('Notebook to list; all notes if empty or user_list_<user_id>.').optional(),
    sort_type: sortType(),
    cursor: listCursor(),
    limit: integer('Maximum number of results.', { min: 1, max: 20 }),
  },
  output: { note_book_list: list('The notes.', noteBookInfo), is_end: isEnd(), next_cursor: nextCursor() },
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
    const { page, is_end, next_cursor } = pageOf(found, input.limit, scope, (last) => [
      orderValue(last, order),
      last.id,
    ]);
    return {
      note_book_list: page.map(toNoteBookInfo),
      is_end,
      next_cursor,
    };
  },
});

function startOf(scope: string, cursor: string): { after?: { value: string | number; id: string }; offset?: number } {
  if (cursor === '') return {};
  if (/^\d{1,15}$/.test(cursor)) return { offset: Number(cursor) };
  const [value, id] = readCursor(scope, cursor, 'the same list in the same order')!;
  return { after: { value: value!, id: String(id) } };
}
