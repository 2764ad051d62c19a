import { idf, minMatchShare, termWeight } from './bm25.ts';
import { scoreTolerance, type QueryStatistics } from './hit-collector.ts';
import type { QueryTerm } from './query-term.ts';

export interface WeightedQuery {
  /**
   * The required terms by descending weight, so that the rarest come first, followed by the minor terms in the same
   * order.
   */
  order: readonly WeightedTerm[];
  threshold: number;
  /** Total weight of terms from which a document counts as containing every query word; infinite if no document can. */
  allWeight: number;
}

export interface WeightedTerm {
  unit: number;
  idf: number;
  weight: number;
  /**
   * True if this term and all terms of lower weight together reach the threshold (the minimum weight of a match).
   * Otherwise a document whose heaviest term is this one cannot match.
   */
  isEnough: boolean;
  /** Total weight of this term and all terms of lower weight. */
  rest: number;
}

/**
 * Computes the weights of the terms. `isAsWritten` is false if terms were added or replaced; then no document counts as
 * containing every query word.
 */
export function weighTerms(
  units: readonly QueryTerm[],
  { documents, documentFrequencies }: QueryStatistics,
  isAsWritten = true,
): WeightedQuery {
  const order: WeightedTerm[] = [];
  let total = 0;
  let canHaveAll = isAsWritten;
  for (let i = 0; i < units.length; i++) {
    const { isMinor, boost = 1 } = units[i]!;
    const count = Math.min(documentFrequencies[i] ?? 0, documents);
    const weight = isMinor === true ? 0 : termWeight(documents, count);
    if (weight === 0 && isMinor !== true) canHaveAll = false;
    total += weight;
    order.push({ unit: i, idf: idf(documents, count) * boost, weight, isEnough: false, rest: 0 });
  }
  order.sort(
    (one, other) => other.weight - one.weight || (one.weight === 0 ? other.idf - one.idf : 0) || one.unit - other.unit,
  );
  const threshold = total * minMatchShare;
  let rest = total;
  for (const one of order) {
    one.isEnough = one.weight > 0 && rest >= threshold * (1 - scoreTolerance);
    one.rest = rest;
    rest -= one.weight;
  }
  return { order, threshold, allWeight: canHaveAll ? total * (1 - scoreTolerance) : Number.POSITIVE_INFINITY };
}

/**
 * Returns the score of a document of mean length that contains each query word once. Scores are reported as shares of
 * this score.
 */
export function maxScore(units: readonly QueryTerm[], { documents, documentFrequencies }: QueryStatistics): number {
  return units.reduce((sum, { boost = 1 }, i) => {
    const count = Math.min(documentFrequencies[i] ?? 0, documents);
    return sum + idf(documents, count) * boost;
  }, 0);
}
