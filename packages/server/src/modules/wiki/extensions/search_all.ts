import { withCorrections } from '@sheaf/search/query/nearest-word';
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { encodeCursor } from '../../../lib/cursor.ts';
import { sha256 } from '../../../lib/hash.ts';
import { cursor, flag, integer, list, oneOf, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { isEnd, nextCursor, readCursor } from '../../../kernel/paging.ts';
import {
  corrections,
  indexBehind,
  keywordOnly,
  match,
  mode,
  resolveSearchMode,
  prefix,
  refuseWordless,
} from '../../../kernel/search-fields.ts';
import { userNames } from '../../../kernel/user-names.ts';
import type { SearchSource, SourceHit } from '../../../ports/search-source.ts';
import { mergeRanked } from '../merge-ranked.ts';
import { passageFields, selectPassages } from '../passage-selection.ts';
import { entryKinds, filterFields, parseFilter, visibleSources } from '../search-filter.ts';

const foundInfo = z.object({
  kind: oneOf('Kind of result: an item or folder of a knowledge base, a note, or a spreadsheet.', entryKinds),
  id: text('Media id, folder id, note id or file id.'),
  title: text('Its title.'),
  highlight_content: text(
    'Matching passage of the text, with matches wrapped in <em>…</em>; only if the text matched.',
  ).optional(),
  update_time: integer('Unix milliseconds.'),
  match: match(),
  passages: list('The passages that answer, best first; only if asked for.', z.object(passageFields)).optional(),
  container_id: text('Knowledge base or notebook that contains it, if any.').optional(),
  container_name: text('Its name.').optional(),
  author_id: text('Who wrote or added it; none of folders.').optional(),
  author_name: text('Their name.').optional(),
});

export const search_all = operation({
  summary:
    'Searches all knowledge bases, notes and spreadsheets: what has every word first, then by ' +
    'relevance.\nExample: {"query":"季度 budget"}',
  effect: 'read',
  input: {
    query: text('Words to search for.', { min: 1, max: 1000 }),
    cursor: cursor().optional(),
    limit: integer('Maximum number of results. Default: 20.', { min: 1, max: 50 }).optional(),
    prefix: prefix(),
    mode: mode(),
    // Tool lists omit the two fields `passages` and `max_tokens`, because search_passages is the tool that finds
    // passages.
    passages: flag('Whether to return passages.').meta({ 'x-unlisted': true }).optional(),
    max_tokens: integer('Tokens of all passages. Default: 4000.', { min: 1, max: 100_000 })
      .meta({ 'x-unlisted': true })
      .optional(),
    ...filterFields,
  },
  output: {
    info_list: list('Search results.', foundInfo),
    totals: z.record(z.string(), integer('Matches.')).meta({
      description: 'Total number of matches per kind of source; not where author or kind leave some of them out.',
    }),
    is_end: isEnd(),
    next_cursor: nextCursor(),
    index_behind: indexBehind(),
    keyword_only: keywordOnly(),
    corrected: corrections(),
  },
  async run(input, context) {
    const { userId } = context.caller;
    const limit = input.limit ?? 20;
    refuseWordless(input.query);
    const how = resolveSearchMode(context, input);
    const filter = await parseFilter(input, context);
    const { taggedIds: _, ...named } = filter;
    const asked = Object.values(named).some((one) => one !== undefined) ? JSON.stringify(named) : '';
    const scope = `search_all ${userId} ${sha256(`${input.prefix === true} ${how} ${asked}${input.query}`)}`;
    const places = readCursor(scope, input.cursor ?? '')?.map(
      (place) => JSON.parse(String(place)) as SearchPosition | null,
    );
    const sources = visibleSources(context, filter);
    const caughtUp = await Promise.all(sources.map(({ name }) => context.searchFeed.waitForOwnWrites(name, userId)));
    const pages = await Promise.all(
      sources.map((source, i) =>
        // For each search source, the cursor contains the position of the last returned hit; an empty list if no hit
        // was returned yet; or null if the source has no more hits, so that only its total is requested.
        source.find(userId, input.query, {
          after: places?.[i]?.length === 0 ? undefined : (places?.[i] ?? undefined),
          limit: places?.[i] === null ? 0 : limit,
          prefix: input.prefix,
          mode: how,
          filter,
        }),
      ),
    );
    const totals: Record<string, number> = {};
    const uncounted = new Set(sources.filter((_, i) => pages[i]!.total === undefined).map(moduleOf));
    sources.forEach((source, i) => {
      const name = moduleOf(source);
      if (!uncounted.has(name)) totals[name] = (totals[name] ?? 0) + pages[i]!.total!;
    });
    const { taken, counts } = mergeRanked(
      pages.map((page) => page.hits),
      limit,
      Math.ceil(limit / 2),
    );
    const next = pages.map((page, i): SearchPosition | null => {
      const count = counts[i]!;
      if (count === page.hits.length) return page.next ?? null;
      return page.hits[count - 1]?.place ?? places?.[i] ?? [];
    });
    const isLast = next.every((place) => place === null);
    const corrected = new Map(pages.flatMap((page) => [...(page.corrected ?? [])]));
    const infos = await withPassages(
      taken,
      input.passages === true ? (input.max_tokens ?? 4000) : 0,
      withCorrections(input.query, corrected),
    );
    return {
      info_list: await withNames(infos, context),
      totals,
      is_end: isLast,
      next_cursor: isLast
        ? ''
        : encodeCursor(
            scope,
            next.map((place) => JSON.stringify(place)),
          ),
      ...(caughtUp.includes(false) ? { index_behind: true } : {}),
      ...(pages.some((page) => page.isKeywordOnly) ? { keyword_only: true } : {}),
      ...(corrected.size > 0 ? { corrected: Object.fromEntries(corrected) } : {}),
    };
  },
});

type SearchPosition = SourceHit['place'];

function moduleOf({ name, module = name }: SearchSource): string {
  return module;
}

/** Adds author names to the results. */
async function withNames(
  infos: z.input<typeof foundInfo>[],
  { accounts }: Context,
): Promise<z.input<typeof foundInfo>[]> {
  const ids = infos.flatMap(({ author_id: id }) => (id === undefined ? [] : [id]));
  const names = await userNames(accounts, ids);
  for (const info of infos) {
    const name = info.author_id === undefined ? undefined : names.get(info.author_id);
    if (name !== undefined) info.author_name = name;
  }
  return infos;
}

/**
 * Converts the hits to results, and adds each of the best passages to the result of the hit in whose text it was found.
 * All passages together have at most `maxTokens` tokens; if it is 0, none are added.
 */
async function withPassages(
  taken: readonly SourceHit[],
  maxTokens: number,
  query: string,
): Promise<z.input<typeof foundInfo>[]> {
  const infos = taken.map(toInfo);
  if (maxTokens === 0) return infos;
  for (const info of infos) info.passages = [];
  for (const { hit, info } of await selectPassages(taken, {
    query,
    limit: maxPassages,
    maxTokens,
    maxTexts: taken.length,
  }))
    infos[hit]?.passages?.push(info);
  return infos;
}

const maxPassages = 50;

function toInfo(found: SourceHit): z.input<typeof foundInfo> {
  return {
    kind: entryKinds.find((kind) => kind === found.kind) ?? 'knowledge',
    id: found.id,
    title: found.title,
    update_time: found.modifiedAt,
    match: found.match,
    ...(found.authorId === '' ? {} : { author_id: found.authorId }),
    ...(found.passage === undefined ? {} : { highlight_content: found.passage }),
    ...(found.containerId === undefined
      ? {}
      : { container_id: found.containerId, container_name: found.containerName ?? '' }),
  };
}
