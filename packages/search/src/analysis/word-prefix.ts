/**
 * The part of a word that its inflected forms share, as a token. Texts carry no language, so no stemmer can be chosen for
 * them: the first five letters serve all alphabets, and for Arabic, which also inflects at the beginning, a light stem.
 */

/** Marks a token as such a part. The tokenizer never produces it from text. */
const prefixMark = '‡';
const prefixLength = 5;
const letters = /^[\p{L}\p{M}]+$/u;
const arabic = /^\p{sc=Arabic}/u;
/** Conjunction, preposition and article of Arabic, if three letters remain. */
const arabicStart = /^(?:[وف]?(?:[بك]?ال|لل)|[وف](?=.{4}))(?=.{3})/u;
const arabicEnd = /(?<=.{3})(?:ها|هم|ان|ات|ون|ين|ية|ه|ة|ي)$/u;

/** Returns the token, or undefined for a word that is short, has digits, or has no forms. */
export function prefixTokenOf(word: string): string | undefined {
  if (word.length < 4 || !letters.test(word)) return undefined;
  if (arabic.test(word))
    return prefixMark + word.replace(arabicStart, '').replace(arabicEnd, '').slice(0, prefixLength);
  if (word.length <= prefixLength) return undefined;
  const [...points] = word.slice(0, 2 * prefixLength);
  return prefixMark + points.slice(0, prefixLength).join('');
}
