import { isStopWord } from '../analysis/stop-words.ts';
import { translationBoosts } from './bm25.ts';
import { phraseOf, runsOf } from './parse-query.ts';
import { queryTerm, wordTerm, type QueryTerm, type TermAlternative } from './query-term.ts';
import type { Translation } from './translate-query.ts';

/**
 * Maximum number of alternatives per translated word. It limits how many postings lists (a word's occurrences in the
 * index) a search reads.
 */
const maxAlternatives = 24;

/**
 * Makes one search term of each translated word, with the translations as alternatives. The score adds up the
 * frequencies of the alternatives, so that a word with many translations weighs no more than a word with one.
 */
export function translationTerms(translations: readonly Translation[]): QueryTerm[] {
  return translations.map(({ from, to }) => {
    const term = queryTerm(`→${from}`, to.flatMap(alternativesOf).slice(0, maxAlternatives));
    term.boost = from.length === 1 ? translationBoosts.character : translationBoosts.word;
    term.isTranslation = true;
    return term;
  });
}

/**
 * Splits an English translation into its words, because dictionaries describe a meaning in a wording that documents
 * rarely repeat. Keeps a Chinese translation as one phrase.
 */
function alternativesOf(text: string): readonly TermAlternative[] {
  const runs = runsOf(text);
  if (runs.every((run) => run.kind === 'word'))
    return runs.flatMap(({ word }) => (isStopWord(word) || word.length < 2 ? [] : wordTerm(word).alternatives));
  const phrase = phraseOf(runs);
  return phrase ? [phrase] : [];
}
