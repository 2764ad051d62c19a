import { visitRuns } from '../analysis/fold.ts';
import { isParticle, isStopWord } from '../analysis/stop-words.ts';
import type { Cedict, DictionaryEntry } from './cedict.ts';

/** A word or phrase of a query with its translations, the likeliest first. */
export interface Translation {
  from: string;
  to: readonly string[];
}

const maxTranslations = 8;
/** Maximum number of words of a query that are translated. */
const maxTranslated = 32;
/** Maximum number of English words that are looked up as one phrase. */
const maxPhraseWords = 4;
const latin = /^[a-z]/u;
const han = /^\p{sc=Han}+$/u;

/**
 * Translates the Chinese words of a query to English and the English words to Chinese. Words that are not in the
 * dictionary are left out.
 */
export function translateQuery(question: string, dictionary: Cedict): Translation[] {
  const found: Translation[] = [];
  const add = (from: string, to: readonly string[]): void => {
    if (to.length > 0 && found.length < maxTranslated && !found.some((one) => one.from === from))
      found.push({ from, to });
  };
  let words: string[] = [];
  const endWords = (): void => {
    translateEnglish(words, dictionary, add);
    words = [];
  };
  visitRuns(question, {
    word: (word) => {
      if (latin.test(word)) words.push(word);
      else endWords();
    },
    characters: (characters) => {
      endWords();
      for (const word of segmentChinese(characters, dictionary))
        if (!isParticle(word)) add(word, englishOf(word, dictionary));
    },
  });
  endWords();
  return found;
}

/**
 * Splits a run of characters into dictionary words, as few and as long as possible. A character outside these words
 * becomes a word of its own. Words that are not in Chinese characters are left out.
 */
function segmentChinese(characters: readonly string[], dictionary: Cedict): string[] {
  const count = characters.length;
  const cost = new Float64Array(count + 1);
  const length = new Uint8Array(count + 1);
  for (let at = count - 1; at >= 0; at--) {
    cost[at] = cost[at + 1]! + 2;
    length[at] = 1;
    for (let size = 2; size <= dictionary.maxHeadword && at + size <= count; size++) {
      const total = cost[at + size]! + 1;
      if (total >= cost[at]! || dictionary.ofHeadword(characters.slice(at, at + size).join('')).length === 0) continue;
      cost[at] = total;
      length[at] = size;
    }
  }
  const words: string[] = [];
  for (let at = 0; at < count; at += length[at]!) words.push(characters.slice(at, at + length[at]!).join(''));
  return words.filter((word) => han.test(word));
}

function englishOf(word: string, dictionary: Cedict): string[] {
  const glosses = dictionary.ofHeadword(word).flatMap((entry) => entry.glosses);
  return [...new Set(glosses)].filter((gloss) => !gloss.split(' ').every(isStopWord)).slice(0, maxTranslations);
}

function translateEnglish(
  words: readonly string[],
  dictionary: Cedict,
  add: (from: string, to: string[]) => void,
): void {
  for (let at = 0; at < words.length;) {
    let size = Math.min(maxPhraseWords, words.length - at);
    for (; size > 0; size--) {
      const phrase = words.slice(at, at + size).join(' ');
      if (words.slice(at, at + size).every(isStopWord)) continue;
      const to = chineseOf(phrase, dictionary);
      if (to.length === 0) continue;
      add(phrase, to);
      break;
    }
    at += Math.max(1, size);
  }
}

function chineseOf(phrase: string, dictionary: Cedict): string[] {
  const rank = ({ glosses, simplified }: DictionaryEntry): number =>
    Math.max(0, glosses.indexOf(phrase)) + Math.abs(simplified.length - 2);
  const entries = dictionary.ofGloss(phrase).sort((one, other) => rank(one) - rank(other));
  return [...new Set(entries.map((entry) => entry.simplified))].slice(0, maxTranslations);
}
