import { Matcher } from '../query/text-matcher.ts';
import { splitPassages, type Outline, type Passage } from './split-passages.ts';
import { idf, lengthNorm, termScore } from '../query/bm25.ts';

/** A passage of one of several texts, with its score. */
export interface RankedPassage extends Passage {
  /** Index of the text. */
  text: number;
  score: number;
}

/** Maximum number of characters searched in each text. */
const maxSearchedLength = 2 ** 20;

/**
 * Ranks the passages of the texts for a query, best first, by the query words they contain; words that few passages contain
 * weigh more. The texts are the hits of a search, so there are few.
 */
export function rankPassages(
  texts: readonly { body: string; outline: Outline }[],
  query: string,
  limit: number,
): RankedPassage[] {
  const matcher = new Matcher(query);
  const passages: { passage: Passage; text: number; counts: Map<number, number> }[] = [];
  const having = new Map<number, number>();
  texts.forEach(({ body, outline }, text) => {
    const looked = body.slice(0, maxSearchedLength);
    for (const passage of splitPassages(looked, outline)) {
      const counts = new Map<number, number>();
      const count = (part: string, weight: number): void =>
        matcher.find(part, ({ term }) => {
          counts.set(term, (counts.get(term) ?? 0) + weight);
          return false;
        });
      count(looked.slice(passage.from, passage.to), 1);
      // The headings above a passage say what it is about, so their words count half.
      count(passage.headings.join('\n'), 0.5);
      for (const term of counts.keys()) having.set(term, (having.get(term) ?? 0) + 1);
      passages.push({ passage, text, counts });
    }
  });
  const mean = passages.reduce((sum, { passage }) => sum + passage.to - passage.from, 0) / Math.max(1, passages.length);
  const ranked = passages.flatMap(({ passage, text, counts }): RankedPassage[] => {
    const norm = lengthNorm(passage.to - passage.from, Math.max(1, mean));
    let score = 0;
    for (const [term, count] of counts)
      if (!matcher.isMinor(term)) score += termScore(idf(passages.length, having.get(term) ?? 0), count, norm);
    return score > 0 ? [{ ...passage, text, score }] : [];
  });
  return ranked.sort((a, b) => b.score - a.score || a.text - b.text || a.from - b.from).slice(0, limit);
}
