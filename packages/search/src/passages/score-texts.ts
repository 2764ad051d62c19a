import { visitRuns } from '../analysis/fold.ts';
import { stemOf } from '../analysis/stem.ts';
import { isStopWord } from '../analysis/stop-words.ts';
import { splitLettersAndDigits } from '../analysis/tokenizer.ts';

/** Weights of the search score and of the title score in the total score of a text. */
const scoreWeight = 0.4;
const titleWeight = 0.6;
/** Maximum number of query words that a title may contain written as one word, as in AMERICANEXPRESS_2022. */
const maxJoined = 3;

/**
 * Returns a score from 0 to 1 for each text, from its search score and the query words in its title. In a long text the
 * title hardly affects the search score, but it often tells which text a question is about.
 */
export function scoreTexts(texts: readonly { title: string; score: number }[], query: string): number[] {
  const titles = scoreTitles(texts, query);
  const best = Math.max(...texts.map(({ score }) => score), 0) || 1;
  return texts.map(({ score }, i) => scoreWeight * (score / best) + titleWeight * titles[i]!);
}

/**
 * Returns the score of each title by the query words in it, relative to the best title. Words that occur in few titles
 * weigh more.
 */
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
  // A single word shared by title and query may be a coincidence, so the factor grows with the number of matched words.
  return scores.map((score, i) => (score / best) * (1 - 0.5 ** found[i]!.size));
}

function wordsInTitle(words: readonly string[], title: string): Set<string> {
  const forms = new Set(wordsOf(title).flatMap((word) => [...splitLettersAndDigits(word), word, stemOf(word)]));
  const matched = new Set<string>();
  words.forEach((word, i) => {
    // Also compare the parts of words with letters and digits, so that FY2022 matches a title that contains 2022.
    const parts = splitLettersAndDigits(word).filter((part) => part.length > 2);
    if (!isStopWord(word) && [word, stemOf(word), ...parts].some((form) => forms.has(form))) matched.add(word);
    for (let end = i + 2; end <= Math.min(words.length, i + maxJoined); end++)
      if (forms.has(words.slice(i, end).join(''))) for (const one of words.slice(i, end)) matched.add(one);
  });
  return matched;
}

/** Returns the words of a text, and pairs of characters for scripts without spaces. */
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
