import { growArray } from '../index/bytes.ts';
import type { CollectionStatistics } from './bm25.ts';

/**
 * The collection statistics on which scores depend. As long as they are equal, an unchanged document keeps its score.
 */
export interface QueryStatistics extends CollectionStatistics {
  /** Document frequency of each word of the first clause. */
  documentFrequencies: readonly number[];
}

/** The matching documents, unsorted; if only some best hits were wanted, at least those. */
export interface MatchedDocuments {
  /** For each hit, the index of the segment in the list of segments, and the index of the document in that segment. */
  segments: Uint32Array;
  documents: Uint32Array;
  scores: Float64Array;
  /** 1 if the document contains every query word, 0 if it contains only some. */
  matchesAllTerms: Uint8Array;
  length: number;
  /** Number of all matching documents. */
  total: number;
  statistics: QueryStatistics;
  /** Largest number of query words that one of the hits has. */
  maxMatched: number;
  /** If only some best hits were wanted: none of them has a lower `rankOf` than this. */
  lowestRank?: number;
  /** All matching documents by segment, if they were asked for beside the best hits. */
  matches?: readonly { segment: number; documents: Uint32Array }[];
  /** Maps each query word that no document contains to the similar word that was searched instead. */
  corrected?: ReadonlyMap<string, string>;
}

/** Above this number of wanted hits, keeping their ranks in order costs more than it saves. */
const maxTopRanks = 128;

/** Rounding error allowed between sums of the same numbers in a different order. */
export const tolerance = 1e-9;

/** Added to the score of what has every word, because it comes first; scores are far below it. */
const allTermsBonus = 2 ** 20;

/** Sort key of a hit: what has every word first, then by score. */
export function rankOf(score: number, isAll: boolean): number {
  return isAll ? score + allTermsBonus : score;
}

/** The best ranks so far; a hit that cannot reach the lowest of them is not among the best. */
export class TopRanks {
  readonly #ranks: Float64Array;

  constructor(size: number) {
    this.#ranks = new Float64Array(size);
  }

  get size(): number {
    return this.#ranks.length;
  }

  /** The lowest of the best ranks; 0 until there are as many as asked for. */
  get lowest(): number {
    return this.#ranks[0]!;
  }

  clear(): void {
    this.#ranks.fill(0);
  }

  /** Takes over the ranks of another list of the same size. */
  copyFrom(other: TopRanks): void {
    this.#ranks.set(other.#ranks);
  }

  add(rank: number): void {
    const ranks = this.#ranks;
    if (rank <= ranks[0]!) return;
    let at = 0;
    for (; at + 1 < ranks.length && ranks[at + 1]! < rank; at++) ranks[at] = ranks[at + 1]!;
    ranks[at] = rank;
  }
}

/**
 * Collects matching documents. The weight threshold depends on the highest weight of all documents: when a greater one is
 * seen, the hits so far are no longer matches.
 */
export class HitCollector {
  readonly statistics: QueryStatistics;
  /** With it, only hits that can be among the best are needed. */
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

  /** Records the highest weight of a segment's candidates, before the matches among them are added. */
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
   * Returns the minimum weight of a match: `least`, or the highest weight seen if that is lower. It is reduced by the
   * tolerance for rounding differences between sums in a different order.
   */
  threshold(least: number): number {
    return Math.min(least, this.#maxWeight) * (1 - tolerance);
  }

  /** Counts matching documents of a segment, whether or not they can be among the best hits. */
  addMatches(segment: number, documents: Uint32Array, count: number): void {
    this.#total += count;
    this.#matches?.push({ segment, documents: documents.slice(0, count) });
  }

  /** Makes room for the hits of a segment. */
  reserve(more: number): void {
    const size = this.#length + more;
    if (size > this.#scores.length) this.#grow(Math.max(size, this.#length === 0 ? 0 : 2 * this.#scores.length));
  }

  /** Adds a hit; `reserve` has made room for it. */
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
