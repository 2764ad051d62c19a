import { yieldToEventLoop } from '../../lib/event-loop.ts';
import type { Services } from '../../context.ts';
import { highlightPassage, semanticExcerpt } from '@sheaf/search/passages/highlight';
import { withCorrections } from '@sheaf/search/query/nearest-word';
import type { ParseOptions } from '@sheaf/search/query/parse-query';
import type { SearchHit, SearchMode, SearchResult } from '../../ports/search-index.ts';
import type { Folder, Item } from '../../ports/wiki-store.ts';
import { ItemTextReader, type ItemContent } from './item-text-reader.ts';

/**
 * Number of characters at the start of a text in which the passage to display with a hit is searched for. The search
 * index also covers the rest of the text.
 */
const passageReach = 2 ** 21;

export interface KnowledgeHit {
  item?: Item;
  folder?: Folder;
  passage?: string;
  text?: ItemContent | undefined;
  match: SearchHit['match'];
  score: SearchHit['score'];
  near?: SearchHit['near'];
  /** Cursor position after this hit. */
  place: SearchHit['place'];
}

export interface KnowledgeHitPage {
  hits: KnowledgeHit[];
  /** Cursor position of the next page; undefined on the last page. */
  next: SearchHit['place'] | undefined;
  /** Total number of hits; undefined if hits were filtered after the search. */
  total: number | undefined;
  /** Upper bound of the number of hits: all hits of the search minus those that the filter has removed so far. */
  maxTotal: number;
  /** True if semantic search was requested but only keyword search was possible. */
  isKeywordOnly: boolean;
  corrected: SearchResult['corrected'];
}

type SearchServices = Pick<Services, 'wiki' | 'search' | 'noteReader'>;

interface HitsPage {
  after: SearchHit['place'] | undefined;
  limit: number;
  prefix?: boolean | undefined;
  mode?: SearchMode | undefined;
  changedFrom?: number | undefined;
  changedBefore?: number | undefined;
  hasHighlights?: boolean | undefined;
  /**
   * Returns true for hits to keep. Used for filters that the search index cannot apply. If undefined, all hits are
   * kept.
   */
  isWanted?: ((one: Item | Folder) => boolean) | undefined;
}

/**
 * Maximum number of searches to fill one page of hits. Several are needed if the filter removes most hits. If this
 * number is reached, the page stays short, and the next page continues after the last search.
 */
const maxRounds = 10;
const roundSize = 50;

/**
 * Searches items and folders of the given knowledge bases. Returns one page of hits, best first, each with a matching
 * passage of its text.
 */
export async function searchBases(
  services: SearchServices,
  baseIds: readonly string[],
  query: string,
  page: HitsPage,
): Promise<KnowledgeHitPage> {
  const hits: KnowledgeHit[] = [];
  const size = page.isWanted && page.limit > 0 ? Math.max(page.limit, roundSize) : page.limit;
  let next = page.after;
  let dropped = 0;
  for (let round = 1; ; round++) {
    const found = await services.search.search({
      space: 'wiki',
      owners: baseIds,
      anywhere: query,
      prefix: page.prefix,
      mode: page.mode,
      changedFrom: page.changedFrom,
      changedBefore: page.changedBefore,
      order: 'rank',
      after: next,
      offset: 0,
      limit: size + 1,
    });
    const shown = found.hits.slice(0, size);
    const wanted = await loadHits(services, baseIds, shown, page.isWanted);
    dropped += shown.length - wanted.length;
    const taken = wanted.slice(0, page.limit - hits.length);
    const marked = withCorrections(query, found.corrected);
    if (page.hasHighlights === false) hits.push(...taken);
    else hits.push(...(await withPassages(services, taken, marked, { prefix: page.prefix })));
    const isMore = found.hits.length > size || taken.length < wanted.length;
    next = (taken.length < wanted.length ? taken : shown).at(-1)?.place;
    if (!isMore || hits.length >= page.limit || round === maxRounds)
      return {
        hits,
        next: isMore ? next : undefined,
        total: page.isWanted ? undefined : found.total,
        maxTotal: found.total - dropped,
        isKeywordOnly: found.isKeywordOnly === true,
        corrected: found.corrected,
      };
  }
}

/**
 * Loads the items and folders of search hits. The search index may be outdated, so leaves out those that are deleted or
 * have moved to a knowledge base that is not searched. Also applies the filter `isWanted`.
 */
async function loadHits(
  services: SearchServices,
  baseIds: readonly string[],
  found: readonly SearchHit[],
  isWanted: HitsPage['isWanted'],
): Promise<KnowledgeHit[]> {
  const ids = found.map((hit) => hit.id);
  const allowed = new Set(baseIds);
  const isShown = (one: Item | Folder): boolean =>
    one.deletedAt === null && allowed.has(one.baseId) && (!isWanted || isWanted(one));
  const items = new Map((await services.wiki.items.items(ids)).filter(isShown).map((item) => [item.id, item]));
  const folders = new Map((await services.wiki.tree.folders(ids)).filter(isShown).map((one) => [one.id, one]));
  return found.flatMap(({ id, match, score, near, place }): KnowledgeHit[] => {
    const item = items.get(id);
    const folder = folders.get(id);
    if (item) return [{ item, match, score, near, place }];
    return folder ? [{ folder, match, score, near, place }] : [];
  });
}

async function withPassages(
  services: SearchServices,
  hits: readonly KnowledgeHit[],
  query: string,
  options: ParseOptions,
): Promise<KnowledgeHit[]> {
  const items = hits.flatMap(({ item }) => (item ? [item] : []));
  const texts =
    query.trim() === ''
      ? new Map<string, ItemContent>()
      : await new ItemTextReader(services.wiki, services.noteReader).texts(items);
  const shown: KnowledgeHit[] = [];
  for (const hit of hits) {
    const text = hit.item && texts.get(hit.item.id);
    const body = text?.body ?? '';
    const passage =
      body === ''
        ? undefined
        : (highlightPassage(body.slice(0, passageReach), query, undefined, options) ?? semanticExcerpt(body, hit.near));
    shown.push({ ...hit, ...(passage === undefined ? {} : { passage }), text });
    // Yield to the event loop after a long text, because searching such a text takes long.
    if (body.length > 100_000) await yieldToEventLoop();
  }
  return shown;
}
