import { z } from 'zod';
import { cursor, integer, list, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { isEnd, nextCursor } from '../../../kernel/paging.ts';
import { list_notebook } from '../operations/list_notebook.ts';

const folderBasic = z.object({
  folder_id: text("The notebook's id."),
  name: text('Its name.'),
  status: integer('State: 0 normal.'),
  create_time: integer('Unix milliseconds.'),
  modify_time: integer('Unix milliseconds.'),
  note_number: integer('Number of notes in it.'),
  folder_type: integer('Kind: 0 created by the user, 1 all notes, 2 uncategorized.'),
});

export const list_note_folder_by_cursor = operation({
  summary: "Lists the caller's notebooks, as list_notebook does, in the older format.",
  deprecated: 'use list_notebook.',
  effect: 'read',
  input: { cursor: cursor(), limit: integer('Maximum number of results.', { min: 1, max: 20 }) },
  output: {
    note_book_folders: list(
      'The notebooks.',
      z.object({
        folder: z
          .object({ basic_info: folderBasic.meta({ description: 'The notebook.' }) })
          .meta({ description: 'The notebook.' }),
      }),
    ),
    next_cursor: nextCursor(),
    is_end: isEnd(),
  },
  async run(input, context) {
    const listed = (await list_notebook.run(input, context)) as z.input<typeof list_notebook.output>;
    return {
      note_book_folders: listed.note_folder_infos.map(({ parent_folder_id: _, ...info }) => ({
        folder: { basic_info: { ...info, status: 0 } },
      })),
      next_cursor: listed.next_cursor,
      is_end: listed.is_end,
    };
  },
});
