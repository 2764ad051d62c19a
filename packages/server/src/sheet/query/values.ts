import { chargeText, presentYear } from '@sheaf/engine/internal/document';
import { CellError, compareScalars, readInput, type Scalar } from '@sheaf/engine';

/** A value in queries; errors are null. */
export type Plain = number | string | boolean | null;

/** Converts a cell's value for queries. */
export function plainOf(value: Scalar): Plain {
  return value instanceof CellError ? null : value;
}

/** Compares like formulas do: case-insensitive, and a text compared with a number is parsed as a number or date. */
export function compare(one: Exclude<Plain, null>, other: Exclude<Plain, null>): number {
  if (typeof one === 'number' && typeof other === 'string') {
    const number = readNumber(other);
    if (number !== null) return one - number;
  } else if (typeof one === 'string' && typeof other === 'number') {
    const number = readNumber(one);
    if (number !== null) return number - other;
  }
  return compareScalars(one, other);
}

export function same(one: Plain, other: Plain): boolean {
  return one !== null && other !== null && compare(one, other) === 0;
}

export function truth(value: Plain): boolean | null {
  if (typeof value === 'boolean' || value === null) return value;
  return typeof value === 'number' ? value !== 0 : value !== '';
}

export function isNothing(value: Plain): boolean {
  return value === null || value === '';
}

/**
 * Cache of texts parsed as numbers, because a literal is compared with every row. Valid for one year, since `Feb 22`
 * means the current year.
 */
const readTexts = new Map<string, number | null>();
let readIn = 0;

function readNumber(text: string): number | null {
  chargeText(text.length);
  const year = presentYear();
  if (year !== readIn) readTexts.clear();
  readIn = year;
  let known = readTexts.get(text);
  if (known === undefined) {
    const input = readInput(text);
    known = 'value' in input && typeof input.value === 'number' ? input.value : null;
    if (readTexts.size > 1000) readTexts.clear();
    readTexts.set(text, known);
  }
  return known;
}

export function numberOf(value: Plain): number | null {
  if (typeof value === 'number' || value === null) return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return readNumber(value);
}

export function textOf(value: Plain): string {
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  return value === null ? '' : String(value);
}

/** Sort order of results; null comes last. */
export function orderOf(one: Plain, other: Plain): number {
  if (one === null || other === null) return one === other ? 0 : one === null ? 1 : -1;
  return typeof one === 'number' && typeof other === 'number' ? one - other : compare(one, other);
}
