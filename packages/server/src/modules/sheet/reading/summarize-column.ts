import { z } from 'zod';
import { integer, list, oneOf, text } from '../../../kernel/field-schemas.ts';
import type { SheetDocument, SubSheet } from '@sheaf/engine/internal/document';
import { columnName, type Rect, isDatePattern, CellError } from '@sheaf/engine';
import { shorten } from './shorten.ts';

const maxSampledRows = 500;
const maxSamples = 3;
const maxSampleLength = 40;
const maxHeaderLength = 60;

const columnTypes = ['number', 'date', 'text', 'boolean', 'error', 'mixed', 'empty'] as const;
type ColumnType = (typeof columnTypes)[number];

export const columnSummary = z.object({
  col: integer('0-based.'),
  letter: text('Its letter.'),
  header: text('Its heading.').optional(),
  type: oneOf('Type of its contents.', columnTypes),
  formula: text('Its first formula.').optional(),
  samples: list('Values as displayed.', text('A value.')).optional(),
});

export type ColumnSummary = z.input<typeof columnSummary>;

/**
 * Returns whether the first row of a range contains headings: distinct non-empty texts without formulas, above at least
 * one other row. If the range is a single column, the cell below the heading must not be a text.
 */
export function hasHeadingRow(document: SheetDocument, sub: SubSheet, rect: Rect): boolean {
  if (rect.bottom === rect.top) return false;
  const seen = new Set<string>();
  let differs = false;
  for (let col = rect.left; col <= rect.right; col++) {
    const value = document.value(sub, rect.top, col);
    if (
      typeof value !== 'string' ||
      value === '' ||
      document.formula(sub, rect.top, col) !== undefined ||
      seen.has(value)
    )
      return false;
    seen.add(value);
    if (typeof document.value(sub, rect.top + 1, col) !== 'string') differs = true;
  }
  return differs || rect.right > rect.left;
}

export function summarizeColumn(
  document: SheetDocument,
  sub: SubSheet,
  rect: Rect,
  col: number,
  headed: boolean,
): ColumnSummary {
  const types = new Set<ColumnType>();
  const samples: string[] = [];
  let formula: string | undefined;
  const top = rect.top + (headed ? 1 : 0);
  for (let row = top; row <= Math.min(rect.bottom, top + maxSampledRows - 1); row++) {
    const value = document.value(sub, row, col);
    formula ??= document.formula(sub, row, col);
    if (value === null) continue;
    types.add(typeOf(document, sub, row, col, value));
    const shown = shorten(document.text(sub, row, col), maxSampleLength);
    if (samples.length < maxSamples && !samples.includes(shown)) samples.push(shown);
  }
  const [only] = types;
  return {
    col,
    letter: columnName(col),
    ...(headed ? { header: shorten(document.text(sub, rect.top, col), maxHeaderLength) } : {}),
    type: only === undefined ? 'empty' : types.size === 1 ? only : 'mixed',
    ...(formula === undefined ? {} : { formula: shorten(formula, maxHeaderLength) }),
    ...(samples.length > 0 ? { samples } : {}),
  };
}

function typeOf(
  document: SheetDocument,
  sub: SubSheet,
  row: number,
  col: number,
  value: string | number | boolean | CellError,
): ColumnType {
  if (value instanceof CellError) return 'error';
  if (typeof value === 'string') return 'text';
  if (typeof value === 'boolean') return 'boolean';
  return isDatePattern(document.numberFormat(sub, row, col)) ? 'date' : 'number';
}
