import { idf, lengthNorm, termScore } from '../query/bm25.ts';
import { parseQuery } from '../query/parse-query.ts';
import { TextMatcher } from '../query/text-matcher.ts';
import type { PassageIndex } from './passage-index.ts';
import type { Passage } from './split-passages.ts';

/** A text found by a search, whose passages are to be ranked. */
export interface ScoredText {
  body: string;
  index: PassageIndex;
  /** Score of the whole text, from 0 to 1, as computed by score-texts.ts. */
  score: number;
  /**
   * Part of the text that is nearest in meaning to the query. `score` is its similarity, which the caller has already
   * weighted for the embedding model. Undefined if no part is similar.
   */
  near?: { from: number; to: number; score: number } | undefined;
}

/** A passage of one of several texts, with its score. */
export interface RankedPassage extends Passage {
  /** Index of the text that contains the passage. */
  text: number;
  score: number;
  /** The best matching row, if the passage consists of table rows and one of them matches better than all others. */
  row?: { from: number; to: number };
}

/**
 * Weight that the query words in a passage have in the total score of the passage. The score of the whole text has the
 * weight 1.
 */
const wordsWeight = 0.6;
/**
 * Minimum scores of a passage: `minWords` is a share of the best word score and applies to passages with matching
 * words; `minScore` is a share of the best total score and applies to all passages.
 */
const minWords = 0.35;
const minScore = 0.5;

export interface RankOptions {
  /**
   * If true, a text without a matching passage, which was found only by its title, contributes its beginning. Otherwise
   * it contributes nothing.
   */
  includeLeadPassages?: boolean;
}

/**
 * Ranks the passages of the texts for a query, best first. The rank depends on the query words in the passage, with
 * rare words weighing more, on its similarity in meaning, and on the score of its text.
 */
export function rankPassages(
  texts: readonly ScoredText[],
  query: string,
  limit: number,
  { includeLeadPassages = false }: RankOptions = {},
): RankedPassage[] {
  const scores = scoreUnits(texts, query);
  const bestUnit = scores.reduce((most, one) => one.reduce((best, score) => Math.max(best, score), most), 0);
  const ranked = texts.flatMap(({ index, score, near }, text): RankedPassage[] => {
    const found = bestUnits(index, scores[text]!, bestUnit * minWords);
    const nearest = near && near.to > near.from ? index.passages.findIndex((one) => one.to > near.from) : -1;
    if (nearest >= 0 && !found.has(nearest)) found.set(nearest, { unit: -1, score: 0 });
    const hasWords = found.size > 0 || scores[text]!.some((one) => one > 0);
    if (!hasWords && includeLeadPassages) found.set(0, { unit: -1, score: 0 });
    return [...found].map(([at, { unit, score: words, isTied }]) => {
      const passage = index.passages[at] ?? emptyPassage;
      const meaning = at === nearest ? near!.score : 0;
      const own = bestUnit > 0 ? wordsWeight * (words / bestUnit) : 0;
      const row = passage.table && unit >= 0 && !isTied ? { row: index.unit(unit) } : {};
      return { ...passage, text, score: own + score + meaning, ...row };
    });
  });
  ranked.sort((a, b) => b.score - a.score || a.text - b.text || a.from - b.from);
  const least = (ranked[0]?.score ?? 0) * minScore;
  return ranked.filter(({ score }) => score >= least).slice(0, limit);
}

const emptyPassage: Passage = { from: 0, to: 0, headings: [], page: undefined };

/**
 * Scores every unit (table row or passage) of every text by the ranking formula BM25. The units of these texts are the
 * collection in which the frequency of words and the mean length are determined.
 */
function scoreUnits(texts: readonly ScoredText[], query: string): Float64Array[] {
  const scores = texts.map(({ index }) => new Float64Array(index.units));
  const total = texts.reduce((sum, { index }) => sum + index.units, 0);
  let length = 0;
  for (const { index } of texts) for (let unit = 0; unit < index.units; unit++) length += index.length(unit);
  const mean = Math.max(1, length / Math.max(1, total));
  for (const { key, alternatives, boost = 1 } of parseQuery(query).terms) {
    const counts = texts.map(({ index }) => {
      const found = new Map<number, number>();
      for (const choice of alternatives)
        index.count(choice, (unit, count) => found.set(unit, (found.get(unit) ?? 0) + count));
      return found;
    });
    if (alternatives.some(({ tokens }) => tokens.length > 1)) dropScattered(texts, counts, query, key);
    const having = counts.reduce((sum, { size }) => sum + size, 0);
    const weight = boost * idf(total, having);
    counts.forEach((found, text) => {
      const { index } = texts[text]!;
      for (const [unit, count] of found)
        scores[text]![unit]! += termScore(weight, count, lengthNorm(index.length(unit), mean));
    });
  }
  return scores;
}

/**
 * Maximum number of units (table rows or passages) of a text that are checked for a phrase. If more units contain all
 * words of the phrase, none is checked and all are kept.
 */
const maxChecked = 100;

/**
 * Removes from `counts` the units (table rows or passages) that contain all words of a phrase, but not as a phrase.
 * `key` identifies the phrase among the terms of the query.
 */
function dropScattered(
  texts: readonly ScoredText[],
  counts: readonly Map<number, number>[],
  query: string,
  key: string,
): void {
  const matcher = new TextMatcher(query);
  const phrase = matcher.terms.findIndex((term) => term.key === key);
  if (phrase < 0) return;
  counts.forEach((found, text) => {
    const { body, index } = texts[text]!;
    if (found.size > maxChecked) return;
    for (const unit of found.keys()) {
      const { from, to } = index.unit(unit);
      let isThere = false;
      matcher.find(body.slice(from, to), ({ term }) => (isThere = term === phrase));
      if (!isThere) found.delete(unit);
    }
  });
}

interface BestUnit {
  unit: number;
  score: number;
  /** True if another unit (table row) of the passage matches about equally well. */
  isTied?: boolean;
}

/**
 * Minimum share of the best row's score at which another table row counts as an equally good match. Such rows may still
 * differ in score, because they differ in length.
 */
const tiedShare = 0.97;

/**
 * Returns the best unit of each passage: its best table row, or the passage itself. Units with a score below `least`
 * are ignored.
 */
function bestUnits(index: PassageIndex, scores: Float64Array, least: number): Map<number, BestUnit> {
  const best = new Map<number, BestUnit>();
  scores.forEach((score, unit) => {
    if (score <= 0 || score < least) return;
    const { passage } = index.unit(unit);
    const before = best.get(passage);
    if (!before || score > before.score)
      best.set(passage, { unit, score, isTied: before !== undefined && before.score >= score * tiedShare });
    else if (score >= before.score * tiedShare) before.isTied = true;
  });
  return best;
}
