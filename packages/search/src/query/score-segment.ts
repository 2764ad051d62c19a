import { rankOf, tolerance, type HitCollector, type QueryStatistics, type TopRanks } from './hit-collector.ts';
import type { SegmentReader } from '../index/segment-reader.ts';
import type { Frequencies } from '../index/postings.ts';
import type { QueryTerm } from './parse-query.ts';
import { exactBonus, idf, minMatchShare, lengthNorm, maxTermScore, termScore, termWeight } from './bm25.ts';
import { seek, type PostingsSlice } from '../index/term-postings.ts';

export interface WeightedQuery {
  /** The query terms by descending weight, so the rarest come first. */
  order: readonly WeightedTerm[];
  /** Number of query terms a document must match to count as containing every word. */
  requiredTerms: number;
  threshold: number;
  /** Total weight of all words. */
  total: number;
  /** Upper bound of a document's score: its weight times the first, plus the second for the minor terms. */
  maxScores: readonly [byWeight: number, ofMinor: number];
}

interface WeightedTerm {
  unit: number;
  idf: number;
  weight: number;
  /**
   * True if this term and all terms of lower weight together can reach the threshold. If false, a document whose
   * heaviest term is this one cannot match.
   */
  isEnough: boolean;
  /** Total weight of this term and all terms of lower weight. */
  rest: number;
}

export function weighTerms(
  units: readonly QueryTerm[],
  { documents, documentFrequencies }: QueryStatistics,
): WeightedQuery {
  const order = units.map((unit, i): WeightedTerm => {
    const count = Math.min(documentFrequencies[i] ?? 0, documents);
    const weight = unit.isMinor === true ? 0 : termWeight(documents, count);
    return { unit: i, idf: idf(documents, count) * (unit.boost ?? 1), weight, isEnough: false, rest: 0 };
  });
  order.sort((one, other) => other.weight - one.weight || one.unit - other.unit);
  let [total, byWeight, ofMinor] = [0, 0, 0];
  for (const { idf: one, weight } of order) {
    total += weight;
    if (weight > 0) byWeight = Math.max(byWeight, (maxTermScore * one) / weight);
    else ofMinor += maxTermScore * one;
  }
  const least = total * minMatchShare;
  let rest = total;
  for (const one of order) {
    one.isEnough = one.weight > 0 && rest >= least * (1 - tolerance);
    one.rest = rest;
    rest -= one.weight;
  }
  const requiredTerms = units.filter((unit) => unit.isMinor !== true).length;
  return { order, requiredTerms, threshold: least, total, maxScores: [byWeight, ofMinor] };
}

/** Score of a document of mean length that contains each query word once; scores are reported as a share of it. */
export function maxScore(units: readonly QueryTerm[], { documents, documentFrequencies }: QueryStatistics): number {
  return units.reduce((sum, { boost = 1 }, i) => {
    const count = Math.min(documentFrequencies[i] ?? 0, documents);
    return sum + idf(documents, count) * boost;
  }, 0);
}

/**
 * Score accumulators, one entry per document of the largest segment. They are reused for each segment and zeroed in
 * between.
 */
let scores = new Float64Array(0);
let weights = new Float64Array(0);
let matched = new Uint8Array(0);
let passed = new Uint8Array(0);
/** The candidate documents of the current segment, their number, and whether they are sorted. */
let candidates = new Uint32Array(0);
let candidateCount = 0;
let isSorted = true;

/**
 * Cost of looking up one document in a postings list, as the number of documents that can be scanned in the same time.
 */
const lookupCost = 8;

/**
 * Adds the matching documents of one segment to `answers`. The rarest words determine the candidates; in the long
 * postings lists of frequent words, only candidates that can still reach the weight threshold are looked up. Scores are
 * computed only for documents that reach the threshold.
 */
export function scoreSegment(
  answers: HitCollector,
  at: number,
  { columns, deleted }: SegmentReader,
  query: WeightedQuery,
  windows: readonly PostingsSlice[],
  required: readonly Frequencies[],
): void {
  const { order, requiredTerms, threshold } = query;
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
  answers.updateThreshold(threshold);
  dropBelow(answers.threshold(threshold));
  if (candidateCount === 0) return;
  answers.reserve(candidateCount);
  const { topRanks } = answers;
  if (topRanks) pruneByRank(answers, topRanks, at, query, windows, columns.lengths);
  for (const one of order) addScores(one, windows[one.unit]!, columns.lengths, answers.statistics.meanLength);
  for (let i = 0; i < candidateCount; i++) {
    const document = candidates[i]!;
    const isAll = matched[document] === requiredTerms;
    if (matched[document]! > answers.maxMatched) answers.maxMatched = matched[document]!;
    answers.add(at, document, scores[document]!, weights[document]!, isAll);
    topRanks?.add(rankOf(scores[document]!, isAll));
    scores[document] = 0;
    weights[document] = 0;
    matched[document] = 0;
  }
}

/** With fewer candidates for each wanted hit, all of them are scored. */
const minCandidates = 4;

/**
 * Keeps the candidates that can be among the wanted best hits, and adds the others without a score. The lowest rank of the
 * best is estimated from the candidates of the greatest weight. What has every word is always kept, because it comes first.
 */
function pruneByRank(
  answers: HitCollector,
  topRanks: TopRanks,
  at: number,
  { order, total, maxScores: [byWeight, ofMinor] }: WeightedQuery,
  windows: readonly PostingsSlice[],
  lengths: Uint32Array,
): void {
  // With a single word all candidates have the same weight.
  if (candidateCount < minCandidates * topRanks.size || order[0]!.weight === total) return;
  const best = topRanks.copy();
  if (!best.isAll)
    for (const document of heaviestCandidates(topRanks.size)) {
      const norm = lengthNorm(lengths[document]!, answers.statistics.meanLength);
      best.add(order.reduce((sum, term) => sum + scoreOf(term, windows[term.unit]!, document, norm), 0));
    }
  const most = total * (1 - tolerance);
  const enough = best.isAll ? most : Math.min((best.lowest * (1 - tolerance) - ofMinor) / byWeight, most);
  let kept = 0;
  for (let i = 0; i < candidateCount; i++) {
    const document = candidates[i]!;
    const weight = weights[document]!;
    if (weight >= enough) candidates[kept++] = document;
    else {
      answers.add(at, document, 0, weight, false);
      weights[document] = 0;
    }
  }
  candidateCount = kept;
}

function heaviestCandidates(count: number): number[] {
  const found: number[] = [];
  for (let i = 0; i < candidateCount; i++) {
    const document = candidates[i]!;
    const weight = weights[document]!;
    if (found.length === count && weight <= weights[found[count - 1]!]!) continue;
    let to = found.length < count ? found.length : count - 1;
    for (; to > 0 && weights[found[to - 1]!]! < weight; to--) found[to] = found[to - 1]!;
    found[to] = document;
  }
  return found;
}

function scoreOf(
  { idf: worth }: WeightedTerm,
  { documents, counts, isExact, from, to }: PostingsSlice,
  document: number,
  norm: number,
): number {
  const at = seek(documents, from, to, document);
  if (at >= to || documents[at] !== document) return 0;
  const hasExact = typeof isExact === 'boolean' ? isExact : isExact[at] === 1;
  return termScore(hasExact ? worth * (1 + exactBonus) : worth, counts[at]!, norm);
}

/** Collects every document that contains a term with `isEnough`, and adds up the weights of these terms. */
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

/** Keeps only the candidates that contain every required word. */
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
 * Drops the candidates that cannot reach the lower of the threshold and the highest weight seen, even if they contain
 * all remaining words, whose total weight is `rest`.
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

/**
 * Returns whether looking up the candidates is cheaper than scanning the postings from `from` to `to`. If so, the
 * candidates are sorted, as a lookup needs.
 */
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
