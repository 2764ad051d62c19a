import { growArray } from '../index/bytes.ts';
import type { CollectionStatistics } from './bm25.ts';

/**
 * The collection statistics on which scores depend. As long as they are equal, an unchanged document keeps its score.
 */
export interface QueryStatistics extends CollectionStatistics {
  /** Document frequency of each word of the first clause. */
  documentFrequencies: readonly number[];
}

/** The matching documents, unsorted. */
export interface MatchedDocuments {
  /**
   * For each match, the index of the segment in the list of segments, and the index of the document in that segment.
   */
  segments: Uint32Array;
  documents: Uint32Array;
  /** 0 for a hit that is not among the wanted best ones. */
  scores: Float64Array;
  /** 1 if the document contains every query word, 0 if it contains only some. */
  matchesAllTerms: Uint8Array;
  length: number;
  statistics: QueryStatistics;
  /** Largest number of query words that one document has. */
  maxMatched: number;
  /** If only some best hits were wanted: none of them has a lower `rankOf` than this. */
  lowestRank?: number;
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

  constructor(size: number, before?: TopRanks) {
    this.#ranks = before ? before.#ranks.slice() : new Float64Array(size);
  }

  get size(): number {
    return this.#ranks.length;
  }

  /** The lowest of the best ranks; 0 until there are as many as asked for. */
  get lowest(): number {
    return this.#ranks[0]!;
  }

  /** True if only hits with every word are among the best. */
  get isAll(): boolean {
    return this.lowest >= allTermsBonus;
  }

  clear(): void {
    this.#ranks.fill(0);
  }

  copy(): TopRanks {
    return new TopRanks(this.size, this);
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
 * Collects matching documents. The weight threshold depends on the highest weight of all documents, so the final
 * filtering happens at the end.
 */
export class HitCollector {
  readonly statistics: QueryStatistics;
  #segments = new Uint32Array(0);
  #documents = new Uint32Array(0);
  #scores = new Float64Array(0);
  #weights = new Float64Array(0);
  #isAll = new Uint8Array(0);
  #length = 0;
  maxMatched = 0;
  #maxWeight = 0;
  #threshold = 0;

  /** With it, only hits that can be among the best need a score. */
  readonly topRanks: TopRanks | undefined;

  constructor(statistics: QueryStatistics, wanted?: number) {
    this.statistics = statistics;
    this.topRanks = wanted === undefined || wanted > maxTopRanks ? undefined : new TopRanks(wanted);
  }

  get maxWeight(): number {
    return this.#maxWeight;
  }

  /** Records the weight of a candidate. Call it for all candidates of a segment before `add`. */
  recordWeight(weight: number): void {
    if (weight > this.#maxWeight) this.#maxWeight = weight;
  }

  /** Forgets the ranks of the hits so far, which `finish` drops, if greater weights have raised the threshold. */
  updateThreshold(least: number): void {
    const threshold = this.threshold(least);
    if (threshold > this.#threshold) this.topRanks?.clear();
    this.#threshold = threshold;
  }

  /**
   * Returns the minimum weight of a match: `least`, or the highest weight seen if that is lower. It is reduced by the
   * tolerance for rounding differences between sums in a different order.
   */
  threshold(least: number): number {
    return Math.min(least, this.#maxWeight) * (1 - tolerance);
  }

  /** Makes room for the hits of a segment. */
  reserve(more: number): void {
    const size = this.#length + more;
    if (size > this.#scores.length) this.#grow(Math.max(size, this.#length === 0 ? 0 : 2 * this.#scores.length));
  }

  /** Adds a hit; `reserve` has made room for it. */
  add(segment: number, document: number, score: number, weight: number, isAll: boolean): void {
    const at = this.#length++;
    this.#segments[at] = segment;
    this.#documents[at] = document;
    this.#scores[at] = score;
    this.#weights[at] = weight;
    this.#isAll[at] = isAll ? 1 : 0;
  }

  finish(least: number, isStrict: boolean): MatchedDocuments {
    const enough = this.threshold(least);
    let length = 0;
    for (let i = 0; i < this.#length; i++) {
      if (this.#weights[i]! < enough || (isStrict && this.#isAll[i] === 0)) continue;
      this.#segments[length] = this.#segments[i]!;
      this.#documents[length] = this.#documents[i]!;
      this.#scores[length] = this.#scores[i]!;
      this.#isAll[length] = this.#isAll[i]!;
      length += 1;
    }
    return {
      segments: this.#segments.subarray(0, length),
      documents: this.#documents.subarray(0, length),
      scores: this.#scores.subarray(0, length),
      matchesAllTerms: this.#isAll.subarray(0, length),
      length,
      statistics: this.statistics,
      maxMatched: this.maxMatched,
      ...(this.topRanks && { lowestRank: this.topRanks.lowest }),
    };
  }

  #grow(size: number): void {
    this.#segments = growArray(this.#segments, size);
    this.#documents = growArray(this.#documents, size);
    this.#scores = growArray(this.#scores, size);
    this.#weights = growArray(this.#weights, size);
    this.#isAll = growArray(this.#isAll, size);
  }
}
