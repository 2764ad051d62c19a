import { growArray } from '../index/bytes.ts';
import type { CollectionStatistics } from './bm25.ts';

/**
 * Numbers about the searched documents that scores depend on. While these numbers stay the same, the score of an
 * unchanged document stays the same.
 */
export interface QueryStatistics extends CollectionStatistics {
  /** For each term of the query's first clause, the number of documents that contain it. */
  documentFrequencies: readonly number[];
}

/** The matching documents, unsorted. If only the best hits were requested, other documents may be missing. */
export interface MatchedDocuments {
  /** For each hit, the index of the segment in the list of segments, and the index of the document in that segment. */
  segments: Uint32Array;
  documents: Uint32Array;
  scores: Float64Array;
  /** For each hit, 1 if the document contains every query word, 0 if it contains only some. */
  matchesAllTerms: Uint8Array;
  length: number;
  /** Number of all matching documents, including those that are not in the result. */
  total: number;
  statistics: QueryStatistics;
  /** Maximum number of query words found in one hit. */
  maxMatched: number;
  /**
   * Set if only the best hits were requested: the lowest sort key (see `rankOf`) of these best hits. Hits with a lower
   * sort key may be missing from the result.
   */
  lowestRank?: number;
  /** All matching documents by segment, if they were requested in addition to the best hits. */
  matches?: readonly { segment: number; documents: Uint32Array }[];
  /**
   * Maps query words to the words searched in their place: a similar word if no document contains the query word, or
   * translations.
   */
  corrected?: ReadonlyMap<string, string>;
}

/**
 * If more hits than this are requested, all hits are collected, because maintaining a list of the best ones would cost
 * more time than it saves.
 */
const maxTopRanks = 128;

/** Rounding error allowed between sums of the same numbers in a different order. */
export const scoreTolerance = 1e-9;

/** Bonus that sorts hits with every query word before all others; it is far above any score. */
const allTermsBonus = 2 ** 20;

/** Returns the sort key of a hit: hits with every query word come first, then higher scores. */
export function rankOf(score: number, isAll: boolean): number {
  return isAll ? score + allTermsBonus : score;
}

/**
 * The best ranks (sort keys of hits) so far, as a heap whose first element is the lowest of them. A hit below the lowest
 * cannot be among the best.
 */
export class TopRanks {
  readonly #ranks: Float64Array;

  constructor(size: number) {
    this.#ranks = new Float64Array(size);
  }

  get size(): number {
    return this.#ranks.length;
  }

  /** The lowest of the best ranks (sort keys of hits). It is 0 as long as fewer hits than wanted have been found. */
  get lowest(): number {
    return this.#ranks[0]!;
  }

  clear(): void {
    this.#ranks.fill(0);
  }

  /** Copies the ranks of another list of the same size. */
  copyFrom(other: TopRanks): void {
    this.#ranks.set(other.#ranks);
  }

  /** Replaces the lowest rank if the given one is higher. */
  add(rank: number): void {
    const ranks = this.#ranks;
    const { length } = ranks;
    if (rank <= ranks[0]!) return;
    let at = 0;
    for (let next = 1; next < length; next = 2 * at + 1) {
      if (next + 1 < length && ranks[next + 1]! < ranks[next]!) next += 1;
      if (ranks[next]! >= rank) break;
      ranks[at] = ranks[next]!;
      at = next;
    }
    ranks[at] = rank;
  }
}

/**
 * Collects the documents that match a query. The minimum weight of a match depends on the highest weight of all
 * documents, so when a document with a higher weight raises the minimum, the hits collected before are dropped.
 */
export class HitCollector {
  readonly statistics: QueryStatistics;
  /** If set, only hits that can be among the best are collected. */
  readonly topRanks: TopRanks | undefined;
  readonly #matches: { segment: number; documents: Uint32Array }[] | undefined;
  #segments = new Uint32Array(0);
  #documents = new Uint32Array(0);
  #scores = new Float64Array(0);
  #isAll = new Uint8Array(0);
  #length = 0;
  #total = 0;
  #maxWeight = 0;
  maxMatched = 0;

  constructor(
    statistics: QueryStatistics,
    { wanted, hasMatches = false }: { wanted?: number | undefined; hasMatches?: boolean | undefined } = {},
  ) {
    this.statistics = statistics;
    this.topRanks = wanted === undefined || wanted > maxTopRanks ? undefined : new TopRanks(wanted);
    this.#matches = hasMatches && this.topRanks ? [] : undefined;
  }

  get maxWeight(): number {
    return this.#maxWeight;
  }

  /**
   * Records the highest weight of a segment's candidates. If this raises the weight that a match needs (see
   * `threshold`), drops the hits collected so far. The caller must call this before it adds matches of the segment.
   */
  recordWeight(weight: number, least: number): void {
    if (weight <= this.#maxWeight) return;
    const before = this.#maxWeight;
    this.#maxWeight = weight;
    if (this.#total === 0 || before >= this.threshold(least)) return;
    this.topRanks?.clear();
    if (this.#matches) this.#matches.length = 0;
    this.#length = 0;
    this.#total = 0;
  }

  /**
   * Returns the minimum weight of a matching document: `least`, or the highest weight seen so far if no document has
   * reached `least`. It is reduced slightly to tolerate rounding errors.
   */
  threshold(least: number): number {
    return Math.min(least, this.#maxWeight) * (1 - scoreTolerance);
  }

  /**
   * Counts the matching documents of a segment, including those that cannot be among the best hits. Keeps their indexes
   * if the query asks for all matches.
   */
  addMatches(segment: number, documents: Uint32Array, count: number): void {
    this.#total += count;
    this.#matches?.push({ segment, documents: documents.slice(0, count) });
  }

  /** Makes room for the hits of a segment. */
  reserve(more: number): void {
    const size = this.#length + more;
    if (size > this.#scores.length) this.#grow(Math.max(size, this.#length === 0 ? 0 : 2 * this.#scores.length));
  }

  /** Adds a hit. The caller must have called `reserve` before. */
  add(segment: number, document: number, score: number, isAll: boolean): void {
    const at = this.#length++;
    this.#segments[at] = segment;
    this.#documents[at] = document;
    this.#scores[at] = score;
    this.#isAll[at] = isAll ? 1 : 0;
  }

  finish(isStrict: boolean): MatchedDocuments {
    const length = isStrict ? this.#dropPartial() : this.#length;
    return {
      segments: this.#segments.subarray(0, length),
      documents: this.#documents.subarray(0, length),
      scores: this.#scores.subarray(0, length),
      matchesAllTerms: this.#isAll.subarray(0, length),
      length,
      total: isStrict ? length : this.#total,
      statistics: this.statistics,
      maxMatched: this.maxMatched,
      ...(this.topRanks && { lowestRank: this.topRanks.lowest }),
      ...(this.#matches && { matches: this.#matches }),
    };
  }

  /** Keeps only the hits that contain every word, and returns their number. */
  #dropPartial(): number {
    let length = 0;
    for (let i = 0; i < this.#length; i++) {
      if (this.#isAll[i] === 0) continue;
      this.#segments[length] = this.#segments[i]!;
      this.#documents[length] = this.#documents[i]!;
      this.#scores[length] = this.#scores[i]!;
      this.#isAll[length] = 1;
      length += 1;
    }
    return length;
  }

  #grow(size: number): void {
    this.#segments = growArray(this.#segments, size);
    this.#documents = growArray(this.#documents, size);
    this.#scores = growArray(this.#scores, size);
    this.#isAll = growArray(this.#isAll, size);
  }
}
