import { withCorrections } from '@sheaf/search/query/nearest-word';
import { z } from 'zod';
import { integer, list, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import {
  corrections,
  indexBehind,
  keywordOnly,
  match,
  mode,
  resolveSearchMode,
  refuseWordless,
} from '../../../kernel/search-fields.ts';
import { tagList } from '../../../kernel/tag-fields.ts';
import { siftSearch } from '../sift-search.ts';
import { tagFilter } from '../tag-filter.ts';
import { passageFields, selectPassages } from '../passage-selection.ts';
import { requireBase } from '../permissions.ts';
import { ItemTextReader } from '../item-text-reader.ts';

/** Number of top-ranked items in which passages are searched. */
const maxItems = 12;

const passageInfo = z.object({
  media_id: text('The item.'),
  title: text('Its title.'),
  knowledge_base_id: text('The knowledge base it is in.'),
  match: match(),
  ...passageFields,
  link: text('Address that opens the item at this place.'),
});

export const search_passages = operation({
  summary:
    'Finds the passages that answer a question, best first, with headings, page and link, within a token budget. ' +
    'For the text around one use get_knowledge_content.\nExample: {"query":"how is the budget approved?","max_tokens":2000}',
  effect: 'read',
  input: {
    query: text('A question, or words.', { min: 1, max: 1000 }),
    knowledge_base_id: text('The knowledge base; all if omitted.').optional(),
    limit: integer('Maximum number of passages. Default: 8.', { min: 1, max: 50 }).optional(),
    mode: mode(),
    max_tokens: integer('Maximum tokens of text. Default: 2000.', { min: 1, max: 100_000 }).optional(),
    tags: tagList('Only items that have all these tags.'),
  },
  output: {
    passages: list('The passages.', passageInfo),
    total: integer('Total number of items that match.'),
    index_behind: indexBehind(),
    keyword_only: keywordOnly(),
    corrected: corrections(),
  },
  async run(input, context) {
    refuseWordless(input.query);
    const owners =
      input.knowledge_base_id === undefined || input.knowledge_base_id === ''
        ? (await context.wiki.bases.basesOf(context.caller.userId)).map((base) => base.id)
        : [(await requireBase(context, input.knowledge_base_id, 'view')).id];
    const isCaughtUp = await context.searchFeed.waitForOwnWrites('wiki', context.caller.userId);
    const only = input.tags?.length ? (await tagFilter(context, input.tags, ['item'])).taggedIds : undefined;
    const { hits, total, isKeywordOnly, corrected } = await siftSearch(context.search, only).search({
      space: 'wiki',
      owners,
      anywhere: input.query,
      mode: resolveSearchMode(context, input),
      order: 'rank',
      offset: 0,
      limit: maxItems,
    });
    const allowed = new Set(owners);
    const found = new Map((await context.wiki.items.items(hits.map((hit) => hit.id))).map((item) => [item.id, item]));
    const shown = hits.flatMap((hit) => {
      const item = found.get(hit.id);
      return item && item.deletedAt === null && allowed.has(item.baseId)
        ? [{ item, match: hit.match, near: hit.near }]
        : [];
    });
    const texts = await new ItemTextReader(context.wiki, context.noteReader).texts(shown.map(({ item }) => item));
    const readable = shown.flatMap((one) => {
      const body = texts.get(one.item.id);
      return body ? [{ ...one, text: body }] : [];
    });
    const passages = selectPassages(
      readable.map((one) => ({ ...one.text, near: one.near })),
      withCorrections(input.query, corrected),
      input.limit ?? 8,
      input.max_tokens ?? 2000,
    );
    return {
      passages: passages.map(({ text: index, info }) => {
        const { item, match: how } = readable[index]!;
        return {
          media_id: item.id,
          title: item.title,
          knowledge_base_id: item.baseId,
          match: how,
          ...info,
          link: `${context.publicUrl.url}/wiki/${item.baseId}/item/${item.id}?at=${info.start}`,
        };
      }),
      total,
      ...(isCaughtUp ? {} : { index_behind: true }),
      ...(isKeywordOnly === true ? { keyword_only: true } : {}),
      ...(corrected ? { corrected: Object.fromEntries(corrected) } : {}),
    };
  },
});
