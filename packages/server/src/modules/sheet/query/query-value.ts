import { chargeText, currentYear } from '@sheaf/engine/internal/document';
import { compareScalars, readInput } from '@sheaf/engine';

/** A value in a query. Blank cells and cells with an error are null. */
export type QueryValue = number | string | boolean | null;

/**
 * Compares values as formulas do. Texts compare case-insensitively. A text that is compared with a number is parsed as
 * a number or date.
 */
export function compareValues(one: Exclude<QueryValue, null>, other: Exclude<QueryValue, null>): number {
  if (typeof one === 'number' && typeof other === 'string') {
    const number = parseNumber(other);
    if (number !== null) return one - number;
  } else if (typeof one === 'string' && typeof other === 'number') {
    const number = parseNumber(one);
    if (number !== null) return number - other;
  }
  return compareScalars(one, other);
}

export function areEqual(one: QueryValue, other: QueryValue): boolean {
  return one !== null && other !== null && compareValues(one, other) === 0;
}

export function toBoolean(value: QueryValue): boolean | null {
  if (typeof value === 'boolean' || value === null) return value;
  return typeof value === 'number' ? value !== 0 : value !== '';
}

export function isBlank(value: QueryValue): boolean {
  return value === null || value === '';
}

/**
 * Caches texts parsed as numbers, because a literal is compared with every row. Cleared when the year changes, because
 * a text such as `Feb 22` means the current year.
 */
const parsedNumbers = new Map<string, number | null>();
let parsedInYear = 0;

function parseNumber(text: string): number | null {
  chargeText(text.length);
  const year = currentYear();
  if (year !== parsedInYear) parsedNumbers.clear();
  parsedInYear = year;
  let known = parsedNumbers.get(text);
  if (known === undefined) {
    const input = readInput(text);
    known = 'value' in input && typeof input.value === 'number' ? input.value : null;
    if (parsedNumbers.size > 1000) parsedNumbers.clear();
    parsedNumbers.set(text, known);
  }
  return known;
}

export function toNumber(value: QueryValue): number | null {
  if (typeof value === 'number' || value === null) return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return parseNumber(value);
}

export function toText(value: QueryValue): string {
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  return value === null ? '' : String(value);
}

/** Compares values for sorting. Null comes last. */
export function compareForSort(one: QueryValue, other: QueryValue): number {
  if (one === null || other === null) return one === other ? 0 : one === null ? 1 : -1;
  return typeof one === 'number' && typeof other === 'number' ? one - other : compareValues(one, other);
}
