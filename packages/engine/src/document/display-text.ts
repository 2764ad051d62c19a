import { charge } from '../base/budget.ts';
import type { SheetDocument } from './document.ts';
import { format } from '../base/number-format.ts';
import type { SubSheet } from './objects/sub-sheet.ts';
import { blankTag } from '../store/chunk.ts';
import { CellError, type Scalar } from '../base/values.ts';

/** Formats a value with a number format. Common cases are handled here, because the formatting library is slower. */
export function shownText(value: Scalar, pattern: string): string {
  if (value === null) return '';
  if (pattern === 'General' || pattern === '') {
    if (typeof value === 'string') return value;
    if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
    if (typeof value === 'number') {
      const text = String(value);
      // A number of at most ten characters is shown with all its digits, so it needs no rounding.
      if (text.length <= 10 && !text.includes('e')) return text;
    }
  }
  return format(value, pattern);
}

/** Converts a value to text without applying a number format: a number keeps all its digits. */
export function storedText(value: Scalar): string {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  return value instanceof CellError ? value.text : String(value);
}

/**
 * Calls a visitor with the formatted text of each cell of a column from row `top` to row `bottom`, including blank
 * cells. `index` counts from `top`.
 */
export function shownTexts(
  document: SheetDocument,
  sheet: SubSheet,
  col: number,
  top: number,
  bottom: number,
  visit: (text: string, index: number, value: Scalar) => void,
): void {
  const { cells } = sheet.sheet;
  const hasFormats = document.hasFormats(sheet, col);
  const texts: (string | undefined)[] = [];
  const values: Scalar[] = [];
  cells.eachPiece(col, top, bottom, (chunk, from, to, start) => {
    charge((to - from) * 2);
    for (let i = from; i <= to; i++) {
      const tag = chunk.tags[i] as number;
      if (tag === blankTag) continue;
      const row = start + i;
      const pattern = hasFormats ? document.numberFormat(sheet, row, col) : 'General';
      const value = cells.decode(tag, chunk.nums[i] as number);
      values[row - top] = value;
      texts[row - top] = shownText(value, pattern);
    }
  });
  charge((bottom - top) >> 2);
  for (let i = 0; i <= bottom - top; i++) visit(texts[i] ?? '', i, values[i] ?? null);
}
