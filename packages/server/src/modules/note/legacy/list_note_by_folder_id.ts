import { z } from 'zod';
import { integer, list } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { legacyNoteInfo, toLegacyNoteInfo } from '../legacy-schema.ts';
import { list_note } from '../operations/list_note.ts';
import { folderId, isEnd, listCursor, nextCursor, type noteBookInfo } from '../schema.ts';

interface Listed {
  note_book_list: z.input<typeof noteBookInfo>[];
  is_end: boolean;
  next_cursor: string;
}

export const list_note_by_folder_id = operation({
  name: 'list_note_by_folder_id',
  summary: 'Lists the notes of a notebook, as list_note does, in the older format.',
  deprecated: 'use list_note.',
  effect: 'read',
  input: z.object({
    folder_id: folderId('Notebook to list; all notes if empty.').optional(),
    cursor: listCursor(),
    limit: integer('Maximum number of results.', { min: 1, max: 20 }),
  }),
  output: z.object({
    note_book_list: list(
      'The notes.',
      z.object({
        basic_info: z
          .object({ basic_info: legacyNoteInfo.meta({ description: 'The note.' }) })
          .meta({ description: 'The note.' }),
      }),
    ),
    next_cursor: nextCursor(),
    is_end: isEnd(),
  }),
  async run(input, context) {
    const { note_book_list, next_cursor, is_end } = (await list_note.run(input, context)) as Listed;
    return {
      note_book_list: note_book_list.map((info) => ({ basic_info: { basic_info: toLegacyNoteInfo(info) } })),
      next_cursor,
      is_end,
    };
  },
});
