import { z } from 'zod';
import { integer, list, text } from '../../operation/fields.ts';
import { operation } from '../../operation/operation.ts';
import { fileInfo, toFileInfo } from '../schema.ts';

export const search_file = operation({
  name: 'search_file',
  summary:
    'Finds spreadsheets by words in their titles or cells, best matches first.\nTo search inside one document use sheet_find.',
  effect: 'read',
  input: z.object({
    query: text('Words to find; Chinese, Japanese and Korean text is matched by character.', { min: 1, max: 256 }),
    offset: integer('Number of results to skip.', { min: 0, max: 10_000 }).optional(),
    limit: integer('Maximum number of results. Default: 20.', { min: 1, max: 50 }).optional(),
  }),
  output: z.object({ files: list('Matches, best first.', fileInfo), total: integer('Total number of matches.') }),
  async run(input, context) {
    const owners = await context.sheets.idsFor(context.caller.userId);
    const { hits, total } = await context.search.search({
      space: 'sheet',
      owners,
      anywhere: input.query,
      order: 'rank',
      offset: input.offset ?? 0,
      limit: input.limit ?? 20,
    });
    const files = await Promise.all(hits.map(({ id }) => context.sheets.find(id, context.caller.userId)));
    return {
      files: files.flatMap((found) =>
        found?.role ? [toFileInfo(found.document, found.role, context.address.url)] : [],
      ),
      total,
    };
  },
});
