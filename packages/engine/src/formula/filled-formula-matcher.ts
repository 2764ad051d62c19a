import { columnName } from '../base/address.ts';
import { maxRows } from '../base/grid-size.ts';
import { isTable } from './table-reference.ts';
import { isRef, type PatternPart } from './token.ts';

/**
 * Pattern by which copies of a formula in other rows of its column are recognized without parsing them. The text of a
 * copy consists of constant pieces and, between them, row numbers that change with the row of the copy.
 */
export interface FillPattern {
  /**
   * Constant pieces of the formula's text, between its row numbers: `=A`, `+B` and an empty text for `=A1+B1`. There is
   * one more piece than row numbers. A row number after `$` does not change and is part of a piece.
   */
  readonly pieces: readonly string[];
  /**
   * For each changing row number in the formula's text, such as the 5 in `B5`, its difference to the zero-based row of
   * the formula.
   */
  readonly steps: readonly number[];
  /**
   * First and last zero-based row to which the formula can be copied: in all rows between them, its references stay
   * within the grid, and none of its ranges ends above its start.
   */
  readonly first: number;
  readonly last: number;
}

/**
 * Returns the pattern of a formula's copies in other rows of the column; undefined if there is none and each copy must
 * be parsed.
 */
export function fillPatternOf(
  parts: readonly PatternPart[],
  texts: readonly string[],
  col: number,
): FillPattern | undefined {
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
 * Returns whether `text`, the formula in row `row`, is a copy of the formula that the pattern describes. Imports call
 * this for hundreds of thousands of formulas right after startup. It calls no other function of the engine and never
 * reads past the end of the text, so that V8 (the JavaScript engine) optimizes it early and keeps it optimized.
 */
export function isCopy({ pieces, steps, first, last }: FillPattern, text: string, row: number): boolean {
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
      // The first digit of a row number is not 0.
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
 * Returns the index of the first input row in `[from, to)` whose value in column `c` is not a copy of the formula; `to`
 * if all are copies. `first` is the row of the sub-sheet to which `rows[0]` is written. The expected text is an array
 * of character codes in which the row numbers are incremented per row, so that the check is cheap even in unoptimized
 * code.
 */
export function copiesEnd(
  likeness: FillPattern,
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

/**
 * Describes `text`, the copy of a formula in row `row`: its character codes, the index of the last digit of each
 * changing row number (`ends`), and the number of further rows whose copies have texts of the same length (`left`).
 * Later copies are longer, because a row number gets one more digit.
 */
function countedFrom(
  { pieces, steps }: FillPattern,
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
