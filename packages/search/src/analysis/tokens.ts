import { visitRuns } from './fold.ts';
import { stemOf } from './stem.ts';

/**
 * The one tokenizer, for every database. A word is a token, with its stem beside it where that differs. A run of
 * characters of a script without spaces is a token for each pair side by side and one for each character. What has a
 * place in the text (words, pairs, and the characters at the ends of a run) can be part of a phrase.
 */

/** Part of the index's format: raise it when the same text gives other tokens, and every index is built anew. */
export const tokensVersion = '2';

/** Comes before a stem. No text and no word holds it. */
export const stemMark = '¶';

export interface TokenSink {
  /** A token at its place. Places count words and characters. */
  placed(token: string, place: number): void;
  /** A token that stands for something placed, without a place of its own. */
  extra(token: string): void;
  /** Instead of all tokens of a word, where the sink knows them already (`visitWord` gives them). */
  word?(word: string, place: number): void;
  /** Instead of the tokens of characters side by side, each one code unit that folding leaves as it is; the first at `place`. */
  plain?(text: string, from: number, to: number, place: number): void;
}

/** Gives every token of one word: itself, its stem, its parts. */
export function visitWord(word: string, place: number, sink: TokenSink): void {
  sink.placed(word, place);
  const stem = stemOf(word);
  if (stem !== word) sink.extra(stemMark + stem);
  const parts = partsOf(word);
  if (parts.length > 1) for (const part of parts) visitForms(part, sink);
}

function visitForms(word: string, sink: TokenSink): void {
  sink.extra(word);
  const stem = stemOf(word);
  if (stem !== word) sink.extra(stemMark + stem);
}

interface Piece {
  word: string;
  from: number;
  to: number;
}

/** Joined words longer than this, or of more parts, are no names that somebody would write in one word. */
const maxJoinedLength = 40;
export const maxParts = 4;

/** Gives every token of the text to the sink, places counted from `first`; the place after the last. */
export function visitTokens(text: string, sink: TokenSink, first = 0): number {
  let place = first;
  /** Words that hyphens tie together, up to the one just seen. */
  let chain: Piece[] = [];
  const endChain = (): void => {
    if (chain.length > 1) {
      const joined = joinedWord(chain.map((piece) => piece.word));
      if (joined !== undefined) visitForms(joined, sink);
    }
    if (chain.length > 0) chain = [];
  };
  const isQuick = sink.plain !== undefined;
  visitRuns(text, {
    word: (word, from, to) => {
      if (sink.word) sink.word(word, place);
      else visitWord(word, place, sink);
      place += 1;
      const last = chain.at(-1);
      if (last && !isJoint(text, last.to, from)) endChain();
      if (chain.length > 0 || isJointSign(text, to)) chain.push({ word, from, to });
    },
    characters: (folded) => {
      endChain();
      const last = folded.length - 1;
      for (let i = 0; i <= last; i++) {
        const character = folded[i] ?? '';
        if (i < last) sink.placed(character + (folded[i + 1] ?? ''), place);
        if (i === 0 || i === last) sink.placed(character, place);
        else sink.extra(character);
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
  return place;
}

/** "gpt4" is also "gpt" and "4"; a word without both letters and digits is one part, as is a tangle of them. */
export function partsOf(word: string): string[] {
  if (!/\d/.test(word) || !/[^\d]/.test(word)) return [word];
  const parts = word.match(/\d+|[^\d]+/gu) ?? [word];
  return parts.length > maxParts - 1 ? [word] : parts;
}

export function joinedWord(words: readonly string[]): string | undefined {
  if (words.length > maxParts) return undefined;
  const joined = words.join('');
  return joined.length > maxJoinedLength ? undefined : joined;
}

/** Hyphens and underscores tie words together; points and commas only digits, as in 3.5. */
export function isJoint(text: string, from: number, to: number): boolean {
  return to === from + 1 && isJointSign(text, from);
}

function isJointSign(text: string, at: number): boolean {
  const sign = text.charAt(at);
  if (sign === '-' || sign === '_' || sign === '\u2010' || sign === '\u2011') return true;
  return sign === '.' && isDigit(text.charCodeAt(at - 1)) && isDigit(text.charCodeAt(at + 1));
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
