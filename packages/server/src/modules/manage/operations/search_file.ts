import { z } from 'zod';
import { integer, list, aliasField, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { indexBehind, keywordOnly, mode, resolveSearchMode, addWordlessNotice } from '../../../kernel/search-fields.ts';
import { tagList } from '../../../kernel/tag-fields.ts';
import { fileInfo, toFileInfo } from '../schema.ts';

const input = z.object({
  query: text('Words; Chinese, Japanese and Korean by character.', { min: 1, max: 256 }),
  search_key: aliasField(text('Another name of query.', { max: 256 }).optional()),
  offset: integer('Number of results to skip.', { min: 0, max: 10_000 }).optional(),
  limit: integer('Maximum number of results. Default: 20.', { min: 1, max: 50 }).optional(),
  mode: mode(),
  tags: tagList('Only files that have all these tags.'),
});

export const search_file = operation({
  name: 'search_file',
  summary:
    'Finds spreadsheets by words in their titles or cells, best matches first.\nInside one document use sheet_find.',
  effect: 'read',
  input,
  aliases: { search_key: 'query' },
  output: z.object({
    files: list('Matches, best first.', fileInfo),
    total: integer('Total number of matches.'),
    index_behind: indexBehind(),
    keyword_only: keywordOnly(),
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
    const { userId } = context.caller;
    addWordlessNotice(context, 'query', input.query);
    const [given, isCaughtUp] = await Promise.all([
      context.sheets.idsFor(userId),
      context.searchFeed.waitForOwnWrites('sheet', userId),
    ]);
    const tagged = input.tags?.length
      ? new Set((await context.tags.tagged(userId, input.tags, ['sheet'], given.length)).map(({ id }) => id))
      : undefined;
    const owners = given.filter((id) => tagged?.has(id) ?? true);
    const [offset, limit] = [input.offset ?? 0, input.limit ?? 20];
    const how = resolveSearchMode(context, input);
    // The search index supports an offset only for keyword search. In the other modes, fetch all results up to the end
    // of the page and return only the page.
    const isCut = how !== 'keyword';
    const { hits, total, isKeywordOnly } = await context.search.search({
      space: 'sheet',
      owners,
      anywhere: input.query,
      mode: how,
      order: 'rank',
      offset: isCut ? 0 : offset,
      limit: isCut ? offset + limit : limit,
    });
    const ids = hits.slice(isCut ? offset : 0).map((hit) => hit.id);
    const files = (await context.sheets.findAll(ids, userId)).flatMap(({ document, role }) =>
      role && document.deletedAt === null ? [toFileInfo(document, role, context.publicUrl.url)] : [],
    );
    return {
      files,
      total,
      ...(isCaughtUp ? {} : { index_behind: true }),
      ...(isKeywordOnly ? { keyword_only: true } : {}),
      list: files.map(({ file_id, title, url }) => ({ file_id, title, url })),
    };
  },
});
