import { charge } from './budget.ts';
import { foldText } from './compare.ts';
import { findText } from './find-text.ts';

/**
 * Patterns with `?` (one character), `*` (any run) and `~` (the next character as it is), any case. A pattern is the pieces
 * between its runs; each piece is looked for once, from where the one before it ended.
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

/** A pattern without wildcards as the text it stands for: `~*` is `*`. */
export function plainPattern(pattern: string): string {
  return pattern.includes('~') ? pattern.replace(/~([\s\S])/g, '$1') : pattern;
}

/** Stands for `?` among the codes of a piece. */
const any = -1;

/** What stands between two runs: some `?`, then characters with or without `?` among them, then some `?`. */
interface Piece {
  readonly length: number;
  /** `?` in front. */
  readonly before: number;
  /** From the first character to the last one. */
  readonly codes: Int32Array;
  /** The same as text, when there is no `?` in it. */
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

/** The test whether a whole text has the pattern. */
export function wildcardMatcher(pattern: string): (text: string) => boolean {
  const pieces = piecesOf(pattern);
  const first = pieces[0] as Piece;
  const last = pieces[pieces.length - 1] as Piece;
  return (text) => {
    const folded = foldText(text);
    charge(1);
    if (pieces.length === 1) return folded.length === first.length && stands(first, folded, 0);
    if (folded.length < first.length + last.length || !stands(first, folded, 0)) return false;
    const end = folded.length - last.length;
    if (!stands(last, folded, end)) return false;
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

/** Position of the first part of `text` at or after `from` that has the pattern, -1 when there is none. */
export function wildcardFind(pattern: string, text: string, from = 0): number {
  const pieces = piecesOf(pattern);
  const folded = foldText(text);
  const [first] = pieces as [Piece];
  const start = findPiece(first, folded, from);
  if (start < 0) return -1;
  let next = start + first.length;
  // What follows a run is looked for up to the end: where a later start would find it, this one does.
  for (let i = 1; i < pieces.length; i++) {
    const piece = pieces[i] as Piece;
    const at = findPiece(piece, folded, next);
    if (at < 0) return -1;
    next = at + piece.length;
  }
  return start;
}

/** First place of a piece at or after `from`, -1 when there is none. */
function findPiece(piece: Piece, text: string, from: number): number {
  const last = text.length - piece.length;
  if (from > last) return -1;
  if (piece.codes.length === 0) return from;
  if (piece.text !== undefined) {
    const at = findText(text, piece.text, from + piece.before);
    return at < 0 || at - piece.before > last ? -1 : at - piece.before;
  }
  for (let start = from; start <= last; start++) if (stands(piece, text, start)) return start;
  return -1;
}

/** Comparing this many characters counts as a step. */
const comparedInAStep = 16;

/** Whether a piece stands at a place that has room for it. */
function stands({ codes, before }: Piece, text: string, at: number): boolean {
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
