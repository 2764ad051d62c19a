import { camelCaseWords, findNumbersToIndex } from './compound-words.ts';
import { findNormalizedDates } from './normalized-dates.ts';
import { visitRuns } from './fold.ts';
import { stemOf } from './stem.ts';
import { prefixTokenOf } from './word-prefix.ts';

/**
 * This file contains the tokenizer of the full-text index. A word yields a token for itself and, if different, for its
 * stem and for the prefix it shares with inflected forms. A run in a script without spaces yields a token for each
 * character and each pair of adjacent characters. Only tokens with a position can be part of a phrase.
 */

/**
 * Version of the tokens in the index. Raise it when the same text produces different tokens; every index is then
 * rebuilt.
 */
export const tokensVersion = '6';

/** Prefix that marks a token as a stem. The tokenizer never produces it from text. */
export const stemMark = '¶';

export interface TokenSink {
  /**
   * Called for a token that has a position: the number of words, and of characters in scripts without spaces, before
   * it.
   */
  positioned(token: string, place: number): void;
  /** Called for a token without a position, such as a stem or a part of a word. */
  unpositioned(token: string): void;
  /**
   * If defined, called with a whole word instead of `positioned` and `unpositioned`, so that the implementation can
   * cache the tokens of each word. It gets these tokens by calling `visitWord`.
   */
  word?(word: string, place: number): void;
  /**
   * Faster alternative to `positioned` and `unpositioned`: if defined, it is called instead for a run of characters
   * that are one UTF-16 code unit each and need no other normalization than `foldHanUnit`. `place` is the position of
   * the first character.
   */
  plain?(text: string, from: number, to: number, place: number): void;
}

/**
 * Passes all tokens of one word to `sink`: the word itself, its stem, the prefix it shares with inflected forms, and
 * its parts if it mixes letters and digits.
 */
export function visitWord(word: string, place: number, sink: TokenSink): void {
  sink.positioned(word, place);
  const stem = stemOf(word);
  if (stem !== word) sink.unpositioned(stemMark + stem);
  const prefix = prefixTokenOf(word);
  if (prefix !== undefined) sink.unpositioned(prefix);
  const parts = splitLettersAndDigits(word);
  if (parts.length > 1) for (const part of parts) visitForms(part, sink);
}

function visitForms(word: string, sink: TokenSink): void {
  sink.unpositioned(word);
  const stem = stemOf(word);
  if (stem !== word) sink.unpositioned(stemMark + stem);
}

interface Piece {
  word: string;
  from: number;
  to: number;
}

/**
 * Maximum length and number of words for joining hyphenated words into one. Longer joins are unlikely to be written as
 * a single word.
 */
const maxJoinedLength = 40;
export const maxJoinedWords = 4;

/**
 * Passes every token of the text to `sink`. Positions start at `first`; the return value is the position after the last
 * token.
 */
export function visitTokens(text: string, sink: TokenSink, first = 0): number {
  let place = first;
  /** The words joined by hyphens so far, ending with the current word. */
  let chain: Piece[] = [];
  const endChain = (): void => {
    if (chain.length > 1) {
      const joined = joinWords(chain.map((piece) => piece.word));
      if (joined !== undefined) visitForms(joined, sink);
      if (joined !== undefined && isVersion(chain[0]!.word)) visitForms(joined.slice(1), sink);
    }
    if (chain.length > 0) chain = [];
  };
  const isQuick = sink.plain !== undefined;
  visitRuns(text, {
    word: (word, from, to) => {
      if (sink.word) sink.word(word, place);
      else visitWord(word, place, sink);
      // The number after the v gets the same position as the word, so that the phrase "3.14" also matches v3.14.
      if (isVersion(word)) sink.positioned(word.slice(1), place);
      place += 1;
      const raw = text.slice(from, to);
      // A word that folding (normalizing) does not change has no upper-case letters and therefore no camel-case parts.
      if (raw !== word) for (const part of camelCaseWords(raw)) visitForms(part, sink);
      const last = chain.at(-1);
      if (last && !isWordJoiner(text, last.to, from)) endChain();
      if (chain.length > 0 || isJoinerSign(text, to)) chain.push({ word, from, to });
    },
    characters: (folded) => {
      endChain();
      const last = folded.length - 1;
      for (let i = 0; i <= last; i++) {
        const character = folded[i] ?? '';
        if (i < last) sink.positioned(character + (folded[i + 1] ?? ''), place);
        if (i === 0 || i === last) sink.positioned(character, place);
        else sink.unpositioned(character);
        place += 1;
      }
    },
    ...(isQuick && {
      plain: (from: number, to: number) => {
        endChain();
        sink.plain!(text, from, to, place);
        place += to - from;
      },
    }),
  });
  endChain();
  for (const { normal, others = [], whole } of findNumbersToIndex(text)) {
    for (const form of [normal, ...others]) sink.unpositioned(form);
    // The number without its fraction (12450 for 12,450.50) is indexed like a stem, which ranks lower than an exact
    // word. A query for 12450 then finds this document too, but ranks documents that contain exactly 12450 higher.
    if (whole !== undefined) sink.unpositioned(stemMark + whole);
  }
  for (const { normal } of findNormalizedDates(text)) for (const date of normal) sink.unpositioned(date);
  return place;
}

/**
 * Splits a word into runs of letters and runs of digits: "gpt4" into "gpt" and "4". Returns the word unsplit if it has
 * only letters or only digits, or too many parts.
 */
export function splitLettersAndDigits(word: string): string[] {
  if (!/\d/.test(word) || !/[^\d]/.test(word)) return [word];
  const parts = word.match(/\d+|[^\d]+/gu) ?? [word];
  return parts.length > maxJoinedWords - 1 ? [word] : parts;
}

const version = /^v\d+$/;

/** Returns whether a word is the first part of a version number, such as v3 in v3.14. */
export function isVersion(word: string): boolean {
  return word.charCodeAt(0) === 0x76 && version.test(word);
}

export function joinWords(words: readonly string[]): string | undefined {
  if (words.length > maxJoinedWords) return undefined;
  const joined = words.join('');
  return joined.length > maxJoinedLength ? undefined : joined;
}

/**
 * Returns whether the text between two words is a single joining sign: a hyphen, an underscore, or a point between
 * digits, as in 3.5.
 */
export function isWordJoiner(text: string, from: number, to: number): boolean {
  return to === from + 1 && isJoinerSign(text, from);
}

function isJoinerSign(text: string, at: number): boolean {
  const sign = text.charAt(at);
  if (sign === '-' || sign === '_' || sign === '\u2010' || sign === '\u2011') return true;
  return sign === '.' && isDigit(text.charCodeAt(at - 1)) && isDigit(text.charCodeAt(at + 1));
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
