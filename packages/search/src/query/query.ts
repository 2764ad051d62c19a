import { visitRuns } from '../analysis/fold.ts';
import { stemOf } from '../analysis/stem.ts';
import { holdsParticle, isStopWord } from '../analysis/stop-words.ts';
import { isJoint, joinedWord, partsOf, stemMark } from '../analysis/tokens.ts';

/** One way to satisfy a word of the question: all of the tokens, side by side where `places` says how. */
export interface Choice {
  tokens: readonly string[];
  /** Where each token stands, counted from the first; undefined: anywhere. */
  places?: readonly number[];
}

/** A word of the question: found where one of the choices is. */
export interface Unit {
  /** What it is known by, in a cursor and in a test. */
  key: string;
  choices: readonly Choice[];
  /** The word as it was written: a document that has this form of it ranks above one that has another. */
  exact?: string;
  /** Also found by every word that begins with this. */
  prefix?: string;
  /** Helps to order what is found, but need not be there: a pair of characters that holds a particle. */
  isMinor?: boolean;
}

export interface TextQuery {
  /** Stop words are among them only where there is nothing else. */
  units: readonly Unit[];
  /** Nothing but stop words: what has some of them only is no answer. */
  isStrict: boolean;
  /** Nothing was asked for: everything matches. False with no units: only signs were given, and nothing matches. */
  matchesAll: boolean;
}

export interface ParseOptions {
  /** The last word may be the beginning of one. */
  prefix?: boolean | undefined;
}

/** How many words of a question count; what follows is not looked at. */
const maxUnits = 48;
/** How many characters of a question are read. */
const maxQueryLength = 4000;
/** Tokens of one phrase. */
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
  // Both straight and typographic quotes: input methods write the latter.
  const parts = text.split(/["“”„«»「」『』]/u);
  parts.forEach((part, index) => {
    // Odd parts are inside quotes; the last one only if its quote was closed.
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

/** Whether something was asked for that has nothing to look for in it: signs such as `- [ ]` or `*`. */
export function hasNoWord(question: string): boolean {
  const { units, matchesAll } = parseQuery(question);
  return !matchesAll && units.length === 0;
}

/** Where everything is minor, nothing is. */
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

/** Nothing between them, or a sign that ties words together. */
function isTied(text: string, before: Piece, after: Piece): boolean {
  if (before.to === after.from) return true;
  return before.kind === 'word' && after.kind === 'word' && isJoint(text, before.to, after.from);
}

/** Where words that hyphens tie part all the same: GPT-4 is one name, NOX2-independent is two words. */
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

/** Nobody looks for it alone: a number, or up to two letters. */
function isFragment(word: string): boolean {
  return word.length <= 2 || /^\d+$/.test(word);
}

/** What is written without a space. */
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
    // A number belongs to what stands beside it, 2024年; a name may stand alone.
    if (!isWeak(piece.word) || neighbors.length === 0) return addWords([piece.word], add);
    const after = neighbors.at(-1)!;
    const edges = after.map((one, side): Piece =>
      one.kind === 'word' ? one : { ...one, characters: [one.characters.at(side === 0 ? -1 : 0) ?? ''] },
    );
    const choice = phraseOf(edges);
    if (choice) add({ key: keyOf(edges), choices: choicesOf(edges, choice) });
  });
}

/** A number, a word with a number in it, one or two letters: they mean little without what they are tied to. */
function isWeak(word: string): boolean {
  return word.length <= 2 || /\d/.test(word);
}

function isShort(piece: Piece): boolean {
  return piece.kind === 'word' ? isWeak(piece.word) : piece.characters.length <= 2;
}

/** Words tied by hyphens, or one word. */
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

/** GPT-4模型 as it is written, and as GPT4模型. */
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

/** Everything side by side: the same tokens that a text holding it would have there. */
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
