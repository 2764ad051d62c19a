import { maxCols, maxRows } from './grid-size.ts';

const names: string[] = [];

/** Returns the letters of a zero-based column: 0 is `A`, 26 is `AA`. */
export function columnName(col: number): string {
  const known = names[col];
  if (known !== undefined) return known;
  let text = '';
  for (let n = col + 1; n > 0; n = Math.floor((n - 1) / 26)) text = String.fromCharCode(65 + ((n - 1) % 26)) + text;
  names[col] = text;
  return text;
}

/** Returns the zero-based column of letters such as `AA`, or -1 if there is no such column. */
export function columnOf(letters: string): number {
  if (letters.length === 0 || letters.length > 3) return -1;
  let n = 0;
  for (let i = 0; i < letters.length; i++) {
    const code = letters.charCodeAt(i) | 32;
    if (code < 97 || code > 122) return -1;
    n = n * 26 + code - 96;
  }
  return n <= maxCols ? n - 1 : -1;
}

export interface CellAddress {
  readonly row: number;
  readonly col: number;
}

export function cellName(row: number, col: number): string {
  return columnName(col) + (row + 1);
}

/** Parses a cell address: `B3` is row 2, column 1. Returns undefined if the text is not a cell address. */
export function parseCell(text: string): CellAddress | undefined {
  const match = /^\$?([A-Za-z]{1,3})\$?([1-9]\d{0,6})$/.exec(text);
  if (!match) return undefined;
  const col = columnOf(match[1] ?? '');
  const row = Number(match[2]) - 1;
  return col < 0 || row >= maxRows ? undefined : { row, col };
}

export interface Rect {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

export function rectName(rect: Rect): string {
  const first = cellName(rect.top, rect.left);
  return rect.top === rect.bottom && rect.left === rect.right ? first : `${first}:${cellName(rect.bottom, rect.right)}`;
}

/** Parses `B3`, `A1:C4`, `A:B` or `2:5`. Returns undefined if the text is not a range. */
export function parseRect(text: string): Rect | undefined {
  const [a = '', b, more] = text.split(':');
  if (more !== undefined) return undefined;
  const first = parseCell(a);
  if (b === undefined) return first && { top: first.row, left: first.col, bottom: first.row, right: first.col };
  const last = parseCell(b);
  if (first && last) return ordered(first.row, first.col, last.row, last.col);
  const cols = [a, b].map((part) => columnOf(part.replace('$', '')));
  if (cols[0] !== undefined && cols[1] !== undefined && cols[0] >= 0 && cols[1] >= 0) {
    return ordered(0, cols[0], maxRows - 1, cols[1]);
  }
  const rows = [a, b].map((part) => (/^\$?[1-9]\d{0,6}$/.test(part) ? Number(part.replace('$', '')) - 1 : -1));
  if (
    rows[0] !== undefined &&
    rows[1] !== undefined &&
    rows[0] >= 0 &&
    rows[1] >= 0 &&
    Math.max(rows[0], rows[1]) < maxRows
  ) {
    return ordered(rows[0], 0, rows[1], maxCols - 1);
  }
  return undefined;
}

function ordered(top: number, left: number, bottom: number, right: number): Rect {
  return {
    top: Math.min(top, bottom),
    left: Math.min(left, right),
    bottom: Math.max(top, bottom),
    right: Math.max(left, right),
  };
}

/**
 * Sheet names that match `plainSheet` need no quotes in a reference, unless they look like a cell reference or are TRUE
 * or FALSE.
 */
const plainSheet = /^[A-Za-z_\u0080-\uffff][\w.\u0080-\uffff]*$/;
const looksLikeCell = /^([A-Za-z]{1,3}\d+|[Rr]\d*([Cc]\d*)?|[Cc]\d*)$/;

export function needsQuotes(name: string): boolean {
  return !plainSheet.test(name) || looksLikeCell.test(name) || /^(true|false)$/i.test(name);
}
