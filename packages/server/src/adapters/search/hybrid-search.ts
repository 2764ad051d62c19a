import { sha256 } from '../../lib/hash.ts';
import type { SearchHit, SearchIndex, SearchQuery, SearchResult } from '../../ports/search-index.ts';
import type { NearestPassage, VectorIndex } from './vector-index.ts';

/** Number of best hits by words, and of nearest passages, that are ranked together. */
const headSize = 50;
/** Minimum similarity, relative to the nearest passage, for a hit by meaning. */
const minRelativeScore = 0.7;
const minScore = 0.05;
/** The constant k of reciprocal rank fusion; a larger one gives the first ranks less weight. */
const rankBase = 60;
/** Limit for later pages, which fetch every passage down to the first page's lowest score, including new ones. */
const maxNear = 1000;

/** Cursor position. `atLeast` is the lowest similarity on the first page, so that additions and deletions cause no gaps. */
interface HybridCursor {
  isTail: boolean;
  /** Undefined if the search fell back to words. */
  atLeast: number | undefined;
  /** Short hashes of the head's hits already shown, to avoid duplicates. */
  shown: string;
  /** In the head: the term statistics. In the tail: the position of the last hit by words. */
  words: SearchHit['place'];
}

/** Factor that keeps scores of the tail below those of the head. */
const tailScore = 1e-6;
const mark = 'meaning';
const hashLength = 8;

/**
 * Hybrid search: merges hits by words and by meaning. The head is ranked by reciprocal rank fusion; the tail lists the
 * remaining hits by words.
 */
export class HybridSearch implements Pick<SearchIndex, 'search'> {
  readonly #words: Pick<SearchIndex, 'search'>;
  readonly #vectors: VectorIndex;

  constructor(words: Pick<SearchIndex, 'search'>, vectors: VectorIndex) {
    this.#words = words;
    this.#vectors = vectors;
  }

  async search(query: SearchQuery): Promise<SearchResult> {
    const isAsked = query.mode === 'both' || query.mode === 'meaning';
    const isPlain = !isAsked || query.order !== 'rank' || query.offset !== 0 || (query.anywhere ?? '').trim() === '';
    const place = query.after === undefined ? undefined : parseCursor(query.after);
    // A cursor from a search without meaning continues without it.
    if (isPlain || (query.after !== undefined && !place)) return this.#words.search(query);
    const near = await this.#near(query, place);
    const isKeywordOnly = near === undefined;
    const hasWords = query.mode === 'both' || isKeywordOnly;
    const atLeast = isKeywordOnly ? undefined : (place?.atLeast ?? near.at(-1)?.score ?? 1);
    const found: SearchResult = hasWords
      ? await this.#words.search({
          ...query,
          after: place && startCursor(place),
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
      hits.push({ ...hit, place: formatCursor({ isTail: false, atLeast, shown: seen, words: statistics }) });
    }
    const missing = query.limit - hits.length;
    const after = place?.isTail ? place.words : found.hits.at(-1)?.place;
    const isMore = place?.isTail === true || found.total > found.hits.length;
    if (missing > 0 && hasWords && after && isMore)
      hits.push(...(await this.#tail(query, after, seen, atLeast, missing)));
    const { corrected } = found;
    return { hits, total, ...(isKeywordOnly ? { isKeywordOnly } : {}), ...(corrected && { corrected }) };
  }

  /** Passages near enough in meaning; undefined if the endpoint does not answer, or did not for the first page. */
  async #near(query: SearchQuery, place: HybridCursor | undefined): Promise<NearestPassage[] | undefined> {
    if (place && place.atLeast === undefined) return undefined;
    const question = await this.#vectors.embedQuery(query.anywhere!.trim());
    if (!question) return undefined;
    const { space, owners } = query;
    const atLeast = place?.atLeast;
    const limit = atLeast === undefined ? headSize : maxNear;
    const near = await this.#vectors.nearest(question, { space, owners, limit, atLeast });
    if (atLeast !== undefined) return near;
    const least = Math.max(minScore, (near[0]?.score ?? 0) * minRelativeScore);
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
        place: formatCursor({ isTail: true, atLeast, shown, words: hit.place }),
      }));
  }
}

type Ranked = Omit<SearchHit, 'place'>;

/** Merges both lists, best first, with hits that have every word on top. Hits without any word are marked 'meaning'. */
function fuse(words: readonly SearchHit[], near: readonly NearestPassage[]): Ranked[] {
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

/** Breaks ties: hits with a word of the query first. */
function byWords(one: Ranked, other: Ranked): number {
  const without = Number(one.match === 'meaning') - Number(other.match === 'meaning');
  return without || (one.id < other.id ? -1 : 1);
}

/** Index of the term statistics in a cursor of the word search (see searcher.ts). */
const statisticsFrom = 4;

function statisticsIn({ isTail, words }: HybridCursor): SearchHit['place'] {
  return isTail ? words.slice(statisticsFrom) : words;
}

/** A cursor before the first hit that carries the first page's term statistics, so that every page weighs words alike. */
function startCursor(place: HybridCursor): SearchHit['place'] | undefined {
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

function formatCursor({ isTail, atLeast, shown, words }: HybridCursor): SearchHit['place'] {
  return [mark, isTail ? 1 : 0, atLeast ?? '', shown, ...words];
}

function parseCursor([first, isTail, atLeast, shown, ...words]: SearchHit['place']): HybridCursor | undefined {
  if (first !== mark) return undefined;
  return {
    isTail: isTail === 1,
    atLeast: typeof atLeast === 'number' ? atLeast : undefined,
    shown: String(shown),
    words,
  };
}
