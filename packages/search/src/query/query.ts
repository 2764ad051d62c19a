import { visitRuns } from '../analysis/fold.ts';
import { stemOf } from '../analysis/stem.ts';
import { holdsParticle, isStopWord } from '../analysis/stop-words.ts';
import { isJoint, joinedWord, partsOf, stemMark } from '../analysis/tokens.ts';

/** One way to match a query word: all of the tokens, at the relative positions in `places` if given. */
export interface Choice {
  tokens: readonly string[];
  /** Position of each token relative to the first; undefined if the tokens may be anywhere. */
  places?: readonly number[];
}

/** A query word; it matches where one of its choices matches. */
export interface Unit {
  /** Identifies the unit in cursors and tests. */
  key: string;
  choices: readonly Choice[];
  /** The word as written in the query. A document with this form ranks above one with another form. */
  exact?: string;
  /** The unit also matches every word that starts with this prefix. */
  prefix?: string;
  /** If true, the unit affects ranking but need not match: a character pair that holds a particle. */
  isMinor?: boolean;
}

export interface TextQuery {
  /** Stop words are included only if the query has no other words. */
  units: readonly Unit[];
  /** True if the query has only stop words; a document must then contain all of them to match. */
  isStrict: boolean;
  /**
   * True for an empty query, which matches every document. False with no units: the query had only signs, and nothing
   * matches.
   */
  matchesAll: boolean;
}

export interface ParseOptions {
  /** If true, the last word also matches as a prefix. */
  prefix?: boolean | undefined;
}

/** Maximum number of words in a query; later words are ignored. */
const maxUnits = 48;
/** Maximum number of characters read from a query. */
const maxQueryLength = 4000;
/** Maximum number of tokens in a phrase. */
const maxPhrase = 32;

type Piece = { from: number; to: number } & (
  | { kind: 'word'; word: string }
  | { kind: 'characters'; characters: readonly string[] }
);

export function parseQuery(question: string, { prefix = false }: ParseOptions = {}): TextQuery {
  const text = question.slice(0, maxQueryLength);
  const units = new Map<string, Unit>();
  const stops = new Map<string, Unit>();
  const add = (unit: Unit, isStop = false): void => {
    if (units.size < maxUnits) (isStop ? stops : units).set(unit.key, unit);
  };
  // Splits at straight and typographic quotes, because input methods write typographic ones.
  const parts = text.split(/["“”„«»「」『』]/u);
  parts.forEach((part, index) => {
    // Parts with an odd index are inside quotes; the last part counts as quoted only if its quote was closed.
    if (index % 2 === 1 && index < parts.length - 1) {
      const choice = phraseOf(piecesOf(part));
      if (choice) add({ key: `"${choice.tokens.join(' ')}"`, choices: [choice] });
    } else addUnits(part, add, prefix && index === parts.length - 1);
  });
  return {
    units: weighed([...(units.size > 0 ? units : stops).values()]),
    isStrict: units.size === 0,
    matchesAll: question.trim() === '',
  };
}

/** True if the query is not empty but has no word to search for, such as `- [ ]` or `*`. */
export function hasNoWord(question: string): boolean {
  const { units, matchesAll } = parseQuery(question);
  return !matchesAll && units.length === 0;
}

/** If every unit is minor, makes all of them required. */
function weighed(units: Unit[]): Unit[] {
  if (units.some((unit) => unit.isMinor !== true)) return units;
  return units.map((unit) => ({ ...unit, isMinor: false }));
}

type Add = (unit: Unit, isStop?: boolean) => void;

function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  visitRuns(text, {
    word: (word, from, to) => pieces.push({ kind: 'word', word, from, to }),
    characters: (folded, starts, to) =>
      pieces.push({ kind: 'characters', characters: folded, from: starts[0] ?? 0, to }),
  });
  return pieces;
}

function addUnits(text: string, add: Add, hasOpenEnd: boolean): void {
  const pieces = piecesOf(text);
  for (let at = 0; at < pieces.length;) {
    let end = at + 1;
    while (end < pieces.length && isTied(text, pieces[end - 1]!, pieces[end]!)) end += 1;
    addChunk(pieces.slice(at, end), add);
    at = end;
  }
  const last = pieces.at(-1);
  if (hasOpenEnd && last?.kind === 'word' && last.to === text.length)
    add({ ...wordUnit(last.word), prefix: last.word });
}

/** True if nothing separates the two pieces, or only a joining sign such as a hyphen. */
function isTied(text: string, before: Piece, after: Piece): boolean {
  if (before.to === after.from) return true;
  return before.kind === 'word' && after.kind === 'word' && isJoint(text, before.to, after.from);
}

/** Splits hyphenated words into names: GPT-4 is one name, NOX2-independent is two words. */
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

/** True for a number or a word of up to two letters, which is not searched for on its own. */
function isFragment(word: string): boolean {
  return word.length <= 2 || /^\d+$/.test(word);
}

/** Adds the units for pieces written without a space between them. */
function addChunk(pieces: readonly Piece[], add: Add): void {
  const words = pieces.flatMap((piece) => (piece.kind === 'word' ? [piece.word] : []));
  if (words.length === pieces.length) return addWords(words, add);
  if (words.length > 0 && pieces.every(isShort)) {
    const choice = phraseOf(pieces);
    if (choice) add({ key: keyOf(pieces), choices: choicesOf(pieces, choice) });
    return;
  }
  pieces.forEach((piece, index) => {
    if (piece.kind === 'characters') return addCharacters(piece.characters, add);
    const neighbors = [pieces.slice(index - 1, index + 1), pieces.slice(index, index + 2)].filter(
      (pair) => pair.length === 2 && pair.some((one) => one.kind === 'characters'),
    );
    // A number is joined with the adjacent characters, as in 2024年; a name may stand alone.
    if (!isWeak(piece.word) || neighbors.length === 0) return addWords([piece.word], add);
    const after = neighbors.at(-1)!;
    const edges = after.map((one, side): Piece =>
      one.kind === 'word' ? one : { ...one, characters: [one.characters.at(side === 0 ? -1 : 0) ?? ''] },
    );
    const choice = phraseOf(edges);
    if (choice) add({ key: keyOf(edges), choices: choicesOf(edges, choice) });
  });
}

/** True for a number, a word with a digit, or one or two letters: words that mean little without their context. */
function isWeak(word: string): boolean {
  return word.length <= 2 || /\d/.test(word);
}

function isShort(piece: Piece): boolean {
  return piece.kind === 'word' ? isWeak(piece.word) : piece.characters.length <= 2;
}

/** Adds the units for one word or for words joined by hyphens. */
function addWords(words: readonly string[], add: Add): void {
  const [only = ''] = words;
  const parts = words.flatMap(partsOf);
  const joined = joinedWord(words);
  const names = namesOf(words);
  if (names.length > 1 && parts.some((part) => /\d/.test(part))) {
    for (const name of names) addWords(name, add);
    return;
  }
  if (parts.length === 1) return add(wordUnit(only), isStopWord(only));
  if (parts.some((part) => /\d/.test(part))) {
    const choices: Choice[] = joined === undefined ? [] : [{ tokens: [joined] }];
    choices.push(sideBySide(parts));
    if (words.length > 1 && words.length < parts.length) choices.push(sideBySide(words));
    return add({ key: words.join('-'), choices });
  }
  for (const word of words) {
    const unit = wordUnit(word);
    add(joined === undefined ? unit : { ...unit, choices: [...unit.choices, { tokens: [joined] }] }, isStopWord(word));
  }
}

function wordUnit(word: string): Unit {
  const stem = stemOf(word);
  const choices: Choice[] = [{ tokens: [stem] }, { tokens: [stemMark + stem] }];
  return { key: stem, choices, exact: word };
}

function sideBySide(words: readonly string[]): Choice {
  return { tokens: words, places: words.map((_, i) => i) };
}

function addCharacters(characters: readonly string[], add: Add): void {
  const [only = ''] = characters;
  if (characters.length === 1) return add({ key: only, choices: [{ tokens: [only] }] });
  for (let i = 0; i + 1 < characters.length; i++) {
    const pair = `${characters[i]}${characters[i + 1]}`;
    add({ key: pair, choices: [{ tokens: [pair] }], isMinor: holdsParticle(pair) });
  }
}

function keyOf(pieces: readonly Piece[]): string {
  return pieces.map((piece) => (piece.kind === 'word' ? piece.word : piece.characters.join(''))).join('');
}

/** Returns the choices for a mixed chunk: GPT-4模型 as written, and as GPT4模型. */
function choicesOf(pieces: readonly Piece[], asWritten: Choice): Choice[] {
  const choices = [asWritten];
  const joined: Piece[] = [];
  const split: Piece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (piece.kind === 'word' && last?.kind === 'word')
      joined[joined.length - 1] = { ...piece, word: last.word + piece.word };
    else joined.push(piece);
    if (piece.kind === 'word') for (const word of partsOf(piece.word)) split.push({ ...piece, word });
    else split.push(piece);
  }
  for (const other of [joined, split])
    if (other.length !== pieces.length) {
      const choice = phraseOf(other);
      if (choice) choices.push(choice);
    }
  return choices;
}

/** Builds a phrase of all pieces, with the tokens that the tokenizer produces for the same text in a document. */
function phraseOf(pieces: readonly Piece[]): Choice | undefined {
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
  if (tokens.length === 1) return { tokens };
  return { tokens: tokens.slice(0, maxPhrase), places: places.slice(0, maxPhrase) };
}
