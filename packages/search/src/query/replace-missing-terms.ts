import { pinyinPrefix, pinyinTokens } from '../analysis/pinyin.ts';
import type { PostingsSlice } from '../index/term-postings.ts';
import { correctionBoost } from './bm25.ts';
import { queryTerm, wordTerm, type QueryTerm } from './query-term.ts';

/** Maximum number of words of a query that are replaced by a similar word. */
const maxCorrected = 6;

export interface MissingTermLookups {
  /** Returns the postings of a term in each segment. */
  slices: (term: QueryTerm) => Promise<PostingsSlice[]>;
  nearestWord: (word: string) => Promise<string | undefined>;
}

/**
 * Replaces, in `terms` and in `slices`, the query words that no visible document contains. A word in pinyin (the Latin
 * spelling of Chinese) is replaced by the Chinese titles with this reading, any other word by the most similar word in
 * the index. Returns each word replaced by a similar one, with the similar word.
 */
export async function replaceMissingTerms(
  terms: QueryTerm[],
  slices: PostingsSlice[][],
  lookups: MissingTermLookups,
): Promise<Map<string, string>> {
  const corrected = new Map<string, string>();
  const replace = async (i: number, term: QueryTerm): Promise<boolean> => {
    const found = await lookups.slices(term);
    if (!isFound(found)) return false;
    terms[i] = term;
    slices[i] = found;
    return true;
  };
  for (const [i, { exact, isMinor, prefix }] of terms.entries()) {
    if (exact === undefined || isMinor || isFound(slices[i]!)) continue;
    const reading = pinyinTerm(exact, prefix);
    if (reading && (await replace(i, reading))) continue;
    if (prefix !== undefined || corrected.size === maxCorrected) continue;
    const nearest = await lookups.nearestWord(exact);
    if (nearest === undefined) continue;
    corrected.set(exact, nearest);
    await replace(i, Object.assign(wordTerm(nearest), { boost: correctionBoost }));
  }
  return corrected;
}

function isFound(slices: readonly PostingsSlice[]): boolean {
  return slices.some(({ live }) => live > 0);
}

function pinyinTerm(word: string, prefix: string | undefined): QueryTerm | undefined {
  const alternatives = pinyinTokens(word);
  const open = prefix === undefined ? undefined : pinyinPrefix(prefix);
  if (alternatives.length === 0 && open === undefined) return undefined;
  return Object.assign(queryTerm(word, alternatives), { prefix: open });
}
