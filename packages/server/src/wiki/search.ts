import type { Services } from '../context.ts';
import { highlightPassage, nearPassage } from '@sheaf/search/passages/highlight';
import type { ParseOptions } from '@sheaf/search/query/query';
import type { SearchHit, SearchMode } from '../ports/search-index.ts';
import type { Folder, Item } from '../ports/wiki-store.ts';
import { WikiReader, type Readable } from './reader.ts';

/** So much of a text is looked at for a passage; the words past it are found all the same. */
const passageReach = 2 ** 21;

export interface Hit {
  item?: Item;
  folder?: Folder;
  passage?: string;
  text?: Readable | undefined;
  match: SearchHit['match'];
  score: SearchHit['score'];
  near?: SearchHit['near'];
  /** Where a next page goes on that begins after this hit. */
  place: SearchHit['place'];
}

export interface Hits {
  hits: Hit[];
  /** Where the next page begins; undefined when this is the last. */
  next: SearchHit['place'] | undefined;
  /** Undefined where only some of those that match were wanted. */
  total: number | undefined;
  /** Only words were looked at, although meaning was asked for. */
  isKeywordOnly: boolean;
}

type Reach = Pick<Services, 'wiki' | 'search' | 'noteReader'>;

interface HitsPage {
  after: SearchHit['place'] | undefined;
  limit: number;
  prefix?: boolean | undefined;
  mode?: SearchMode | undefined;
  changedFrom?: number | undefined;
  changedBefore?: number | undefined;
  /** What the index does not know: others are passed over. */
  isWanted?: ((one: Item | Folder) => boolean) | undefined;
}

/** So often more is asked for where few of those that match are wanted; the page after goes on from there. */
const maxRounds = 10;
const roundSize = 50;

/** Items and folders of the bases that match, best first, with passages. */
export async function searchBases(
  services: Reach,
  baseIds: readonly string[],
  query: string,
  page: HitsPage,
): Promise<Hits> {
  const hits: Hit[] = [];
  const size = page.isWanted && page.limit > 0 ? Math.max(page.limit, roundSize) : page.limit;
  let next = page.after;
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
    const wanted = await described(services, baseIds, shown, page.isWanted);
    const taken = wanted.slice(0, page.limit - hits.length);
    hits.push(...(await withPassages(services, taken, query, { prefix: page.prefix })));
    const isMore = found.hits.length > size || taken.length < wanted.length;
    next = (taken.length < wanted.length ? taken : shown).at(-1)?.place;
    if (!isMore || hits.length >= page.limit || round === maxRounds)
      return {
        hits,
        next: isMore ? next : undefined,
        total: page.isWanted ? undefined : found.total,
        isKeywordOnly: found.isKeywordOnly === true,
      };
  }
}

/** The index may be a moment behind: what is gone, or went where the caller cannot look, is not shown. */
async function described(
  services: Reach,
  baseIds: readonly string[],
  found: readonly SearchHit[],
  isWanted: HitsPage['isWanted'],
): Promise<Hit[]> {
  const ids = found.map((hit) => hit.id);
  const allowed = new Set(baseIds);
  const isShown = (one: Item | Folder): boolean =>
    one.deletedAt === null && allowed.has(one.baseId) && (!isWanted || isWanted(one));
  const items = new Map((await services.wiki.items.items(ids)).filter(isShown).map((item) => [item.id, item]));
  const folders = new Map((await services.wiki.tree.folders(ids)).filter(isShown).map((one) => [one.id, one]));
  return found.flatMap(({ id, match, score, near, place }): Hit[] => {
    const item = items.get(id);
    const folder = folders.get(id);
    if (item) return [{ item, match, score, near, place }];
    return folder ? [{ folder, match, score, near, place }] : [];
  });
}

async function withPassages(
  services: Reach,
  hits: readonly Hit[],
  query: string,
  options: ParseOptions,
): Promise<Hit[]> {
  const items = hits.flatMap(({ item }) => (item ? [item] : []));
  const texts =
    query.trim() === ''
      ? new Map<string, Readable>()
      : await new WikiReader(services.wiki, services.noteReader).texts(items);
  const shown: Hit[] = [];
  for (const hit of hits) {
    const text = hit.item && texts.get(hit.item.id);
    const body = text?.body ?? '';
    const passage =
      body === ''
        ? undefined
        : (highlightPassage(body.slice(0, passageReach), query, undefined, options) ?? nearPassage(body, hit.near));
    shown.push({ ...hit, ...(passage === undefined ? {} : { passage }), text });
    // Others wait while a long text is read.
    if (body.length > 100_000) await new Promise((resolve) => setImmediate(resolve));
  }
  return shown;
}
