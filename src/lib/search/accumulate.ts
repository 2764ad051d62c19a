import type { OpenSegment } from './open-segment.ts';
import type { Frequencies } from './postings.ts';
import type { Unit } from './query.ts';
import { exactBonus, idf, leastShare, lengthNorm, minorShare, termScore, weightOf, type Collection } from './score.ts';
import type { UnitCounts } from './unit-reader.ts';

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

export interface Weighed {
  /** The words by falling weight: the rarest first. */
  order: readonly { unit: number; idf: number; weight: number; isEnough: boolean }[];
  /** How many words must be there for every word to be. */
  needed: number;
  least: number;
}

/** `isEnough`: with this word and all lighter ones a document may have weight enough; of the rest none makes an answer. */
export function weigh(units: readonly Unit[], { documents, having }: Statistics): Weighed {
  const known = units.map((unit, i) => {
    const count = Math.min(having[i] ?? 0, documents);
    const isMinor = unit.isMinor === true;
    return {
      unit: i,
      idf: idf(documents, count) * (isMinor ? minorShare : 1),
      weight: isMinor ? 0 : weightOf(documents, count),
    };
  });
  known.sort((one, other) => other.weight - one.weight || one.unit - other.unit);
  let rest = known.reduce((sum, one) => sum + one.weight, 0);
  const least = rest * leastShare;
  const order = known.map((one) => {
    const isEnough = one.weight > 0 && rest >= least * (1 - tolerance);
    rest -= one.weight;
    return { ...one, isEnough };
  });
  return { order, needed: units.filter((unit) => unit.isMinor !== true).length, least };
}

/** Sums of the same numbers in another order differ by less than this. */
const tolerance = 1e-9;

/** Numbers for each document of the largest segment, used for one segment at a time and zero in between. */
let scores = new Float64Array(0);
let weights = new Float64Array(0);
let matched = new Uint8Array(0);
let passed = new Uint8Array(0);
let touched = new Uint32Array(0);

/**
 * In two rounds over the lists: first only what each document has of the question's weight, then the scores of those that
 * have enough of it, which are few.
 */
export function accumulate(
  answers: Gathered,
  at: number,
  { columns }: OpenSegment,
  { order, needed, least }: Weighed,
  counts: readonly UnitCounts[],
  required: readonly Frequencies[],
): void {
  makeRoom(columns.documents.length);
  const count = addWeights(order, counts);
  for (const { documents, length } of required)
    for (let i = 0; i < length; i++) passed[documents[i]!] = passed[documents[i]!]! + 1;
  const kept = keepEnough(count, least, required.length, answers);
  for (const { documents, length } of required) for (let i = 0; i < length; i++) passed[documents[i]!] = 0;
  if (kept > 0) addScores(order, counts, columns.lengths, answers.statistics.meanLength);
  for (let i = 0; i < kept; i++) {
    const document = touched[i]!;
    answers.add(at, document, scores[document]!, weights[document]!, matched[document] === needed);
    scores[document] = 0;
    weights[document] = 0;
    matched[document] = 0;
  }
}

/** How many documents were touched. */
function addWeights(order: Weighed['order'], counts: readonly UnitCounts[]): number {
  let count = 0;
  for (const { unit, weight, isEnough } of order) {
    if (weight === 0) continue;
    const { documents, length } = counts[unit]!.all;
    for (let i = 0; i < length; i++) {
      const document = documents[i]!;
      const before = weights[document]!;
      if (before === 0) {
        if (!isEnough) continue;
        touched[count++] = document;
      }
      weights[document] = before + weight;
    }
  }
  return count;
}

/** Leaves of the touched documents those that may be answers; the others get their zero back. */
function keepEnough(count: number, least: number, wanted: number, answers: Gathered): number {
  for (let i = 0; i < count; i++) {
    const document = touched[i]!;
    if (passed[document] === wanted) answers.saw(weights[document]!);
  }
  const enough = answers.enough(least);
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const document = touched[i]!;
    if (weights[document]! >= enough && passed[document] === wanted) touched[kept++] = document;
    else weights[document] = 0;
  }
  return kept;
}

function addScores(
  order: Weighed['order'],
  counts: readonly UnitCounts[],
  lengths: Uint32Array,
  meanLength: number,
): void {
  for (const { unit, idf: worth, weight } of order) {
    const { all, exact } = counts[unit]!;
    const { documents, counts: often, length } = all;
    for (let i = 0, e = 0; i < length; i++) {
      const document = documents[i]!;
      if (weights[document] === 0) continue;
      while (e < exact.length && exact.documents[e]! < document) e += 1;
      const bonus = e < exact.length && exact.documents[e] === document ? 1 + exactBonus : 1;
      const norm = lengthNorm(lengths[document]!, meanLength);
      scores[document] = scores[document]! + termScore(worth * bonus, often[i]!, norm);
      if (weight > 0) matched[document] = matched[document]! + 1;
    }
  }
}

function makeRoom(size: number): void {
  if (scores.length >= size) return;
  scores = new Float64Array(size);
  weights = new Float64Array(size);
  matched = new Uint8Array(size);
  passed = new Uint8Array(size);
  touched = new Uint32Array(size);
}

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
