import { charge } from './budget.ts';
import { foldText } from './compare.ts';
import { findText } from './find-text.ts';

/**
 * Returns whether a pattern has an unescaped wildcard: `?` (one character) or `*` (any characters); `~` escapes the
 * next character.
 */
export function hasWildcard(pattern: string): boolean {
  if (!pattern.includes('*') && !pattern.includes('?')) return false;
  if (!pattern.includes('~')) return true;
  charge(pattern.length >> 3);
  for (let i = 0; i < pattern.length; i++) {
    const sign = pattern[i];
    if (sign === '~') i++;
    else if (sign === '*' || sign === '?') return true;
  }
  return false;
}

/** Removes the escapes from a pattern without wildcards: `~*` becomes `*`. */
export function plainPattern(pattern: string): string {
  return pattern.includes('~') ? pattern.replace(/~([\s\S])/g, '$1') : pattern;
}

/** Represents the wildcard `?` in an array of character codes. */
const any = -1;

/**
 * The part of a pattern between two `*`: leading `?`s, literal characters (possibly with `?` between them), trailing
 * `?`s.
 */
interface Piece {
  readonly length: number;
  /** Number of leading `?` wildcards in the piece. */
  readonly before: number;
  /** Character codes from the first to the last literal character; `any` for a `?`. */
  readonly codes: Int32Array;
  /** `codes` as text, for a fast search; undefined if they contain a `?`. */
  readonly text: string | undefined;
}

function pieceOf(codes: readonly number[]): Piece {
  let first = 0;
  while (first < codes.length && codes[first] === any) first++;
  let end = codes.length;
  while (end > first && codes[end - 1] === any) end--;
  const core = Int32Array.from(codes.slice(first, end));
  const text = core.includes(any) ? undefined : textOf(core);
  return { length: codes.length, before: first, codes: core, text };
}

function textOf(codes: Int32Array): string {
  let text = '';
  for (const code of codes) text += String.fromCharCode(code);
  return text;
}

function piecesOf(pattern: string): Piece[] {
  const folded = foldText(pattern);
  charge(folded.length >> 3);
  const pieces: Piece[] = [];
  let codes: number[] = [];
  for (let i = 0; i < folded.length; i++) {
    const sign = folded.charCodeAt(i);
    if (sign === tilde && i + 1 < folded.length) codes.push(folded.charCodeAt(++i));
    else if (sign === question) codes.push(any);
    else if (sign !== star) codes.push(sign);
    else {
      pieces.push(pieceOf(codes));
      codes = [];
    }
  }
  pieces.push(pieceOf(codes));
  return pieces;
}

const star = 42;
const question = 63;
const tilde = 126;

/**
 * Returns a function that tests whether a whole text matches the pattern, case-insensitively. The pattern is split at
 * `*`. The first and the last piece must match at the two ends of the text; each piece between them is searched once,
 * from the end of the previous match.
 */
export function wildcardMatcher(pattern: string): (text: string) => boolean {
  const pieces = piecesOf(pattern);
  const first = pieces[0] as Piece;
  const last = pieces[pieces.length - 1] as Piece;
  return (text) => {
    const folded = foldText(text);
    charge(1);
    if (pieces.length === 1) return folded.length === first.length && matchesAt(first, folded, 0);
    if (folded.length < first.length + last.length || !matchesAt(first, folded, 0)) return false;
    const end = folded.length - last.length;
    if (!matchesAt(last, folded, end)) return false;
    let from = first.length;
    for (let i = 1; i < pieces.length - 1; i++) {
      const piece = pieces[i] as Piece;
      const at = findPiece(piece, folded, from);
      if (at < 0 || at + piece.length > end) return false;
      from = at + piece.length;
    }
    return true;
  };
}

/**
 * Returns the position of the first match in `text` at or after `from`, or -1. The search ignores case, and positions
 * count in the case-folded text.
 */
export function wildcardFind(pattern: string, text: string, from = 0): number {
  const pieces = piecesOf(pattern);
  const folded = foldText(text);
  const [first] = pieces as [Piece];
  const start = findPiece(first, folded, from);
  if (start < 0) return -1;
  let next = start + first.length;
  // The pieces are the parts of the pattern between `*`. Each further piece is searched from the end of the previous
  // match to the end of the text. If it is missing, the pattern cannot match from a later start either.
  for (let i = 1; i < pieces.length; i++) {
    const piece = pieces[i] as Piece;
    const at = findPiece(piece, folded, next);
    if (at < 0) return -1;
    next = at + piece.length;
  }
  return start;
}

/**
 * Returns the first position at or after `from` at which a piece of a wildcard pattern (the text between two `*`)
 * matches, or -1.
 */
function findPiece(piece: Piece, text: string, from: number): number {
  const last = text.length - piece.length;
  if (from > last) return -1;
  if (piece.codes.length === 0) return from;
  if (piece.text !== undefined) {
    const at = findText(text, piece.text, from + piece.before);
    return at < 0 || at - piece.before > last ? -1 : at - piece.before;
  }
  for (let start = from; start <= last; start++) if (matchesAt(piece, text, start)) return start;
  return -1;
}

/** Number of character comparisons charged as one step. */
const comparedInAStep = 16;

/**
 * Returns whether a piece of a wildcard pattern (the text between two `*`) matches at position `at`. The caller
 * ensures that the text is long enough.
 */
function matchesAt({ codes, before }: Piece, text: string, at: number): boolean {
  const start = at + before;
  let i = 0;
  while (i < codes.length) {
    const code = codes[i] as number;
    if (code !== any && text.charCodeAt(start + i) !== code) break;
    i++;
  }
  charge(i / comparedInAStep);
  return i === codes.length;
}
