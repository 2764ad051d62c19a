import { tolerance, type HitCollector, type QueryStatistics } from './hit-collector.ts';
import type { SegmentReader } from '../index/segment-reader.ts';
import type { Frequencies } from '../index/postings.ts';
import type { QueryTerm } from './parse-query.ts';
import { exactBonus, idf, minMatchShare, lengthNorm, termScore, termWeight } from './bm25.ts';
import { seek, type PostingsSlice } from '../index/term-postings.ts';

export interface WeightedQuery {
  /** The query words by descending weight: the rarest first. */
  order: readonly WeightedTerm[];
  /** Number of query words a document must match to count as containing every word. */
  requiredTerms: number;
  threshold: number;
}

interface WeightedTerm {
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

export function weighTerms(
  units: readonly QueryTerm[],
  { documents, documentFrequencies }: QueryStatistics,
): WeightedQuery {
  const known = units.map((unit, i) => {
    const count = Math.min(documentFrequencies[i] ?? 0, documents);
    return {
      unit: i,
      idf: idf(documents, count) * (unit.boost ?? 1),
      weight: unit.isMinor === true ? 0 : termWeight(documents, count),
    };
  });
  known.sort((one, other) => other.weight - one.weight || one.unit - other.unit);
  let rest = known.reduce((sum, one) => sum + one.weight, 0);
  const least = rest * minMatchShare;
  const order = known.map((one) => {
    const isEnough = one.weight > 0 && rest >= least * (1 - tolerance);
    const weighed = { ...one, isEnough, rest };
    rest -= one.weight;
    return weighed;
  });
  return { order, requiredTerms: units.filter((unit) => unit.isMinor !== true).length, threshold: least };
}

/** Score of a document of mean length that contains each query word once; scores are reported as a share of it. */
export function maxScore(units: readonly QueryTerm[], statistics: QueryStatistics): number {
  return weighTerms(units, statistics).order.reduce((sum, { idf: one }) => sum + one, 0);
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
let candidates = new Uint32Array(0);
let candidateCount = 0;
let isSorted = true;

/** Cost of looking up a document in a list, in documents scanned. */
const lookupCost = 8;

/**
 * Scores one segment. The rarest words determine the candidates; in the long lists of frequent words only candidates that
 * can still reach the weight threshold are looked up. Then computes the scores of the documents above the threshold.
 */
export function scoreSegment(
  answers: HitCollector,
  at: number,
  { columns, deleted }: SegmentReader,
  { order, requiredTerms, threshold }: WeightedQuery,
  windows: readonly PostingsSlice[],
  required: readonly Frequencies[],
): void {
  growAccumulators(columns.documents.length);
  collectCandidates(order, windows, deleted);
  filterRequired(required);
  for (const { unit, weight, isEnough, rest } of order) {
    if (isEnough || weight === 0) continue;
    pruneBelowThreshold(threshold, rest, answers.maxWeight);
    if (candidateCount === 0) break;
    addWeight(windows[unit]!, weight);
  }
  for (let i = 0; i < candidateCount; i++) answers.recordWeight(weights[candidates[i]!]!);
  dropBelow(answers.threshold(threshold));
  if (candidateCount === 0) return;
  for (const one of order) addScores(one, windows[one.unit]!, columns.lengths, answers.statistics.meanLength);
  for (let i = 0; i < candidateCount; i++) {
    const document = candidates[i]!;
    answers.add(at, document, scores[document]!, weights[document]!, matched[document] === requiredTerms);
    scores[document] = 0;
    weights[document] = 0;
    matched[document] = 0;
  }
}

/** Collects every document that contains a word heavy enough to matter, with its weight so far. */
function collectCandidates(
  order: WeightedQuery['order'],
  windows: readonly PostingsSlice[],
  gone: Uint8Array | undefined,
): void {
  candidateCount = 0;
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
        candidates[candidateCount++] = document;
      }
      weights[document] = before + weight;
    }
  }
  isSorted = lists <= 1;
}

/** Keeps the candidates that match every required word. */
function filterRequired(required: readonly Frequencies[]): void {
  if (required.length === 0) return;
  for (const { documents, length } of required)
    for (let i = 0; i < length; i++) passed[documents[i]!] = passed[documents[i]!]! + 1;
  let kept = 0;
  for (let i = 0; i < candidateCount; i++) {
    const document = candidates[i]!;
    if (passed[document] === required.length) candidates[kept++] = document;
    else weights[document] = 0;
  }
  candidateCount = kept;
  for (const { documents, length } of required) for (let i = 0; i < length; i++) passed[documents[i]!] = 0;
}

/**
 * Drops candidates that cannot reach the threshold, or the highest weight seen, even if they contain all remaining words.
 */
function pruneBelowThreshold(least: number, rest: number, most: number): void {
  let reached = most;
  for (let i = 0; i < candidateCount; i++) {
    const weight = weights[candidates[i]!]!;
    if (weight > reached) reached = weight;
  }
  dropBelow((Math.min(least, reached) - rest) * (1 - tolerance) - tolerance);
}

function dropBelow(enough: number): void {
  let kept = 0;
  for (let i = 0; i < candidateCount; i++) {
    const document = candidates[i]!;
    if (weights[document]! >= enough) candidates[kept++] = document;
    else weights[document] = 0;
  }
  candidateCount = kept;
}

function addWeight({ documents, from, to }: PostingsSlice, weight: number): void {
  if (isLookupCheaper(from, to)) {
    for (let i = 0, at = from; i < candidateCount && at < to; i++) {
      const document = candidates[i]!;
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
  { idf: worth, weight }: WeightedTerm,
  { documents, counts, isExact, from, to }: PostingsSlice,
  lengths: Uint32Array,
  meanLength: number,
): void {
  const flags = typeof isExact === 'boolean' ? undefined : isExact;
  const exactWorth = worth * (1 + exactBonus);
  const usualWorth = isExact === true ? exactWorth : worth;
  const one = weight > 0 ? 1 : 0;
  const isLookedUp = isLookupCheaper(from, to);
  const end = isLookedUp ? candidateCount : to;
  for (let i = isLookedUp ? 0 : from, at = from; i < end; i++) {
    let document: number;
    if (isLookedUp) {
      document = candidates[i]!;
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
function isLookupCheaper(from: number, to: number): boolean {
  if (candidateCount * lookupCost >= to - from) return false;
  if (!isSorted) {
    candidates.subarray(0, candidateCount).sort();
    isSorted = true;
  }
  return true;
}

function growAccumulators(size: number): void {
  if (scores.length >= size) return;
  scores = new Float64Array(size);
  weights = new Float64Array(size);
  matched = new Uint8Array(size);
  passed = new Uint8Array(size);
  candidates = new Uint32Array(size);
}
