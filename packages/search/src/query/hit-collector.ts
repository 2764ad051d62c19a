import { growArray } from '../index/bytes.ts';
import type { CollectionStatistics } from './bm25.ts';

/** The collection statistics that scores depend on. With equal statistics an unchanged document has an equal score. */
export interface QueryStatistics extends CollectionStatistics {
  /** Document frequency of each word of the first clause. */
  documentFrequencies: readonly number[];
}

/** The matching documents, unsorted. */
export interface MatchedDocuments {
  /** Index of the segment in the list, and number of the document in that segment. */
  segments: Uint32Array;
  documents: Uint32Array;
  scores: Float64Array;
  /** 1 if the document contains every word, 0 if it contains only some. */
  matchesAllTerms: Uint8Array;
  length: number;
  statistics: QueryStatistics;
  /** The nearest words that were searched in place of words that no document has. */
  corrected?: ReadonlyMap<string, string>;
}

/** Rounding error allowed between sums of the same numbers in a different order. */
export const tolerance = 1e-9;

/**
 * Collects matching documents. The weight threshold depends on the highest weight seen, so documents are filtered only
 * at the end.
 */
export class HitCollector {
  readonly statistics: QueryStatistics;
  #segments = new Uint32Array(256);
  #documents = new Uint32Array(256);
  #scores = new Float64Array(256);
  #weights = new Float64Array(256);
  #isAll = new Uint8Array(256);
  #length = 0;
  #maxWeight = 0;

  constructor(statistics: QueryStatistics) {
    this.statistics = statistics;
  }

  /** The highest weight seen so far. */
  get maxWeight(): number {
    return this.#maxWeight;
  }

  /** Records the weight of a candidate. Call it for all candidates of a segment before `add`. */
  recordWeight(weight: number): void {
    if (weight > this.#maxWeight) this.#maxWeight = weight;
  }

  /**
   * Returns the weight threshold: `least`, or the highest weight seen if no document reaches `least`. The tolerance covers
   * rounding differences between sums in a different order.
   */
  threshold(least: number): number {
    return Math.min(least, this.#maxWeight) * (1 - tolerance);
  }

  add(segment: number, document: number, score: number, weight: number, isAll: boolean): void {
    if (this.#length === this.#scores.length) this.#grow();
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
    };
  }

  #grow(): void {
    const size = this.#scores.length * 4;
    this.#segments = growArray(this.#segments, size);
    this.#documents = growArray(this.#documents, size);
    this.#scores = growArray(this.#scores, size);
    this.#weights = growArray(this.#weights, size);
    this.#isAll = growArray(this.#isAll, size);
  }
}
