import { camelCaseParts, findNormalizedNumbers, type NormalizedNumber } from '../analysis/compound-words.ts';
import { visitRuns } from '../analysis/fold.ts';
import { findNormalizedDates } from '../analysis/normalized-dates.ts';
import { hasStem } from '../analysis/stem.ts';
import { createGrammarTest, isStopWord } from '../analysis/stop-words.ts';
import { prefixTokenOf } from '../analysis/word-prefix.ts';
import { isVersion, isWordJoiner, joinWords, splitLettersAndDigits } from '../analysis/tokenizer.ts';
import { minorBoosts } from './bm25.ts';
import {
  oneToken,
  partTerm,
  queryTerm,
  withAlternatives,
  wordTerm,
  type QueryTerm,
  type TermAlternative,
} from './query-term.ts';
import { splitThaiWords } from './split-thai-words.ts';

export interface TextQuery {
  /**
   * The terms of the query. Stop words (very frequent words such as "the") are included only if the query has no other
   * words.
   */
  terms: readonly QueryTerm[];
  /**
   * True if the query has only stop words (very frequent words such as "the"). A document must then contain all of them
   * to match.
   */
  isStrict: boolean;
  /**
   * True for an empty query, which matches every document. If it is false and there are no terms, the query had only
   * punctuation, and no document matches.
   */
  matchesAll: boolean;
}

export interface ParseOptions {
  /** If true, the last word of the query also matches every word that starts with it. */
  prefix?: boolean | undefined;
}

/** Maximum number of words in a query; later words are ignored. */
const maxTerms = 48;
/**
 * Maximum number of minor terms that are added to a query for parts of its words, such as single characters. Minor
 * terms only affect the ranking.
 */
const maxPartTerms = 48;
/** Maximum number of characters read from a query. */
const maxQueryLength = 4000;
/** Maximum number of tokens in a phrase. */
const maxPhrase = 32;

type TextRun = { from: number; to: number } & (
  | { kind: 'word'; word: string }
  | { kind: 'characters'; characters: readonly string[] }
);

export function parseQuery(question: string, { prefix = false }: ParseOptions = {}): TextQuery {
  const text = question.slice(0, maxQueryLength);
  const units = new Map<string, QueryTerm>();
  const stops = new Map<string, QueryTerm>();
  const parts = new Map<string, QueryTerm>();
  const add = (unit: QueryTerm, isStop = false): void => {
    if (unit.isHighlighted === false) {
      if (parts.size < maxPartTerms) parts.set(unit.key, unit);
    } else if (units.size < maxTerms) (isStop ? stops : units).set(unit.key, unit);
  };
  // Split at straight and typographic quotation marks; some input methods insert typographic ones.
  const pieces = text.split(/["“”„«»「」『』]/u);
  pieces.forEach((part, index) => {
    // Parts of the query with an odd index are inside quotation marks. The last part is quoted only if its quotation
    // mark was closed.
    if (index % 2 === 1 && index < pieces.length - 1) {
      const choice = phraseOf(runsOf(part));
      if (choice) add(queryTerm(`"${choice.tokens.join(' ')}"`, [choice]));
    } else addTerms(part, add, prefix && index === pieces.length - 1);
  });
  const terms = withRequiredTerms([...(units.size > 0 ? units : stops).values()]);
  // If the query has only one required word, its parts are not added: every hit contains the whole word, so scoring the
  // parts would hardly change the order.
  const isSingle = terms.filter((unit) => unit.isMinor !== true).length <= 1;
  return {
    terms: isSingle ? terms : [...terms, ...[...parts.values()].filter(({ key }) => !units.has(key))],
    isStrict: units.size === 0,
    matchesAll: question.trim() === '',
  };
}

/** Returns whether the query is not empty but contains no word to search for, such as `- [ ]` or `*`. */
export function hasNoTerms(question: string): boolean {
  const { terms, matchesAll } = parseQuery(question);
  return !matchesAll && terms.length === 0;
}

/**
 * Makes the terms required if all of them are minor. Minor terms need not match, so such a query would otherwise match
 * every document.
 */
function withRequiredTerms(units: QueryTerm[]): QueryTerm[] {
  if (units.some((unit) => unit.isMinor !== true)) return units;
  for (const unit of units) {
    unit.isMinor = false;
    unit.boost = undefined;
  }
  return units;
}

type AddTerm = (unit: QueryTerm, isStop?: boolean) => void;

export function runsOf(text: string): TextRun[] {
  const pieces: TextRun[] = [];
  visitRuns(text, {
    word: (word, from, to) => pieces.push({ kind: 'word', word, from, to }),
    characters: (folded, starts, to) =>
      pieces.push({ kind: 'characters', characters: folded, from: starts[0] ?? 0, to }),
  });
  return pieces;
}

function addTerms(written: string, add: AddTerm, hasOpenEnd: boolean): void {
  let at = 0;
  for (const { normal, from, to } of findNormalizedDates(written)) {
    addRuns(written.slice(at, from), add, false);
    const alternatives = normal.map(oneToken);
    const addPart: AddTerm = (unit, isStop) => add(unit.isMinor ? unit : withAlternatives(unit, alternatives), isStop);
    addRuns(written.slice(from, to), addPart, false);
    for (const date of normal) add(partTerm(date, minorBoosts.date));
    at = to;
  }
  addRuns(written.slice(at), add, hasOpenEnd);
}

function addRuns(written: string, addTerm: AddTerm, hasOpenEnd: boolean): void {
  const numbers = findNormalizedNumbers(written);
  const add = withOtherForms(numbers, addTerm);
  const text = withNormalNumbers(written, numbers);
  const pieces = runsOf(text);
  for (let at = 0; at < pieces.length;) {
    let end = at + 1;
    while (end < pieces.length && isAdjacent(text, pieces[end - 1]!, pieces[end]!)) end += 1;
    const parts = end === at + 1 ? camelCaseParts(text.slice(pieces[at]!.from, pieces[at]!.to)) : [];
    if (parts.length > 0) addIdentifier(pieces[at]!, parts, add);
    else addChunk(pieces.slice(at, end), add);
    at = end;
  }
  const last = pieces.at(-1);
  if (hasOpenEnd && last?.kind === 'word' && last.to === text.length)
    add(Object.assign(wordTerm(last.word), { prefix: last.word }));
}

/** Replaces each number written with separators by its form without separators, which is the one in the index. */
function withNormalNumbers(text: string, numbers: readonly NormalizedNumber[]): string {
  let [plain, at] = ['', 0];
  for (const { normal, from, to } of numbers) {
    plain += `${text.slice(at, from)} ${normal} `;
    at = to;
  }
  return at === 0 ? text : (plain + text.slice(at)).trimEnd();
}

/**
 * Wraps `add` so that the other forms of a number, such as a telephone number without country code, are added as
 * alternatives of its term.
 */
function withOtherForms(numbers: readonly NormalizedNumber[], add: AddTerm): AddTerm {
  const others = new Map(numbers.flatMap(({ normal, others: forms }) => (forms ? [[normal, forms] as const] : [])));
  if (others.size === 0) return add;
  return (unit, isStop) => {
    const forms = others.get(unit.exact ?? '');
    if (!forms) return add(unit, isStop);
    add(withAlternatives(unit, forms.map(oneToken)), isStop);
  };
}

/** Adds a camel-case identifier as one term, which also matches its parts as consecutive words. */
function addIdentifier(piece: TextRun, parts: readonly string[], add: AddTerm): void {
  if (piece.kind !== 'word') return;
  add(withAlternatives(wordTerm(piece.word), [adjacentWords(parts)]));
}

/**
 * Returns whether two text runs (words, or characters written without spaces) are adjacent: there is nothing between
 * them, or only a joining sign such as a hyphen between two words.
 */
function isAdjacent(text: string, before: TextRun, after: TextRun): boolean {
  if (before.to === after.from) return true;
  return before.kind === 'word' && after.kind === 'word' && isWordJoiner(text, before.to, after.from);
}

/**
 * Groups the parts of a hyphenated term. A part that is a number or has at most two letters is joined with its
 * neighbors, so GPT-4 is one group and NOX2-independent is two.
 */
function namesOf(words: readonly string[]): string[][] {
  const names: string[][] = [];
  words.forEach((word, index) => {
    const before = words[index - 1];
    const isName = before !== undefined && (isFragment(before) || isFragment(word));
    if (isName) names.at(-1)?.push(word);
    else names.push([word]);
  });
  return names;
}

/**
 * Returns whether a word is a number or has at most two letters. Such a word is searched only together with its
 * neighbors.
 */
function isFragment(word: string): boolean {
  return word.length <= 2 || /^\d+$/.test(word);
}

/**
 * Adds the query terms for text runs (words, or characters of scripts without spaces) that have no space between them.
 */
function addChunk(pieces: readonly TextRun[], add: AddTerm): void {
  const [first] = pieces;
  if (pieces.length === 1 && first?.kind === 'word' && !/\d/.test(first.word))
    return addWord(wordTerm(first.word), add);
  const words = pieces.flatMap((piece) => (piece.kind === 'word' ? [piece.word] : []));
  if (words.length === pieces.length) return addWords(words, add);
  if (words.length > 0 && pieces.every(isShort)) {
    const choice = phraseOf(pieces);
    if (choice) add(queryTerm(keyOf(pieces), alternativesOf(pieces, choice)));
    for (const piece of pieces)
      if (piece.kind === 'word') add(partTerm(piece.word, minorBoosts.looseNumber));
      else addSingles(piece.characters, add);
    return;
  }
  pieces.forEach((piece, index) => {
    if (piece.kind === 'characters') return addCharacters(piece.characters, add);
    const neighbors = [pieces.slice(index - 1, index + 1), pieces.slice(index, index + 2)].filter(
      (pair) => pair.length === 2 && pair.some((one) => one.kind === 'characters'),
    );
    // Join a number or a word of up to two letters with the adjacent characters, as in 2024年. A longer word without
    // digits is meaningful without these characters and is added separately.
    if (!isWeak(piece.word) || neighbors.length === 0) return addWords([piece.word], add);
    const after = neighbors.at(-1)!;
    const edges = after.map((one, side): TextRun =>
      one.kind === 'word' ? one : { ...one, characters: [one.characters.at(side === 0 ? -1 : 0) ?? ''] },
    );
    const choice = phraseOf(edges);
    if (choice) add(queryTerm(keyOf(edges), alternativesOf(edges, choice)));
    add(partTerm(piece.word, minorBoosts.looseNumber));
  });
}

/** Returns whether a word has a digit or at most two letters, so that it means little without its neighbors. */
function isWeak(word: string): boolean {
  return word.length <= 2 || /\d/.test(word);
}

function isShort(piece: TextRun): boolean {
  return piece.kind === 'word' ? isWeak(piece.word) : piece.characters.length <= 2;
}

/** Adds the query terms for one word, or for several words joined by hyphens. */
function addWords(words: readonly string[], add: AddTerm): void {
  const [only = ''] = words;
  const parts = words.flatMap(splitLettersAndDigits);
  const joined = joinWords(words);
  const names = namesOf(words);
  if (names.length > 1 && parts.some((part) => /\d/.test(part))) {
    for (const name of names) addWords(name, add);
    return;
  }
  if (parts.length === 1) return addWord(wordTerm(only), add);
  if (parts.some((part) => /\d/.test(part))) {
    const choices: TermAlternative[] = joined === undefined ? [] : [oneToken(joined)];
    choices.push(adjacentWords(parts));
    if (words.length > 1 && words.length < parts.length) choices.push(adjacentWords(words));
    if (words.length > 1 && isVersion(only)) choices.push(adjacentWords([only.slice(1), ...words.slice(1)]));
    return add(queryTerm(words.join('-'), choices));
  }
  for (const word of words) {
    const unit = wordTerm(word);
    addWord(joined === undefined ? unit : withAlternatives(unit, [oneToken(joined)]), add);
  }
}

function addWord(unit: QueryTerm, add: AddTerm): void {
  const { exact = '' } = unit;
  const isStop = isStopWord(exact);
  add(unit, isStop);
  const prefix = isStop ? undefined : prefixTokenOf(exact);
  if (prefix === undefined) return;
  add(partTerm(prefix, hasStem(exact) ? minorBoosts.wordPrefix : minorBoosts.unstemmedPrefix));
}

function adjacentWords(words: readonly string[]): TermAlternative {
  return { tokens: words, positions: words.map((_, i) => i) };
}

function addCharacters(characters: readonly string[], add: AddTerm): void {
  const [only = ''] = characters;
  if (characters.length === 1) return add(queryTerm(only, [oneToken(only)]));
  const words = splitThaiWords(characters).filter((word) => word.length > 1);
  if (words.length > 0) return addSegmented(words, characters, add);
  const isGrammar = createGrammarTest(characters);
  for (let i = 0; i + 1 < characters.length; i++) {
    const pair = `${characters[i]}${characters[i + 1]}`;
    const unit = queryTerm(pair, [oneToken(pair)]);
    if (isGrammar(pair)) {
      unit.isMinor = true;
      unit.boost = minorBoosts.grammarPair;
    }
    add(unit);
  }
  addSingles(characters, add);
}

/**
 * Adds the words of a run of Thai characters. Each word is searched as a phrase of character pairs, because the index
 * contains these instead of words: the dictionary that splits Thai into words differs between versions of Node.
 */
function addSegmented(words: readonly string[][], characters: readonly string[], add: AddTerm): void {
  for (const word of words) {
    const choice = phraseOf([{ kind: 'characters', characters: word, from: 0, to: 0 }]);
    if (choice) add(queryTerm(word.join(''), [choice]));
  }
  for (let i = 0; i + 1 < characters.length; i++)
    add(partTerm(`${characters[i]}${characters[i + 1]}`, minorBoosts.wordPair));
}

const minSplitRun = 4;
const hangul = /^\p{sc=Hangul}$/u;
/**
 * Matches a character of a script in which a single character is often a word, or a syllable that the inflected forms
 * of a word share.
 */
const meaningful = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]$/u;

/**
 * Adds the single characters of a run (text without spaces) as minor terms, which only affect the ranking. Short runs
 * are skipped, because every document with the whole run contains its characters. Korean runs of any length are
 * included, because inflected words differ in their last syllable.
 */
function addSingles(characters: readonly string[], add: AddTerm): void {
  if (characters.length < minSplitRun && !hangul.test(characters[0] ?? '')) return;
  const isGrammar = createGrammarTest(characters);
  for (const character of characters)
    if (meaningful.test(character) && !isGrammar(character)) add(partTerm(character, minorBoosts.character));
}

function keyOf(pieces: readonly TextRun[]): string {
  return pieces.map((piece) => (piece.kind === 'word' ? piece.word : piece.characters.join(''))).join('');
}

/**
 * Returns the alternatives for text runs that have no space between them. For GPT-4模型 these are the text as written,
 * with joined words (GPT4模型), and with letters and digits split.
 */
function alternativesOf(pieces: readonly TextRun[], asWritten: TermAlternative): TermAlternative[] {
  const choices = [asWritten];
  const joined: TextRun[] = [];
  const split: TextRun[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (piece.kind === 'word' && last?.kind === 'word')
      joined[joined.length - 1] = { ...piece, word: last.word + piece.word };
    else joined.push(piece);
    if (piece.kind === 'word') for (const word of splitLettersAndDigits(piece.word)) split.push({ ...piece, word });
    else split.push(piece);
  }
  for (const other of [joined, split])
    if (other.length !== pieces.length) {
      const choice = phraseOf(other);
      if (choice) choices.push(choice);
    }
  return choices;
}

/** Builds a phrase of all text runs, with the tokens that the tokenizer produces for the same text in a document. */
export function phraseOf(pieces: readonly TextRun[]): TermAlternative | undefined {
  const tokens: string[] = [];
  const places: number[] = [];
  let place = 0;
  for (const piece of pieces) {
    if (piece.kind === 'word') {
      tokens.push(piece.word);
      places.push(place);
      place += 1;
      continue;
    }
    const { characters } = piece;
    if (characters.length === 1) {
      tokens.push(characters[0] ?? '');
      places.push(place);
    }
    for (let i = 0; i + 1 < characters.length; i++) {
      tokens.push(`${characters[i]}${characters[i + 1]}`);
      places.push(place + i);
    }
    place += characters.length;
  }
  if (tokens.length === 0) return undefined;
  if (tokens.length === 1) return { tokens, positions: undefined };
  return { tokens: tokens.slice(0, maxPhrase), positions: places.slice(0, maxPhrase) };
}
