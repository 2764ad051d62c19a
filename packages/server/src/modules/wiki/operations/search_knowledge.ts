import { z } from 'zod';
import { encodeCursor } from '../../../lib/cursor.ts';
import { sha256 } from '../../../lib/hash.ts';
import { cursor, integer, list, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { isEnd, nextCursor, readCursor } from '../../../kernel/paging.ts';
import {
  indexBehind,
  keywordOnly,
  match,
  mode,
  resolveSearchMode,
  prefix,
  addWordlessNotice,
} from '../../../kernel/search-fields.ts';
import { mediaNumber } from '@sheaf/client/media-types';
import { requireBase } from '../permissions.ts';
import { baseId } from '../schema.ts';
import { searchBases, type KnowledgeHit } from '../search.ts';

const pageSize = 20;

const searchedKnowledgeInfo = z.object({
  media_id: text("Media id of the item; the folder's id if media_type is 99."),
  title: text('Title of the item, name of the folder.'),
  parent_folder_id: text('Parent folder.'),
  media_type: integer('Media type; 99 for a folder.'),
  match: match(),
  highlight_content: text(
    'Matching passage of the text, with matches wrapped in <em>…</em> and everything else HTML-escaped; only if the text matched.',
  ).optional(),
});

export const search_knowledge = operation({
  summary:
    'Finds items and folders of a knowledge base by words, 20 per page: first what has every word, then the ' +
    'best of the rest. "Quotes" match a phrase.\nExample: {"query":"how is the 季度 budget ' +
    'approved?","cursor":"","knowledge_base_id":"kb_..."}',
  effect: 'read',
  input: {
    query: text('Words to search for; empty matches everything.', { max: 1000 }),
    cursor: cursor(),
    knowledge_base_id: baseId(),
    prefix: prefix(),
    mode: mode(),
  },
  output: {
    info_list: list('Search results.', searchedKnowledgeInfo),
    is_end: isEnd(),
    next_cursor: nextCursor(),
    total: integer('Total number of matches across all pages.'),
    index_behind: indexBehind(),
    keyword_only: keywordOnly(),
  },
  async run(input, context) {
    const base = await requireBase(context, input.knowledge_base_id, 'view');
    addWordlessNotice(context, 'query', input.query);
    const how = resolveSearchMode(context, input);
    const scope = `search_knowledge ${base.id} ${sha256(`${input.prefix === true} ${how} ${input.query}`)}`;
    const after = readCursor(scope, input.cursor);
    const isCaughtUp = await context.searchFeed.waitForOwnWrites('wiki', context.caller.userId);
    const { hits, next, total, isKeywordOnly } = await searchBases(context, [base.id], input.query, {
      after,
      limit: pageSize,
      prefix: input.prefix,
      mode: how,
    });
    return {
      info_list: hits.map(toInfo),
      is_end: next === undefined,
      next_cursor: next === undefined ? '' : encodeCursor(scope, next),
      total: total ?? hits.length,
      ...(isCaughtUp ? {} : { index_behind: true }),
      ...(isKeywordOnly ? { keyword_only: true } : {}),
    };
  },
});

function toInfo({ item, folder, passage, match }: KnowledgeHit): z.input<typeof searchedKnowledgeInfo> {
  if (folder)
    return {
      media_id: folder.id,
      title: folder.name,
      parent_folder_id: folder.parentId,
      media_type: mediaNumber.folder,
      match,
    };
  return {
    media_id: item!.id,
    title: item!.title,
    parent_folder_id: item!.folderId,
    media_type: item!.mediaType,
    match,
    ...(passage === undefined ? {} : { highlight_content: passage }),
  };
}
