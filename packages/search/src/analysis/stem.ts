import { singularOf } from './irregular-plurals.ts';

/**
 * Returns the stem of an English word by Porter's algorithm of 1980, so that "reports", "reported" and "reporting"
 * match each other. Words of other languages in Latin letters are stemmed too; documents and queries lose the same
 * endings, so matches are not lost.
 */
export function stemOf(word: string): string {
  if (word.length < 3 || word.length > 40) return word;
  // Only words of Latin letters have stems. The check of the first character avoids a cache lookup for numbers.
  const first = word.charCodeAt(0);
  if (first < 0x61 || first > 0x7a) return word;
  const known = stemCache.get(word);
  if (known !== undefined) return known;
  if (!/^[a-z]+$/.test(word)) return word;
  const stem = stemNew(singularOf(word));
  if (stemCache.size >= maxStemCache) stemCache.clear();
  stemCache.set(word, stem);
  return stem;
}

/** Returns whether a word can be stemmed (only Latin letters a to z), even if the stem equals the word. */
export function hasStem(word: string): boolean {
  return /^[a-z]+$/.test(word);
}

const stemCache = new Map<string, string>();
const maxStemCache = 30_000;

const vowels = new Set('aeiou');

/** Returns for each letter whether it is a vowel; y is a vowel after a consonant. */
function vowelsOf(word: string): boolean[] {
  const found: boolean[] = [];
  for (let i = 0; i < word.length; i++) {
    const letter = word.charAt(i);
    found.push(vowels.has(letter) || (letter === 'y' && i > 0 && !found[i - 1]));
  }
  return found;
}

/** Returns Porter's measure: the number of vowel-consonant sequences, roughly the number of syllables. */
function measure(stem: string): number {
  const isVowel = vowelsOf(stem);
  let count = 0;
  for (let i = 1; i < isVowel.length; i++) if (isVowel[i - 1] && !isVowel[i]) count += 1;
  return count;
}

function hasVowel(stem: string): boolean {
  return vowelsOf(stem).includes(true);
}

function endsInDouble(word: string): boolean {
  return word.length > 1 && word.at(-1) === word.at(-2) && !vowelsOf(word).at(-1);
}

/**
 * Returns whether the word ends with consonant, vowel, consonant and the last letter is not w, x or y: true for "hop",
 * false for "snow".
 */
function endsShort(word: string): boolean {
  const [first, second, third] = vowelsOf(word).slice(-3);
  return word.length > 2 && !first && second === true && !third && !/[wxy]$/.test(word);
}

type Ending = readonly [from: string, to: string];

/**
 * Parses a table of word endings that the stemmer replaces. Each entry is `from:to`; without `to`, the ending is
 * dropped.
 */
function endings(table: string): readonly Ending[] {
  return table.split(/\s+/).map((one) => {
    const [from = '', to = ''] = one.split(':');
    return [from, to];
  });
}

const doubled =
  endings(`ational:ate tional:tion enci:ence anci:ance izer:ize abli:able alli:al entli:ent eli:e ousli:ous
ization:ize ation:ate ator:ate alism:al iveness:ive fulness:ful ousness:ous aliti:al iviti:ive
biliti:ble`);

const derived = endings(`icate:ic ative: alize:al iciti:ic ical:ic ful: ness:`);

const dropped = endings('al ance ence er ic able ible ant ement ment ent sion:s tion:t ou ism ate iti ous ive ize');

function stemNew(word: string): string {
  let stem = withoutPastAndPlural(word);
  if (stem.endsWith('y') && hasVowel(stem.slice(0, -1))) stem = `${stem.slice(0, -1)}i`;
  stem = replaced(stem, doubled, 0);
  stem = replaced(stem, derived, 0);
  stem = replaced(stem, dropped, 1);
  if (stem.endsWith('e')) {
    const rest = stem.slice(0, -1);
    const count = measure(rest);
    // Keep the final e after only two letters. The stem would otherwise equal another word: "on" for "one", "us" for
    // "use".
    if (rest.length < 3) return stem;
    if (count > 1 || (count === 1 && !endsShort(rest))) stem = rest;
  }
  return stem.endsWith('ll') && measure(stem) > 1 ? stem.slice(0, -1) : stem;
}

function withoutPastAndPlural(word: string): string {
  const stem = withoutPlural(word);
  if (stem.endsWith('eed')) return measure(stem.slice(0, -3)) > 0 ? stem.slice(0, -1) : stem;
  const past = /(?:ed|ing)$/.exec(stem);
  if (!past || !hasVowel(stem.slice(0, past.index))) return stem;
  const rest = stem.slice(0, past.index);
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`;
  if (endsInDouble(rest) && !/[lsz]$/.test(rest)) return rest.slice(0, -1);
  return measure(rest) === 1 && endsShort(rest) ? `${rest}e` : rest;
}

function withoutPlural(word: string): string {
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2);
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

/**
 * Replaces the longest ending of the list that the word has, if Porter's measure is greater than `over`. If `over` is
 * 0, the word without its ending is measured, otherwise the result.
 */
function replaced(word: string, endings: readonly Ending[], over: number): string {
  let best: Ending | undefined;
  for (const ending of endings)
    if (word.endsWith(ending[0]) && ending[0].length > (best?.[0].length ?? 0)) best = ending;
  if (!best) return word;
  const rest = word.slice(0, -best[0].length);
  const result = rest + best[1];
  return measure(over > 0 ? result : rest) > over ? result : word;
}
