import { z } from 'zod';
import { integer, integerEnum, list, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { isEnd } from '../../../kernel/paging.ts';
import { indexBehind } from '../../../kernel/search-fields.ts';
import { legacyNoteInfo, toLegacyNoteInfo } from '../legacy-schema.ts';
import { search_note } from '../operations/search_note.ts';
import { plainString, sortType } from '../schema.ts';

export const search_note_book = operation({
  summary: "Finds the caller's notes, as search_note does, in the older format.",
  deprecated: 'use search_note.',
  effect: 'read',
  input: {
    search_type: integerEnum(
      'What to search: 0 titles, with query_info.title (default); 1 text, with query_info.content.',
      [0, 1],
    ).optional(),
    sort_type: sortType(),
    query_info: z
      .object({
        title: plainString('Words in the title.').optional(),
        content: plainString('Words in the text.').optional(),
      })
      .meta({ description: 'Words to search for.' })
      .optional(),
    start: integer('Index of the first result, starting at 0.', { min: 0 }),
    end: integer('Index after the last result.', { min: 0 }),
    query_id: text('Not used.', { max: 256 }).optional(),
  },
  output: {
    docs: list(
      'Search results.',
      z.object({
        doc: z
          .object({ basic_info: legacyNoteInfo.meta({ description: 'The note.' }) })
          .meta({ description: 'The note.' }),
        highlight_info: z
          .object({ doc_title: text('The title with matches in <em>…</em>.') })
          .meta({ description: 'Highlights.' }),
      }),
    ),
    is_end: isEnd(),
    total_hit_num: integer('Total number of matches across all pages.'),
    index_behind: indexBehind(),
  },
  async run({ query_id: _, ...input }, context) {
    const found = (await search_note.run(input, context)) as z.input<typeof search_note.output>;
    return {
      docs: found.search_note_infos.map(({ note_book_info, highlightInfo }) => ({
        doc: { basic_info: toLegacyNoteInfo(note_book_info) },
        highlight_info: { doc_title: highlightInfo['doc_title'] ?? '' },
      })),
      is_end: found.is_end,
      total_hit_num: found.total_hit_num,
      ...(found.index_behind === true ? { index_behind: true } : {}),
    };
  },
});
