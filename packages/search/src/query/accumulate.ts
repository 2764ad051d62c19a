import { tolerance, type Gathered, type Statistics } from './gathered.ts';
import type { OpenSegment } from '../index/open-segment.ts';
import type { Frequencies } from '../index/postings.ts';
import type { Unit } from './query.ts';
import { exactBonus, idf, leastShare, lengthNorm, minorShare, termScore, weightOf } from './score.ts';
import { seek, type UnitWindow } from '../index/unit-list.ts';

export interface Weighed {
  /** The query words by descending weight: the rarest first. */
  order: readonly WeighedUnit[];
  /** Number of query words a document must match to count as containing every word. */
  needed: number;
  least: number;
}

interface WeighedUnit {
  unit: number;
  idf: number;
  weight: number;
  /**
   * True if this word and all lighter ones together can reach the threshold. If false, a document whose heaviest word is
   * this one cannot match.
   */
  isEnough: boolean;
  /** Total weight of this word and all lighter ones. */
  rest: number;
}

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
    const weighed = { ...one, isEnough, rest };
    rest -= one.weight;
    return weighed;
  });
  return { order, needed: units.filter((unit) => unit.isMinor !== true).length, least };
}

/** Score of a document of mean length that contains each query word once; scores are reported as a share of it. */
export function wholeScore(units: readonly Unit[], statistics: Statistics): number {
  return weigh(units, statistics).order.reduce((sum, { idf: one }) => sum + one, 0);
}

/**
 * Score accumulators, one entry per document of the largest segment. They are reused for each segment and zeroed in
 * between.
 */
let scores = new Float64Array(0);
let weights = new Float64Array(0);
let matched = new Uint8Array(0);
let passed = new Uint8Array(0);
/** The candidate documents, their number, and whether they are sorted. */
let touched = new Uint32Array(0);
let count = 0;
let isSorted = true;

/** Cost of looking up a document in a list, in documents scanned. */
const perLookUp = 8;

/**
 * Scores one segment. The rarest words determine the candidates; in the long lists of frequent words only candidates that
 * can still reach the weight threshold are looked up. Then computes the scores of the documents above the threshold.
 */
export function accumulate(
  answers: Gathered,
  at: number,
  { columns, gone }: OpenSegment,
  { order, needed, least }: Weighed,
  windows: readonly UnitWindow[],
  required: readonly Frequencies[],
): void {
  makeRoom(columns.documents.length);
  touch(order, windows, gone);
  keepPassed(required);
  for (const { unit, weight, isEnough, rest } of order) {
    if (isEnough || weight === 0) continue;
    keepHopeful(least, rest, answers.most);
    if (count === 0) break;
    addWeight(windows[unit]!, weight);
  }
  for (let i = 0; i < count; i++) answers.saw(weights[touched[i]!]!);
  keepFrom(answers.enough(least));
  if (count === 0) return;
  for (const one of order) addScores(one, windows[one.unit]!, columns.lengths, answers.statistics.meanLength);
  for (let i = 0; i < count; i++) {
    const document = touched[i]!;
    answers.add(at, document, scores[document]!, weights[document]!, matched[document] === needed);
    scores[document] = 0;
    weights[document] = 0;
    matched[document] = 0;
  }
}

/** Collects every document that contains a word heavy enough to matter, with its weight so far. */
function touch(order: Weighed['order'], windows: readonly UnitWindow[], gone: Uint8Array | undefined): void {
  count = 0;
  let lists = 0;
  for (const { unit, weight, isEnough } of order) {
    if (!isEnough) continue;
    const { documents, from, to } = windows[unit]!;
    if (from < to) lists += 1;
    for (let i = from; i < to; i++) {
      const document = documents[i]!;
      const before = weights[document]!;
      if (before === 0) {
        if (gone !== undefined && gone[document] === 1) continue;
        touched[count++] = document;
      }
      weights[document] = before + weight;
    }
  }
  isSorted = lists <= 1;
}

/** Keeps the candidates that match every required word. */
function keepPassed(required: readonly Frequencies[]): void {
  if (required.length === 0) return;
  for (const { documents, length } of required)
    for (let i = 0; i < length; i++) passed[documents[i]!] = passed[documents[i]!]! + 1;
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const document = touched[i]!;
    if (passed[document] === required.length) touched[kept++] = document;
    else weights[document] = 0;
  }
  count = kept;
  for (const { documents, length } of required) for (let i = 0; i < length; i++) passed[documents[i]!] = 0;
}

/**
 * Drops candidates that cannot reach the threshold, or the highest weight seen, even if they contain all remaining words.
 */
function keepHopeful(least: number, rest: number, most: number): void {
  let reached = most;
  for (let i = 0; i < count; i++) {
    const weight = weights[touched[i]!]!;
    if (weight > reached) reached = weight;
  }
  keepFrom((Math.min(least, reached) - rest) * (1 - tolerance) - tolerance);
}

function keepFrom(enough: number): void {
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const document = touched[i]!;
    if (weights[document]! >= enough) touched[kept++] = document;
    else weights[document] = 0;
  }
  count = kept;
}

function addWeight({ documents, from, to }: UnitWindow, weight: number): void {
  if (isCheaperLookedUp(from, to)) {
    for (let i = 0, at = from; i < count && at < to; i++) {
      const document = touched[i]!;
      at = seek(documents, at, to, document);
      if (at < to && documents[at] === document) weights[document] = weights[document]! + weight;
    }
    return;
  }
  for (let i = from; i < to; i++) {
    const document = documents[i]!;
    const before = weights[document]!;
    if (before !== 0) weights[document] = before + weight;
  }
}

function addScores(
  { idf: worth, weight }: WeighedUnit,
  { documents, counts, isExact, from, to }: UnitWindow,
  lengths: Uint32Array,
  meanLength: number,
): void {
  const flags = typeof isExact === 'boolean' ? undefined : isExact;
  const exactWorth = worth * (1 + exactBonus);
  const usualWorth = isExact === true ? exactWorth : worth;
  const one = weight > 0 ? 1 : 0;
  const isLookedUp = isCheaperLookedUp(from, to);
  const end = isLookedUp ? count : to;
  for (let i = isLookedUp ? 0 : from, at = from; i < end; i++) {
    let document: number;
    if (isLookedUp) {
      document = touched[i]!;
      at = seek(documents, at, to, document);
      if (at >= to) return;
      if (documents[at] !== document) continue;
    } else {
      at = i;
      document = documents[i]!;
      if (weights[document] === 0) continue;
    }
    const norm = lengthNorm(lengths[document]!, meanLength);
    const own = flags !== undefined && flags[at] === 1 ? exactWorth : usualWorth;
    scores[document] = scores[document]! + termScore(own, counts[at]!, norm);
    matched[document] = matched[document]! + one;
  }
}

/** True if looking up the candidates is cheaper than scanning a list of this length; sorts the candidates then. */
function isCheaperLookedUp(from: number, to: number): boolean {
  if (count * perLookUp >= to - from) return false;
  if (!isSorted) {
    touched.subarray(0, count).sort();
    isSorted = true;
  }
  return true;
}

function makeRoom(size: number): void {
  if (scores.length >= size) return;
  scores = new Float64Array(size);
  weights = new Float64Array(size);
  matched = new Uint8Array(size);
  passed = new Uint8Array(size);
  touched = new Uint32Array(size);
}
