import { maxCols, maxRows } from '../base/grid-size.ts';
import { isDigit, isLetter, isWord } from './characters.ts';

/** One corner of a reference: `$A$1`, `$A` or `$1`. */
export interface Corner {
  /** Zero-based row and column; -1 if the corner has none: `$A` has no row, and `$1` has no column. */
  row: number;
  col: number;
  rowAbs: boolean;
  colAbs: boolean;
  end: number;
}

export function emptyCorner(): Corner {
  return { row: -1, col: -1, rowAbs: false, colAbs: false, end: -1 };
}

/**
 * Parses the corner of a reference, such as `$A$1`, at offset `at` into `found`. Returns false if there is none; the
 * content of `found` is then undefined.
 */
export function readCorner(text: string, at: number, found: Corner): boolean {
  let i = at;
  let dollar = text.charCodeAt(i) === 36;
  if (dollar) i++;
  found.row = found.col = -1;
  found.rowAbs = found.colAbs = false;
  let n = 0;
  const letters = i;
  while (isLetter(text.charCodeAt(i)) && i - letters < 4) n = n * 26 + (text.charCodeAt(i++) | 32) - 96;
  if (i > letters) {
    if (i - letters > 3 || n > maxCols) return false;
    found.col = n - 1;
    found.colAbs = dollar;
    dollar = text.charCodeAt(i) === 36;
    if (dollar) i++;
  }
  const digits = i;
  n = 0;
  while (isDigit(text.charCodeAt(i)) && i - digits < 8) n = n * 10 + text.charCodeAt(i++) - 48;
  if (i > digits) {
    if (n < 1 || n > maxRows || i - digits > 7) return false;
    found.row = n - 1;
    found.rowAbs = dollar;
  } else if (dollar) return false;
  if (found.row < 0 && found.col < 0) return false;
  const next = text.charCodeAt(i);
  if (isWord(next) || next === 36) return false;
  found.end = i;
  return true;
}
