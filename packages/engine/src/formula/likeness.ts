import { columnName } from '../base/address.ts';
import { maxRows } from '../base/grid-size.ts';
import { isTable } from './table-part.ts';
import { isRef, type Part } from './token.ts';

/**
 * How the copies of a formula further up or down its column are written: all that stays the same, and between it the numbers
 * of rows that follow the formula's own.
 */
export interface Likeness {
  /** One more than there are numbers. */
  readonly pieces: readonly string[];
  /** What each number is more than the index of the formula's row. */
  readonly steps: readonly number[];
  /** Rows in which all its references lie on the sheet with their edges in order. */
  readonly first: number;
  readonly last: number;
}

/** Undefined where a copy has to be read. */
export function likenessOf(parts: readonly Part[], texts: readonly string[], col: number): Likeness | undefined {
  const pieces: string[] = [];
  const steps: number[] = [];
  let piece = '=';
  let first = 0;
  let last = maxRows - 1;
  let hole = 0;
  const corner = (at: number, isFixed: boolean, line: number, isFixedLine: boolean): void => {
    piece += (isFixedLine ? '$' : '') + columnName(isFixedLine ? line : line + col);
    if (isFixed) {
      piece += `$${at + 1}`;
      return;
    }
    pieces.push(piece);
    piece = '';
    steps.push(at + 1);
    first = Math.max(first, -at);
    last = Math.min(last, maxRows - 1 - at);
  };
  for (const part of parts) {
    if (typeof part === 'string') piece += part;
    else if (!isRef(part)) {
      if (isTable(part)) return undefined;
      piece += texts[hole++] ?? '';
    } else {
      const { shape, sheet, top, topAbs, left, leftAbs, bottom, bottomAbs, right, rightAbs } = part;
      if (sheet !== undefined || (shape !== 'cell' && shape !== 'area')) return undefined;
      corner(top, topAbs, left, leftAbs);
      if (shape === 'cell') continue;
      piece += ':';
      corner(bottom, bottomAbs, right, rightAbs);
      if (topAbs && !bottomAbs) first = Math.max(first, top - bottom);
      if (!topAbs && bottomAbs) last = Math.min(last, bottom - top);
    }
  }
  pieces.push(piece);
  return { pieces, steps, first, last };
}

/**
 * Whether `text`, in this row, is such a copy, letter by letter. Formulas by the hundred thousand come by here in programs that
 * have just started: it calls nothing, and never looks past the end of a text, so that it is compiled soon and once.
 */
export function isCopy({ pieces, steps, first, last }: Likeness, text: string, row: number): boolean {
  if (row < first || row > last) return false;
  const { length } = text;
  let at = 0;
  for (let i = 0; i < pieces.length; i++) {
    const piece = pieces[i] as string;
    if (at + piece.length > length) return false;
    for (let j = 0; j < piece.length; j++) if (text.charCodeAt(at + j) !== piece.charCodeAt(j)) return false;
    at += piece.length;
    if (i === steps.length) break;
    let number = 0;
    while (at < length) {
      const digit = text.charCodeAt(at) - 48;
      // A number does not begin with 0.
      if (digit < 0 || digit > 9 || (digit === 0 && number === 0)) break;
      number = number * 10 + digit;
      at++;
    }
    if (number !== row + (steps[i] as number)) return false;
  }
  return at === length;
}

const zero = 48;
const nine = 57;

/**
 * Where a column's copies of a formula end: the first of rows `[from, to)` whose input in column `c` is none. `first` is the
 * sheet's row of `rows[0]`; the input before `from` is the formula itself or a copy. What a copy must be is kept as codes that
 * are counted up from row to row, so that a look at a letter costs one call even before this is compiled.
 */
export function copiesEnd(
  likeness: Likeness,
  rows: readonly (readonly unknown[])[],
  c: number,
  from: number,
  to: number,
  first: number,
): number {
  let at = from;
  while (at < to) {
    const text = (rows[at] as readonly unknown[])[c];
    if (typeof text !== 'string' || !isCopy(likeness, text, first + at)) return at;
    const { codes, ends, left } = countedFrom(likeness, text, first + at);
    const stop = Math.min(to, at + 1 + left, likeness.last - first + 1);
    at = countedEnd(rows, c, at + 1, stop, codes, ends);
    if (at < stop) return at;
  }
  return at;
}

/** The codes of a copy, where its numbers end, and for how many more rows none of them becomes longer. */
function countedFrom(
  { pieces, steps }: Likeness,
  text: string,
  row: number,
): { codes: Uint16Array; ends: Int32Array; left: number } {
  const codes = new Uint16Array(text.length);
  for (let i = 0; i < text.length; i++) codes[i] = text.charCodeAt(i);
  const ends = new Int32Array(steps.length);
  let left = maxRows;
  let at = 0;
  for (let i = 0; i < steps.length; i++) {
    const number = row + (steps[i] as number);
    const { length } = String(number);
    at += (pieces[i] as string).length + length;
    ends[i] = at - 1;
    left = Math.min(left, 10 ** length - 1 - number);
  }
  return { codes, ends, left };
}

function countedEnd(
  rows: readonly (readonly unknown[])[],
  c: number,
  from: number,
  to: number,
  codes: Uint16Array,
  ends: Int32Array,
): number {
  const { length } = codes;
  for (let at = from; at < to; at++) {
    const text = (rows[at] as readonly unknown[])[c];
    if (typeof text !== 'string' || text.length !== length) return at;
    for (let i = 0; i < ends.length; i++) {
      let digit = ends[i] as number;
      while (codes[digit] === nine) codes[digit--] = zero;
      codes[digit]!++;
    }
    for (let i = 0; i < length; i++) if (text.charCodeAt(i) !== codes[i]) return at;
  }
  return to;
}
