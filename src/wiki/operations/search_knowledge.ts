import { z } from 'zod';
import { encodeCursor } from '../../lib/cursor.ts';
import { sha256 } from '../../lib/hash.ts';
import { cursor, integer, list, text } from '../../operation/fields.ts';
import { operation } from '../../operation/operation.ts';
import { mediaNumber } from '../../ports/media-number.ts';
import { baseFor } from '../permissions.ts';
import { baseId, isEnd, nextCursor, readCursor } from '../schema.ts';
import { searchBases, type Hit } from '../search.ts';

const pageSize = 20;
/** How far the last entry of a page is looked for, when results came or went since. */
const slack = 40;

const searchedKnowledgeInfo = z.object({
  media_id: text("Media id of the item; the folder's id if media_type is 99."),
  title: text('Title of the item, name of the folder.'),
  parent_folder_id: text('Parent folder.'),
  media_type: integer('Media type; 99 for a folder.'),
  highlight_content: text(
    'Matching passage of the text, with matches wrapped in <em>…</em> and everything else HTML-escaped; only if the text matched.',
  ).optional(),
});

export const search_knowledge = operation({
  name: 'search_knowledge',
  summary:
    'Finds items and folders in one knowledge base by words in titles and text, best matches first, 20 ' +
    'per page. All words must match; "quotes" match a phrase. To search all knowledge bases, notes and ' +
    'spreadsheets use search_all.\nExample: {"query":"季度 ' +
    'budget","cursor":"","knowledge_base_id":"kb_..."}',
  effect: 'read',
  input: z.object({
    query: text('Words to search for; empty matches everything.', { max: 1000 }),
    cursor: cursor(),
    knowledge_base_id: baseId(),
  }),
  output: z.object({
    info_list: list('Search results.', searchedKnowledgeInfo),
    is_end: isEnd(),
    next_cursor: nextCursor(),
    total: integer('Total number of matches across all pages.'),
  }),
  async run(input, context) {
    const base = await baseFor(context, input.knowledge_base_id, 'view');
    const scope = `search_knowledge ${base.id} ${sha256(input.query)}`;
    const after = readCursor(scope, input.cursor);
    const seen = Number(after?.[0] ?? 0);
    const lastId = String(after?.[1] ?? '');
    // What came or went since the last page moved its last entry: the next page starts after it, wherever it is.
    const from = Math.max(0, seen - slack);
    const start = lastId === '' ? 0 : await placeAfter(context, base.id, input.query, lastId, seen, from);
    const { hits, ids, total } = await searchBases(context, [base.id], input.query, start, pageSize);
    const next = start + ids.length;
    const isLast = next >= total || ids.length === 0;
    return {
      info_list: hits.map(toInfo),
      is_end: isLast,
      next_cursor: isLast ? '' : encodeCursor(scope, [next, ids.at(-1)!]),
      total,
    };
  },
});

async function placeAfter(
  context: Parameters<typeof searchBases>[0],
  baseOf: string,
  query: string,
  lastId: string,
  seen: number,
  from: number,
): Promise<number> {
  const { ids } = await context.search.search({
    space: 'wiki',
    owners: [baseOf],
    anywhere: query,
    order: 'rank',
    offset: from,
    limit: 2 * slack,
  });
  const found = ids.indexOf(lastId);
  return found >= 0 ? from + found + 1 : seen;
}

function toInfo({ item, folder, passage }: Hit): z.input<typeof searchedKnowledgeInfo> {
  if (folder)
    return {
      media_id: folder.id,
      title: folder.name,
      parent_folder_id: folder.parentId,
      media_type: mediaNumber.folder,
    };
  return {
    media_id: item!.id,
    title: item!.title,
    parent_folder_id: item!.folderId,
    media_type: item!.mediaType,
    ...(passage === undefined ? {} : { highlight_content: passage }),
  };
}
