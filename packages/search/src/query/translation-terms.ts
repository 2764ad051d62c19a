import { isStopWord } from '../analysis/stop-words.ts';
import { translationBoosts } from './bm25.ts';
import { phraseOf, runsOf, wordTerm, type QueryTerm, type TermAlternative } from './parse-query.ts';
import type { Translation } from './translate-query.ts';

/** Bounds the lists that are read for one word of a query. */
const maxAlternatives = 24;

/**
 * Makes one term of each translated word, with its translations as alternatives: their frequencies add up, so that a word
 * with many translations weighs no more than one with a single translation.
 */
export function translationTerms(translations: readonly Translation[]): QueryTerm[] {
  return translations.map(({ from, to }) => ({
    key: `→${from}`,
    alternatives: to.flatMap(alternativesOf).slice(0, maxAlternatives),
    boost: from.length === 1 ? translationBoosts.character : translationBoosts.word,
    isTranslation: true,
  }));
}

/** The words of an English translation one by one, because dictionaries paraphrase; a Chinese word as a phrase. */
function alternativesOf(text: string): readonly TermAlternative[] {
  const runs = runsOf(text);
  if (runs.every((run) => run.kind === 'word'))
    return runs.flatMap(({ word }) => (isStopWord(word) || word.length < 2 ? [] : wordTerm(word).alternatives));
  const phrase = phraseOf(runs);
  return phrase ? [phrase] : [];
}
