import type { Collection } from './score.ts';

/** What the order of a question's answers depends on: with the same, an unchanged document has the same score. */
export interface Statistics extends Collection {
  /** How many documents have each word of the first clause. */
  having: readonly number[];
}

/** The documents that answer, in no order. */
export interface Answers {
  /** Which segment, by its place in the list, and which document of it. */
  segments: Uint32Array;
  documents: Uint32Array;
  scores: Float64Array;
  /** 1 where every word is there, 0 where only some are. */
  isAll: Uint8Array;
  length: number;
  statistics: Statistics;
}

/** Sums of the same numbers in another order differ by less than this. */
export const tolerance = 1e-9;

/** Answers as they are found; which of them have weight enough is known in the end. */
export class Gathered {
  readonly statistics: Statistics;
  #segments = new Uint32Array(256);
  #documents = new Uint32Array(256);
  #scores = new Float64Array(256);
  #weights = new Float64Array(256);
  #isAll = new Uint8Array(256);
  #length = 0;
  #most = 0;

  constructor(statistics: Statistics) {
    this.statistics = statistics;
  }

  /** The most that anything was seen to have. */
  get most(): number {
    return this.#most;
  }

  /** What one of the answers may have; `add` comes after all of a segment were seen. */
  saw(weight: number): void {
    if (weight > this.#most) this.#most = weight;
  }

  /** Where nothing has so much of the question's weight, what has the most. The sums differ by their order in the last digits. */
  enough(least: number): number {
    return Math.min(least, this.#most) * (1 - tolerance);
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

  done(least: number, isStrict: boolean): Answers {
    const enough = this.enough(least);
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
      isAll: this.#isAll.subarray(0, length),
      length,
      statistics: this.statistics,
    };
  }

  #grow(): void {
    const size = this.#scores.length * 4;
    const longer = <Numbers extends Uint32Array | Float64Array | Uint8Array>(
      array: Numbers,
      made: Numbers,
    ): Numbers => {
      made.set(array);
      return made;
    };
    this.#segments = longer(this.#segments, new Uint32Array(size));
    this.#documents = longer(this.#documents, new Uint32Array(size));
    this.#scores = longer(this.#scores, new Float64Array(size));
    this.#weights = longer(this.#weights, new Float64Array(size));
    this.#isAll = longer(this.#isAll, new Uint8Array(size));
  }
}
