/**
 * This file creates tokens for word beginnings that inflected forms share: the first five letters of a word, after
 * common Arabic prefixes and suffixes were removed. Stemmers for other languages than English are not used, because the
 * language of a text is unknown.
 */

/**
 * Prefix that marks a token as the beginning shared by inflected forms of a word. The tokenizer never produces this
 * character from text.
 */
const prefixMark = '‡';
const prefixLength = 5;
/** Matches words of plain Latin letters. Most words are such words, and this test is faster than `letters`. */
const plainLetters = /^[a-z]+$/;
const letters = /^[\p{L}\p{M}]+$/u;
const arabic = /^\p{sc=Arabic}/u;
/** Matches an Arabic conjunction, preposition or article at the start of a word, if at least three letters follow. */
const arabicStart = /^(?:[وف]?(?:[بك]?ال|لل)|[وف](?=.{4}))(?=.{3})/u;
const arabicEnd = /(?<=.{3})(?:ها|هم|ان|ات|ون|ين|ية|ه|ة|ي)$/u;

/**
 * Returns the token for the beginning that a word shares with its inflected forms. Returns undefined if the word is too
 * short or does not consist of letters only.
 */
export function prefixTokenOf(word: string): string | undefined {
  if (word.length < 4) return undefined;
  if (plainLetters.test(word))
    return word.length <= prefixLength ? undefined : prefixMark + word.slice(0, prefixLength);
  if (!letters.test(word)) return undefined;
  if (arabic.test(word))
    return prefixMark + word.replace(arabicStart, '').replace(arabicEnd, '').slice(0, prefixLength);
  if (word.length <= prefixLength) return undefined;
  const [...points] = word.slice(0, 2 * prefixLength);
  return prefixMark + points.slice(0, prefixLength).join('');
}
