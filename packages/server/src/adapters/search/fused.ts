import { sha256 } from '../../lib/hash.ts';
import type { SearchEntry, SearchHit, SearchIndex, SearchQuery, SearchResult } from '../../ports/search-index.ts';
import type { NearPassage, VectorIndex } from './vector-index.ts';

/** So many of the best by words are ranked together with so many of the nearest. */
const headSize = 50;
/** What is less near than this, compared with the nearest, is not found by meaning. */
const leastShare = 0.7;
const leastScore = 0.05;
/** The constant of reciprocal ranks: how little the very first places stand out. */
const rankBase = 60;
/** All that are as near as the last one of the first page, in case many came since. */
const maxNear = 1000;

/** Where a page goes on. The score of the last thing that was near enough: whatever comes or goes, no other is skipped. */
interface Place {
  isTail: boolean;
  /** Undefined where nothing was searched by meaning. */
  atLeast: number | undefined;
  /** Short hashes of what was shown of the head, so that nothing is shown twice. */
  shown: string;
  /** In the head: the statistics of the words. In the rest: where its last hit is among those with the words. */
  words: SearchHit['place'];
}

/** Keeps the score of whatever follows the head below what stands in it. */
const tailScore = 1e-6;
const mark = 'meaning';
const hashLength = 8;

/**
 * Puts what is near in meaning together with what has the words: the head by the sum of reciprocal ranks, then the rest of
 * what has the words. Everything else is left to the index of words.
 */
export class FusedSearchIndex implements SearchIndex {
  readonly #words: SearchIndex;
  readonly #vectors: VectorIndex;

  constructor(words: SearchIndex, vectors: VectorIndex) {
    this.#words = words;
    this.#vectors = vectors;
  }

  get needsRebuild(): boolean {
    return this.#words.needsRebuild;
  }

  put(entries: readonly SearchEntry[]): Promise<void> {
    return this.#words.put(entries);
  }

  remove(space: string, ids: readonly string[]): Promise<void> {
    return this.#words.remove(space, ids);
  }

  clear(space: string): Promise<void> {
    return this.#words.clear(space);
  }

  takeRebuild(): ReturnType<SearchIndex['takeRebuild']> {
    return this.#words.takeRebuild();
  }

  rebuilt(): Promise<void> {
    return this.#words.rebuilt();
  }

  close(): Promise<void> {
    return this.#words.close();
  }

  async search(query: SearchQuery): Promise<SearchResult> {
    const isAsked = query.mode === 'both' || query.mode === 'meaning';
    const isPlain = !isAsked || query.order !== 'rank' || query.offset !== 0 || (query.anywhere ?? '').trim() === '';
    const place = query.after === undefined ? undefined : readPlace(query.after);
    // A cursor of a time when nothing was searched by meaning goes on as it began.
    if (isPlain || (query.after !== undefined && !place)) return this.#words.search(query);
    const near = await this.#near(query, place);
    const isKeywordOnly = near === undefined;
    const hasWords = query.mode === 'both' || isKeywordOnly;
    const atLeast = isKeywordOnly ? undefined : (place?.atLeast ?? near.at(-1)?.score ?? 1);
    const found = hasWords
      ? await this.#words.search({
          ...query,
          after: place && beginning(place),
          limit: headSize,
          among: near?.map((one) => one.id) ?? [],
        })
      : { hits: [], total: 0, among: [] };
    const withWords = new Set(found.among);
    const total = found.total + (near ?? []).filter((one) => !withWords.has(one.id)).length;
    const shown = place?.shown ?? '';
    const statistics = place ? statisticsIn(place) : (found.hits[0]?.place.slice(statisticsFrom) ?? []);
    const head = place?.isTail ? [] : fuse(found.hits, near ?? []).filter(({ id }) => !isIn(shown, id));
    const hits: SearchHit[] = [];
    let seen = shown;
    for (const hit of head.slice(0, query.limit)) {
      seen += shortHash(hit.id);
      hits.push({ ...hit, place: writePlace({ isTail: false, atLeast, shown: seen, words: statistics }) });
    }
    const missing = query.limit - hits.length;
    const after = place?.isTail ? place.words : found.hits.at(-1)?.place;
    const isMore = place?.isTail === true || found.total > found.hits.length;
    if (missing > 0 && hasWords && after && isMore)
      hits.push(...(await this.#tail(query, after, seen, atLeast, missing)));
    return { hits, total, ...(isKeywordOnly ? { isKeywordOnly } : {}) };
  }

  /** What is near enough; undefined where the endpoint does not answer, or did not when the first page was made. */
  async #near(query: SearchQuery, place: Place | undefined): Promise<NearPassage[] | undefined> {
    if (place && place.atLeast === undefined) return undefined;
    const question = await this.#vectors.question(query.anywhere!.trim());
    if (!question) return undefined;
    const { space, owners } = query;
    const atLeast = place?.atLeast;
    const limit = atLeast === undefined ? headSize : maxNear;
    const near = await this.#vectors.nearest(question, { space, owners, limit, atLeast });
    if (atLeast !== undefined) return near;
    const least = Math.max(leastScore, (near[0]?.score ?? 0) * leastShare);
    return near.filter(({ score }) => score >= least);
  }

  async #tail(
    query: SearchQuery,
    after: SearchHit['place'],
    shown: string,
    atLeast: number | undefined,
    limit: number,
  ): Promise<SearchHit[]> {
    const { hits } = await this.#words.search({ ...query, after, limit: limit + shown.length / hashLength });
    return hits
      .filter(({ id }) => !isIn(shown, id))
      .slice(0, limit)
      .map((hit) => ({
        ...hit,
        score: hit.score * tailScore,
        place: writePlace({ isTail: true, atLeast, shown, words: hit.place }),
      }));
  }
}

type Ranked = Omit<SearchHit, 'place'>;

/** Best first, after what has every word, as in every search; it stays marked so, and what has none is marked by how it was found. */
function fuse(words: readonly SearchHit[], near: readonly NearPassage[]): Ranked[] {
  const fused = new Map<string, Ranked>();
  words.forEach(({ id, match }, rank) => fused.set(id, { id, match, score: 1 / (rankBase + rank + 1) }));
  near.forEach(({ id, from, to, score }, rank) => {
    const before = fused.get(id) ?? { id, match: 'meaning' as const, score: 0 };
    fused.set(id, { ...before, score: before.score + 1 / (rankBase + rank + 1), near: { from, to, score } });
  });
  return [...fused.values()].sort(
    (one, other) => isAll(other) - isAll(one) || other.score - one.score || byWords(one, other),
  );
}

function isAll({ match }: Ranked): number {
  return match === 'all' ? 1 : 0;
}

/** Of two that rank alike, the one that has a word of the question comes first. */
function byWords(one: Ranked, other: Ranked): number {
  const without = Number(one.match === 'meaning') - Number(other.match === 'meaning');
  return without || (one.id < other.id ? -1 : 1);
}

/** Where the statistics begin in a place among those with the words (see searcher.ts). */
const statisticsFrom = 4;

function statisticsIn({ isTail, words }: Place): SearchHit['place'] {
  return isTail ? words.slice(statisticsFrom) : words;
}

/** The place before the first hit: with the statistics of the first page, the same words weigh the same on every page. */
function beginning(place: Place): SearchHit['place'] | undefined {
  const statistics = statisticsIn(place);
  return statistics.length === 0 ? undefined : [1, Number.MAX_VALUE, Number.MAX_VALUE, '', ...statistics];
}

function shortHash(id: string): string {
  return sha256(id).slice(0, hashLength);
}

function isIn(shown: string, id: string): boolean {
  const hash = shortHash(id);
  for (let at = 0; at < shown.length; at += hashLength) if (shown.startsWith(hash, at)) return true;
  return false;
}

function writePlace({ isTail, atLeast, shown, words }: Place): SearchHit['place'] {
  return [mark, isTail ? 1 : 0, atLeast ?? '', shown, ...words];
}

function readPlace([first, isTail, atLeast, shown, ...words]: SearchHit['place']): Place | undefined {
  if (first !== mark) return undefined;
  return {
    isTail: isTail === 1,
    atLeast: typeof atLeast === 'number' ? atLeast : undefined,
    shown: String(shown),
    words,
  };
}
