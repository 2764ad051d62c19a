import { z } from 'zod';
import { integer, list } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { isEnd, nextCursor } from '../../../kernel/paging.ts';
import { legacyNoteInfo, toLegacyNoteInfo } from '../legacy-schema.ts';
import { list_note } from '../operations/list_note.ts';
import { folderId, listCursor } from '../schema.ts';

export const list_note_by_folder_id = operation({
  summary: 'Lists the notes of a notebook, as list_note does, in the older format.',
  deprecated: 'use list_note.',
  effect: 'read',
  input: {
    folder_id: folderId('Notebook to list; all notes if empty.').optional(),
    cursor: listCursor(),
    limit: integer('Maximum number of results.', { min: 1, max: 20 }),
  },
  output: {
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
  },
  async run(input, context) {
    const { note_book_list, next_cursor, is_end } = (await list_note.run(input, context)) as z.input<
      typeof list_note.output
    >;
    return {
      note_book_list: note_book_list.map((info) => ({ basic_info: { basic_info: toLegacyNoteInfo(info) } })),
      next_cursor,
      is_end,
    };
  },
});
