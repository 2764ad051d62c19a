import { camelCaseWords, findNumbersToIndex } from '../analysis/compound-words.ts';
import { visitRuns, type RunVisitor } from '../analysis/fold.ts';
import { findNormalizedDates } from '../analysis/normalized-dates.ts';
import { hanVariantsOf } from '../analysis/fold-han.ts';
import { parseQuery, type ParseOptions } from './parse-query.ts';
import type { QueryTerm, TermAlternative } from './query-term.ts';
import { stemOf } from '../analysis/stem.ts';
import {
  isVersion,
  isWordJoiner,
  joinWords,
  maxJoinedWords,
  splitLettersAndDigits,
  stemMark,
} from '../analysis/tokenizer.ts';

/** An occurrence of a query word in a text. */
export interface Match {
  from: number;
  to: number;
  /** Index of the query word in `terms` of the matcher. */
  term: number;
}

interface PositionedToken {
  token: string;
  position: number;
  from: number;
  to: number;
}

interface Phrase {
  tokens: readonly string[];
  positions: readonly number[];
  term: number;
}

/** Minimum length of a camel-case identifier that can be split. */
const minCamelCase = 4;

/** Finds the words of a query in a text. It uses the same tokens as the search index. */
export class TextMatcher {
  readonly terms: readonly QueryTerm[];
  readonly #words = new Map<string, number>();
  readonly #phrases: Phrase[] = [];
  readonly #inPhrases = new Set<string>();
  readonly #prefixes: { prefix: string; term: number }[] = [];
  /**
   * First code units of all tokens that can match. Comparing the first code unit alone rejects most words of a text.
   */
  readonly #firsts = new Set<string>();
  readonly #hasNumber: boolean;

  constructor(query: string, options: ParseOptions = {}) {
    this.terms = parseQuery(query, options).terms.filter((unit) => unit.isHighlighted !== false);
    this.terms.forEach((unit, term) => {
      for (const choice of unit.alternatives) this.#add(choice, term);
      if (unit.prefix !== undefined) this.#prefixes.push({ prefix: unit.prefix, term });
      this.#firsts.add((unit.prefix ?? '').charAt(0));
    });
    this.#hasNumber = /\d/.test(query);
  }

  /** Number of query terms that a text should contain. Minor terms, which only affect the ranking, are not counted. */
  get requiredTerms(): number {
    return this.terms.filter((unit) => unit.isMinor !== true).length;
  }

  isMinor(term: number): boolean {
    return this.terms[term]?.isMinor === true;
  }

  /**
   * Regular expressions for the beginnings that all forms of a query word share. They allow a fast scan of a long text.
   */
  get prefixPatterns(): string[] {
    const tokens = this.terms.flatMap((unit) => unit.alternatives.map((choice) => choice.tokens[0] ?? ''));
    const prefixes = tokens.map((token) => token.replace(stemMark, '')).map(stemPrefixOf);
    return [...new Set(prefixes)].filter((one) => one !== '').map(inEveryScript);
  }

  #add({ tokens, positions }: TermAlternative, term: number): void {
    for (const token of tokens) this.#firsts.add(token.replace(stemMark, '').charAt(0));
    const [only = ''] = tokens;
    if (!positions) {
      if (!this.#words.has(only)) this.#words.set(only, term);
      return;
    }
    this.#phrases.push({ tokens, positions, term });
    for (const token of tokens) this.#inPhrases.add(token);
  }

  /**
   * Calls `found` for each match in order of its end, until `found` returns true. The text is read once, and only a
   * limited number of earlier tokens is kept.
   */
  find(text: string, found: (match: Match) => boolean): void {
    let place = 0;
    let recent: PositionedToken[] = [];
    /**
     * The words read so far that are joined by hyphens or underscores (such as `well-known`), and their range in the
     * text.
     */
    let joined: { words: readonly string[]; from: number; to: number } = { words: [], from: 0, to: -1 };
    const visitor: RunVisitor & { done: boolean } = {
      done: false,
      word: (word, from, to) => {
        for (const part of to - from < minCamelCase ? [] : camelCaseWords(text.slice(from, to)))
          for (const term of this.#termsOf(part)) report({ from, to, term });
        const terms = this.#firsts.has(word.charAt(0)) || /^\d/.test(word) ? this.#termsOf(word) : undefined;
        if (terms) {
          for (const term of terms) report({ from, to, term });
          placed({ token: word, position: place, from, to });
        }
        if (isVersion(word)) placed({ token: word.slice(1), position: place, from, to });
        joined = isWordJoiner(text, joined.to, from)
          ? { words: joinedUpTo(joined.words, word), from: joined.from, to }
          : { words: [word], from, to };
        // Mark the word itself if the query contains it. Otherwise the query may contain the compound of which it is a
        // part, such as e-mail; then mark the compound.
        if (!terms?.length)
          for (const term of this.#termsOfJoined(joined.words)) report({ from: joined.from, to, term });
        place += 1;
      },
      characters: (folded, starts, to) => {
        const last = folded.length - 1;
        for (let i = 0; i <= last && !visitor.done; i++, place++) {
          const character = folded[i] ?? '';
          if (!this.#firsts.has(character.charAt(0))) continue;
          const from = starts[i] ?? 0;
          const end = starts[i + 1] ?? to;
          const single = this.#words.get(character);
          if (single !== undefined) report({ from, to: end, term: single });
          if (i === 0 || i === last) placed({ token: character, position: place, from, to: end });
          if (i === last) continue;
          const pair = character + (folded[i + 1] ?? '');
          const term = this.#words.get(pair);
          if (term !== undefined) report({ from, to: starts[i + 2] ?? to, term });
          placed({ token: pair, position: place, from, to: starts[i + 2] ?? to });
        }
      },
    };
    const numbers = this.#hasNumber ? normalForms(text) : [];
    const reportNumbers = (before: number): void => {
      while (numbers.length > 0 && numbers[0]!.to <= before && !visitor.done) {
        const { normal, from, to } = numbers.shift()!;
        for (const term of this.#termsOf(normal)) if (found({ from, to, term })) visitor.done = true;
      }
    };
    const report = (match: Match): void => {
      reportNumbers(match.to);
      if (!visitor.done && found(match)) visitor.done = true;
    };
    const placed = (token: PositionedToken): void => {
      if (!this.#inPhrases.has(token.token)) return;
      recent.push(token);
      if (recent.length > 256) recent = recent.slice(-128);
      for (const phrase of this.#phrases) {
        const match = phraseEndingAt(phrase, token, recent);
        if (match) report(match);
      }
    };
    visitRuns(text, visitor);
    reportNumbers(text.length);
  }

  #termsOfJoined(words: readonly string[]): number[] {
    const joined = words.length > 1 && this.#firsts.has(words[0]!.charAt(0)) ? joinWords(words) : undefined;
    return joined === undefined ? [] : this.#termsOf(joined);
  }

  #termsOf(word: string): number[] {
    const forms = [word, ...(/\d/.test(word) ? splitLettersAndDigits(word) : [])];
    const terms: (number | undefined)[] = forms.map((form) => this.#words.get(stemOf(form)) ?? this.#words.get(form));
    if (!terms.some((term) => term !== undefined))
      terms.push(this.#prefixes.find(({ prefix }) => word.startsWith(prefix))?.term);
    return [...new Set(terms)].filter((term) => term !== undefined);
  }
}

/**
 * Appends a word to a list of joined words. The list stops growing one word above the limit of `joinWords`, because
 * copying a longer list for each word would take quadratic time.
 */
function joinedUpTo(words: readonly string[], word: string): readonly string[] {
  return words.length > maxJoinedWords ? words : [...words, word];
}

/**
 * Returns the normalized forms of the numbers and dates in a text (for example `1000` for `1,000`), sorted by the
 * offset where they end.
 */
function normalForms(text: string): { normal: string; from: number; to: number }[] {
  const dates = findNormalizedDates(text).flatMap(({ normal, from, to }) =>
    normal.map((one) => ({ normal: one, from, to })),
  );
  const numbers = findNumbersToIndex(text).flatMap(({ normal, others = [], whole = normal, from, to }) =>
    [...new Set([normal, ...others, whole])].map((form) => ({ normal: form, from, to })),
  );
  return dates.length === 0 ? numbers : [...numbers, ...dates].sort((one, other) => one.to - other.to);
}

/** Returns a pattern that matches each Chinese character in its Simplified and its Traditional forms. */
function inEveryScript(prefix: string): string {
  return [...prefix].map((one) => (hanVariantsOf(one) === '' ? one : `[${one}${hanVariantsOf(one)}]`)).join('');
}

/**
 * Drops the last letter of a stem, because inflected forms may differ in it: "berries" and "berry" have the stem
 * "berri" but share only "berr".
 */
function stemPrefixOf(token: string): string {
  return /^[a-z]{4,}$/.test(token) ? token.slice(0, -1) : token;
}

/**
 * Returns the match of the phrase if the phrase ends with this token, otherwise undefined. `recent` holds the last
 * tokens read.
 */
function phraseEndingAt(phrase: Phrase, end: PositionedToken, recent: readonly PositionedToken[]): Match | undefined {
  const last = phrase.tokens.length - 1;
  if (phrase.tokens[last] !== end.token) return undefined;
  const start = end.position - phrase.positions[last]!;
  let { from } = end;
  for (let i = last - 1; i >= 0; i--) {
    const token = phrase.tokens[i];
    const place = start + phrase.positions[i]!;
    const before = recent.findLast((one) => one.position === place && one.token === token);
    if (!before) return undefined;
    from = Math.min(from, before.from);
  }
  return { from, to: end.to, term: phrase.term };
}
