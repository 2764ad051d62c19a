import { rankOf, scoreTolerance, TopRanks, type HitCollector } from './hit-collector.ts';
import type { SegmentReader } from '../index/segment-reader.ts';
import type { Frequencies } from '../index/postings.ts';
import { exactBonus, lengthNorm, termScore } from './bm25.ts';
import type { WeightedQuery, WeightedTerm } from './weigh-terms.ts';
import { seek, type PostingsSlice } from '../index/term-postings.ts';

/**
 * Work arrays with one entry per document of the largest segment. They are reused for every segment, and zeroed after
 * each.
 */
interface Accumulators {
  scores: Float64Array;
  weights: Float64Array;
  matched: Uint8Array;
  passed: Uint8Array;
  candidates: Uint32Array;
}

/**
 * Work arrays for the documents of one segment. Hot loops copy them to local constants, because access to a module
 * variable is slower.
 */
let accumulators = createAccumulators(0);
/** Number of candidate documents in the current segment. `isSorted` tells whether they are in ascending order. */
let candidateCount = 0;
let isSorted = true;
/** The highest weight of a candidate. */
let maxWeight = 0;

/**
 * Cost of looking up one document in a postings list, as the number of documents that can be scanned in the same time.
 */
const lookupCost = 8;

/**
 * Adds the matching documents of one segment to `answers`. The rarest words determine the candidates; in the long
 * postings lists of frequent words, only candidates that can still reach the weight threshold are looked up. If only
 * the best hits are wanted, scores are computed only for documents that can be among them.
 */
export function scoreSegment(
  answers: HitCollector,
  at: number,
  segment: SegmentReader,
  query: WeightedQuery,
  windows: readonly PostingsSlice[],
  required: readonly Frequencies[],
): void {
  const { order, threshold } = query;
  const size = segment.columns.documents.length;
  if (accumulators.scores.length < size) accumulators = createAccumulators(size);
  collectCandidates(order, windows, segment.deleted);
  filterRequired(required);
  // Lowest weight that a candidate can have. Every candidate contains a term whose `isEnough` is true, so it is the
  // lowest weight of these terms.
  let minWeight = 0;
  for (const { unit, weight, isEnough, rest } of order) {
    if (isEnough) minWeight = weight;
    if (isEnough || weight === 0) continue;
    pruneBelowThreshold(threshold, rest, answers.maxWeight, minWeight);
    if (candidateCount === 0) break;
    addWeight(windows[unit]!, weight);
  }
  answers.recordWeight(candidateCount === 0 ? 0 : maxWeight, threshold);
  dropBelow(answers.threshold(threshold), minWeight);
  if (candidateCount === 0) return;
  answers.addMatches(at, accumulators.candidates, candidateCount);
  scoreCandidates(answers, segment, query, windows);
  addHits(answers, at, query.allWeight);
}

/** Adds the candidates as hits and zeroes their entries in the work arrays (`accumulators`). */
function addHits(answers: HitCollector, at: number, allWeight: number): void {
  const { scores, weights, matched, candidates } = accumulators;
  const { topRanks } = answers;
  answers.reserve(candidateCount);
  let maxMatched = answers.maxMatched;
  for (let i = 0; i < candidateCount; i++) {
    const document = candidates[i]!;
    const score = scores[document]!;
    const isAll = weights[document]! >= allWeight;
    if (matched[document]! > maxMatched) maxMatched = matched[document]!;
    answers.add(at, document, score, isAll);
    topRanks?.add(rankOf(score, isAll));
    scores[document] = 0;
    weights[document] = 0;
    matched[document] = 0;
  }
  answers.maxMatched = maxMatched;
}

/**
 * Candidates are pruned before a postings list is scanned if the list is longer than this factor times the number of
 * candidates.
 */
const minPrunedLength = 2;

/**
 * Adds up the scores of the candidates, term by term, from the rarest words to the minor terms. If only the best hits
 * are wanted, candidates are dropped once the remaining terms cannot bring them among the best (the MaxScore
 * algorithm).
 */
function scoreCandidates(
  answers: HitCollector,
  { columns: { lengths }, minLength }: SegmentReader,
  { order, allWeight }: WeightedQuery,
  windows: readonly PostingsSlice[],
): void {
  const { topRanks, statistics } = answers;
  const shortest = lengthNorm(minLength, statistics.meanLength);
  let possible = 0;
  if (topRanks) for (const term of order) possible += maxTermScore(term, windows[term.unit]!, shortest);
  for (const term of order) {
    const list = windows[term.unit]!;
    if (topRanks && candidateCount > topRanks.size && list.to - list.from > candidateCount * minPrunedLength)
      pruneByRank(topRanks, possible, allWeight);
    if (isLookupCheaper(list.from, list.to)) lookUpScores(term, list, lengths, statistics.meanLength);
    else if (term.weight > 0) addScores(term, list, lengths, statistics.meanLength);
    else addMinorScores(term, list, lengths, statistics.meanLength);
    possible -= maxTermScore(term, list, shortest);
  }
}

/** Returns an upper bound of the score that a term can contribute to a document of the segment. */
function maxTermScore(
  { idf: worth }: WeightedTerm,
  { isExact, maxCount, length }: PostingsSlice,
  norm: number,
): number {
  return length === 0 ? 0 : termScore(isExact === false ? worth : worth * (1 + exactBonus), maxCount, norm);
}

/** Drops the candidates that cannot be among the best hits even with the maximum score of the remaining terms. */
function pruneByRank(topRanks: TopRanks, possible: number, allWeight: number): void {
  const least = lowestRank(topRanks, allWeight) * (1 - scoreTolerance) - possible;
  if (least > 0) dropBelowRank(least, allWeight);
}

/** Returns the lowest rank among the best hits, where the current candidates are ranked by the terms scored so far. */
function lowestRank(topRanks: TopRanks, allWeight: number): number {
  const { scores, weights, candidates } = accumulators;
  const best = bestRanks(topRanks);
  let { lowest } = best;
  for (let i = 0; i < candidateCount; i++) {
    const document = candidates[i]!;
    const rank = rankOf(scores[document]!, weights[document]! >= allWeight);
    if (rank <= lowest) continue;
    best.add(rank);
    lowest = best.lowest;
  }
  return lowest;
}

function dropBelowRank(least: number, allWeight: number): void {
  const { scores, weights, matched, candidates } = accumulators;
  let kept = 0;
  for (let i = 0; i < candidateCount; i++) {
    const document = candidates[i]!;
    if (rankOf(scores[document]!, weights[document]! >= allWeight) >= least) candidates[kept++] = document;
    else {
      scores[document] = 0;
      weights[document] = 0;
      matched[document] = 0;
    }
  }
  candidateCount = kept;
}

let scratch = new TopRanks(0);

/** Copies the best ranks into a shared list, which the next call overwrites, and returns this list. */
function bestRanks(topRanks: TopRanks): TopRanks {
  if (scratch.size !== topRanks.size) scratch = new TopRanks(topRanks.size);
  scratch.copyFrom(topRanks);
  return scratch;
}

/**
 * Collects the candidates: every document that contains a term whose `isEnough` is true, that is, a term that can
 * reach the threshold together with all terms of lower weight. Adds up the weights of these terms.
 */
function collectCandidates(
  order: WeightedQuery['order'],
  windows: readonly PostingsSlice[],
  gone: Uint8Array | undefined,
): void {
  let lists = 0;
  candidateCount = 0;
  maxWeight = 0;
  for (const { unit, weight, isEnough } of order) {
    if (!isEnough) break;
    const list = windows[unit]!;
    if (list.from === list.to) continue;
    lists += 1;
    addCandidates(list, weight, gone);
  }
  isSorted = lists <= 1;
}

/**
 * Adds the documents of one postings list to the candidates. The loop has its own function, because the JavaScript
 * engine would otherwise optimize it while it runs and discard the optimized code when it ends.
 */
function addCandidates({ documents, from, to }: PostingsSlice, weight: number, gone: Uint8Array | undefined): void {
  const { weights, candidates } = accumulators;
  let count = candidateCount;
  let most = maxWeight;
  for (let i = from; i < to; i++) {
    const document = documents[i]!;
    const before = weights[document]!;
    if (before === 0) {
      if (gone !== undefined && gone[document] === 1) continue;
      candidates[count++] = document;
    }
    const sum = before + weight;
    weights[document] = sum;
    if (sum > most) most = sum;
  }
  candidateCount = count;
  maxWeight = most;
}

/** Keeps only the candidates that contain every required word. */
function filterRequired(required: readonly Frequencies[]): void {
  if (required.length === 0) return;
  const { weights, passed, candidates } = accumulators;
  for (const { documents, length } of required)
    for (let i = 0; i < length; i++) passed[documents[i]!] = passed[documents[i]!]! + 1;
  let kept = 0;
  for (let i = 0; i < candidateCount; i++) {
    const document = candidates[i]!;
    if (passed[document] === required.length) candidates[kept++] = document;
    else weights[document] = 0;
  }
  candidateCount = kept;
  maxWeight = 0;
  for (let i = 0; i < kept; i++) maxWeight = Math.max(maxWeight, weights[candidates[i]!]!);
  for (const { documents, length } of required) for (let i = 0; i < length; i++) passed[documents[i]!] = 0;
}

/**
 * Drops candidates that cannot match even if they contain all remaining words, whose total weight is `rest`. A match
 * needs the weight `least`, or the highest weight if no document reaches `least`. `most` is the highest weight in
 * earlier segments, `lightest` the lowest weight that a candidate can have.
 */
function pruneBelowThreshold(least: number, rest: number, most: number, lightest: number): void {
  dropBelow((Math.min(least, Math.max(most, maxWeight)) - rest) * (1 - scoreTolerance) - scoreTolerance, lightest);
}

/**
 * Drops the candidates whose weight is below `enough`. Every candidate has at least the weight `lightest`, so nothing
 * is dropped if `enough` is not greater.
 */
function dropBelow(enough: number, lightest: number): void {
  if (enough <= lightest) return;
  const { weights, candidates } = accumulators;
  let kept = 0;
  for (let i = 0; i < candidateCount; i++) {
    const document = candidates[i]!;
    if (weights[document]! >= enough) candidates[kept++] = document;
    else weights[document] = 0;
  }
  candidateCount = kept;
}

function addWeight({ documents, from, to }: PostingsSlice, weight: number): void {
  const { weights, candidates } = accumulators;
  let most = maxWeight;
  if (isLookupCheaper(from, to)) {
    for (let i = 0, at = from; i < candidateCount && at < to; i++) {
      const document = candidates[i]!;
      at = seek(documents, at, to, document);
      if (at === to || documents[at] !== document) continue;
      const sum = weights[document]! + weight;
      weights[document] = sum;
      if (sum > most) most = sum;
    }
  } else
    for (let i = from; i < to; i++) {
      const document = documents[i]!;
      const before = weights[document]!;
      if (before === 0) continue;
      const sum = before + weight;
      weights[document] = sum;
      if (sum > most) most = sum;
    }
  maxWeight = most;
}

/**
 * Adds the scores of a minor term, which affects the ranking only. Required terms are scored first, so every candidate
 * document is already marked in `matched`. The function tests `matched` and not `weights`, because an array of one byte
 * per document fits the processor's cache.
 */
function addMinorScores(
  { idf: worth }: WeightedTerm,
  { documents, counts, from, to }: PostingsSlice,
  lengths: Uint32Array,
  meanLength: number,
): void {
  const { scores, matched } = accumulators;
  const shortest = lengthNorm(0, meanLength);
  const perToken = lengthNorm(1, meanLength) - shortest;
  for (let i = from; i < to; i++) {
    const document = documents[i]!;
    if (matched[document] === 0) continue;
    const norm = shortest + perToken * lengths[document]!;
    scores[document] = scores[document]! + termScore(worth, counts[i]!, norm);
  }
}

/** Adds the scores of a term by scanning its postings. */
function addScores(
  { idf: worth }: WeightedTerm,
  { documents, counts, isExact, from, to }: PostingsSlice,
  lengths: Uint32Array,
  meanLength: number,
): void {
  const { scores, weights, matched } = accumulators;
  const flags = typeof isExact === 'boolean' ? undefined : isExact;
  const exactWorth = worth * (1 + exactBonus);
  const usualWorth = isExact === true ? exactWorth : worth;
  // BM25's norm is linear in the document length, so each document needs only a multiplication and an addition.
  const shortest = lengthNorm(0, meanLength);
  const perToken = lengthNorm(1, meanLength) - shortest;
  for (let i = from; i < to; i++) {
    const document = documents[i]!;
    if (weights[document] === 0) continue;
    const norm = shortest + perToken * lengths[document]!;
    const own = flags !== undefined && flags[i] === 1 ? exactWorth : usualWorth;
    scores[document] = scores[document]! + termScore(own, counts[i]!, norm);
    matched[document] = matched[document]! + 1;
  }
}

/** Adds the scores of a term by looking up the candidates in its postings. A minor term does not count as matched. */
function lookUpScores(
  { idf: worth, weight }: WeightedTerm,
  { documents, counts, isExact, from, to }: PostingsSlice,
  lengths: Uint32Array,
  meanLength: number,
): void {
  const { scores, matched, candidates } = accumulators;
  const flags = typeof isExact === 'boolean' ? undefined : isExact;
  const exactWorth = worth * (1 + exactBonus);
  const usualWorth = isExact === true ? exactWorth : worth;
  const shortest = lengthNorm(0, meanLength);
  const perToken = lengthNorm(1, meanLength) - shortest;
  const counted = weight > 0 ? 1 : 0;
  for (let i = 0, at = from; i < candidateCount; i++) {
    const document = candidates[i]!;
    at = seek(documents, at, to, document);
    if (at >= to) return;
    if (documents[at] !== document) continue;
    const norm = shortest + perToken * lengths[document]!;
    const own = flags !== undefined && flags[at] === 1 ? exactWorth : usualWorth;
    scores[document] = scores[document]! + termScore(own, counts[at]!, norm);
    matched[document] = matched[document]! + counted;
  }
}

/**
 * Returns whether looking up the candidates is cheaper than scanning the postings from `from` to `to`. If so, sorts the
 * candidates, because a lookup requires it.
 */
function isLookupCheaper(from: number, to: number): boolean {
  if (candidateCount * lookupCost >= to - from) return false;
  if (!isSorted) {
    accumulators.candidates.subarray(0, candidateCount).sort();
    isSorted = true;
  }
  return true;
}

function createAccumulators(size: number): Accumulators {
  return {
    scores: new Float64Array(size),
    weights: new Float64Array(size),
    matched: new Uint8Array(size),
    passed: new Uint8Array(size),
    candidates: new Uint32Array(size),
  };
}
