import type { QuantizedVectors } from '@sheaf/search/index/quantized-vectors';
import { sha256 } from '../../lib/hash.ts';
import type { SearchHit, SearchIndex, SearchQuery, SearchResult } from '../../ports/search-index.ts';
import type { NearestPassage, VectorIndex } from './vector-index.ts';

/**
 * Number of best hits of the word search that are ranked together with equally many nearest passages of the vector
 * search.
 */
const headSize = 50;
/** Minimum similarity of a hit by meaning, relative to the similarity of the nearest passage. */
const minRelativeScore = 0.7;
const minScore = 0.05;
/**
 * Maximum number of passages fetched for the second and later pages of results. It is high, because each of these pages
 * fetches all passages that are at least as similar to the query as the last one on the first page.
 */
const maxNear = 1000;

/**
 * Position from which the next page of a hybrid search continues. The results begin with the head, which ranks hits by
 * words and by meaning together. The tail lists the remaining hits by words.
 */
interface HybridCursor {
  isTail: boolean;
  /**
   * Lowest similarity on the first page. Later pages use it as their limit, so that entries added or deleted meanwhile
   * cause no gaps. Undefined if the search uses words alone because the model did not answer.
   */
  atLeast: number | undefined;
  /**
   * Short hashes of the hits in the head that earlier pages contained, so that no hit is returned twice. The head is
   * the beginning of the results, ranked by words and by meaning together.
   */
  shown: string;
  /**
   * Cursor of the word search. It contains the term statistics (weights of the query's words) and, if `isTail` is true,
   * before them the position of the last hit.
   */
  words: SearchHit['place'];
}

/**
 * Factor for the scores of the tail (the remaining hits, found by words alone). It makes them lower than the scores of
 * all hits before the tail.
 */
const tailScore = 1e-6;
const mark = 'meaning';
const hashLength = 8;

/**
 * Hybrid search: merges hits by words and by meaning. The results begin with the head, whose hits are ranked by the sum
 * of their word score (relative to the best hit) and their weighted similarity. The tail lists the remaining hits by
 * words.
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
    // If the cursor comes from a search by words alone, continue by words alone.
    if (isPlain || (query.after !== undefined && !place)) return this.#words.search(query);
    const question = await this.#embed(query, place);
    const near = question && (await this.#near(question, query, place));
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
    const head = place?.isTail ? [] : await this.#fuse(found.hits, near, question, query);
    const unseen = head.filter(({ id }) => !isIn(shown, id));
    const hits: SearchHit[] = [];
    let seen = shown;
    for (const hit of unseen.slice(0, query.limit)) {
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

  /**
   * Returns the query's vector. Returns undefined if the model does not answer now, or did not answer for the first
   * page, because all pages of a search must be ranked in the same way.
   */
  async #embed(query: SearchQuery, place: HybridCursor | undefined): Promise<QuantizedVectors | undefined> {
    if (place && place.atLeast === undefined) return undefined;
    return this.#vectors.embedQuery(query.anywhere!.trim());
  }

  /**
   * Returns the passages most similar in meaning to the query. For the first page, passages far less similar than the
   * best one are left out. Later pages use the lowest similarity of the first page as the limit.
   */
  async #near(
    question: QuantizedVectors,
    { space, owners }: SearchQuery,
    place: HybridCursor | undefined,
  ): Promise<NearestPassage[]> {
    const atLeast = place?.atLeast;
    const limit = atLeast === undefined ? headSize : maxNear;
    const near = await this.#vectors.nearest(question, { space, owners, limit, atLeast });
    if (atLeast !== undefined) return near;
    const least = Math.max(minScore, (near[0]?.score ?? 0) * minRelativeScore);
    return near.filter(({ score }) => score >= least);
  }

  /** Merges hits by words and by meaning, best first. */
  async #fuse(
    words: readonly SearchHit[],
    near: readonly NearestPassage[] | undefined,
    question: QuantizedVectors | undefined,
    { space, owners }: SearchQuery,
  ): Promise<Ranked[]> {
    if (!near || !question) return words.map(({ id, match, score }) => ({ id, match, score }));
    const known = new Set(near.map(({ id }) => id));
    // Look up the similarities of the word hits that are not among the nearest passages, because their scores depend on
    // the similarity, too.
    const ids = words.map(({ id }) => id).filter((id) => !known.has(id));
    const others = ids.length === 0 ? new Map() : await this.#vectors.similarities(question, { space, owners, ids });
    return fuse(words, near, others, this.#vectors.share);
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

/**
 * Merges the hits by words and by meaning (the nearest passages), best first. Hits that contain every word come before
 * all others. Hits without any word are marked 'meaning'. `similarities` contains the similarities of hits by words
 * that are not among the nearest passages.
 */
function fuse(
  words: readonly SearchHit[],
  near: readonly NearestPassage[],
  similarities: ReadonlyMap<string, number>,
  share: number,
): Ranked[] {
  const best = words.reduce((most, { score }) => Math.max(most, score), 0);
  // Multiply by the best word score, at most 1, so that scores of different spaces (kinds of entries) remain
  // comparable.
  const factor = best === 0 ? 1 : Math.min(1, best);
  const fused = new Map<string, Ranked>();
  for (const { id, match, score } of words) {
    const similarity = similarities.get(id) ?? 0;
    fused.set(id, { id, match, score: factor * ((best === 0 ? 0 : score / best) + share * similarity) });
  }
  for (const { id, from, to, score } of near) {
    const before = fused.get(id) ?? { id, match: 'meaning' as const, score: 0 };
    fused.set(id, {
      ...before,
      score: before.score + factor * share * score,
      near: { from, to, score: share * score },
    });
  }
  return [...fused.values()].sort(
    (one, other) => isAll(other) - isAll(one) || other.score - one.score || byWords(one, other),
  );
}

function isAll({ match }: Ranked): number {
  return match === 'all' ? 1 : 0;
}

/** Orders hits with equal scores: hits that contain a word of the query come first. */
function byWords(one: Ranked, other: Ranked): number {
  const without = Number(one.match === 'meaning') - Number(other.match === 'meaning');
  return without || (one.id < other.id ? -1 : 1);
}

/** Index at which the term statistics start in a cursor of the word search (searcher.ts). */
const statisticsFrom = 4;

function statisticsIn({ isTail, words }: HybridCursor): SearchHit['place'] {
  return isTail ? words.slice(statisticsFrom) : words;
}

/**
 * Returns a cursor of the word search that stands before the first hit. It contains the term statistics of the first
 * page, so that words have the same weight on every page.
 */
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
