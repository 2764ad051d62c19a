import { visitRuns } from '../analysis/fold.ts';
import { stemOf } from '../analysis/stem.ts';
import { isStopWord } from '../analysis/stop-words.ts';
import { splitLettersAndDigits } from '../analysis/tokenizer.ts';

/** Weights of a text's own score and of its title, relative to the words of a passage, which weigh 0.6. */
const scoreWeight = 0.4;
const titleWeight = 0.6;
/** Maximum number of words that a title writes as one, such as AMERICANEXPRESS_2022. */
const maxJoined = 3;

/**
 * Scores texts for the passages in them, from 0 to 1: by the score that a search gave the text, and by the words of the query
 * in its title. In a long text the title adds nothing to the score of the search, because every word of it is in the text
 * many times; but it tells which of several reports a question is about.
 */
export function scoreTexts(texts: readonly { title: string; score: number }[], query: string): number[] {
  const titles = scoreTitles(texts, query);
  const best = Math.max(...texts.map(({ score }) => score), 0) || 1;
  return texts.map(({ score }, i) => scoreWeight * (score / best) + titleWeight * titles[i]!);
}

/** Returns each title's share of what the best one has, where words that few of the titles have weigh more. */
function scoreTitles(texts: readonly { title: string }[], query: string): number[] {
  const words = wordsOf(query);
  const having = new Map<string, number>();
  const found = texts.map(({ title }) => {
    const matched = wordsInTitle(words, title);
    for (const word of matched) having.set(word, (having.get(word) ?? 0) + 1);
    return matched;
  });
  const scores = found.map((matched) =>
    [...matched].reduce((sum, word) => sum + Math.log(1 + texts.length / having.get(word)!), 0),
  );
  const best = Math.max(...scores, 0) || 1;
  // One word that a title shares with a question may be there by chance, several hardly.
  return scores.map((score, i) => (score / best) * (1 - 0.5 ** found[i]!.size));
}

function wordsInTitle(words: readonly string[], title: string): Set<string> {
  const forms = new Set(wordsOf(title).flatMap((word) => [...splitLettersAndDigits(word), word, stemOf(word)]));
  const matched = new Set<string>();
  words.forEach((word, i) => {
    // A year of FY2022 is in the title of a report as a number.
    const parts = splitLettersAndDigits(word).filter((part) => part.length > 2);
    if (!isStopWord(word) && [word, stemOf(word), ...parts].some((form) => forms.has(form))) matched.add(word);
    for (let end = i + 2; end <= Math.min(words.length, i + maxJoined); end++)
      if (forms.has(words.slice(i, end).join(''))) for (const one of words.slice(i, end)) matched.add(one);
  });
  return matched;
}

/** Words, and pairs of characters in scripts without spaces. */
function wordsOf(text: string): string[] {
  const words: string[] = [];
  visitRuns(text, {
    word: (word) => words.push(word),
    characters: (folded) => {
      if (folded.length === 1) words.push(folded[0]!);
      for (let i = 0; i + 1 < folded.length; i++) words.push(folded[i]! + folded[i + 1]!);
    },
  });
  return words;
}
