import { z } from 'zod';
import { integer, list, otherName, text } from '../../operation/fields.ts';
import { acceptingNames } from '../../operation/parse.ts';
import { operation } from '../../operation/operation.ts';
import { fileInfo, toFileInfo } from '../schema.ts';

const input = z.object({
  query: text('Words to find; Chinese, Japanese and Korean text is matched by character.', { min: 1, max: 256 }),
  search_key: otherName(text('Another name of query.', { max: 256 }).optional()),
  offset: integer('Number of results to skip.', { min: 0, max: 10_000 }).optional(),
  limit: integer('Maximum number of results. Default: 20.', { min: 1, max: 50 }).optional(),
});

export const search_file = operation({
  name: 'search_file',
  summary:
    'Finds spreadsheets by words in their titles or cells, best matches first.\nTo search inside one document use sheet_find.',
  effect: 'read',
  input,
  parse: acceptingNames(input, { search_key: 'query' }),
  output: z.object({
    files: list('Matches, best first.', fileInfo),
    total: integer('Total number of matches.'),
    list: list(
      'The same as files, for older clients.',
      z.object({
        file_id: text("The document's id."),
        title: text('Its title.'),
        url: text('Address of the spreadsheet in the browser.'),
      }),
    ),
  }),
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
    const found = await Promise.all(hits.map(({ id }) => context.sheets.find(id, context.caller.userId)));
    const files = found.flatMap((one) => (one?.role ? [toFileInfo(one.document, one.role, context.address.url)] : []));
    return { files, total, list: files.map(({ file_id, title, url }) => ({ file_id, title, url })) };
  },
});
