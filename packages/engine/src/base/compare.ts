import { charge } from './budget.ts';
import { CellError, type Scalar } from './values.ts';

/**
 * Maximum length of a text that is case-folded without charging the budget (the limit on calculation work). Longer
 * texts are charged in proportion to their length.
 */
const longText = 256;

/** Case-folds text for comparison. Uses no locale data, so the result is the same on every machine. */
export function foldText(text: string): string {
  if (text.length > longText) charge(text.length >> 4);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 128) return text.toUpperCase().toLowerCase();
    if (code >= 65 && code <= 90) return text.toLowerCase();
  }
  return text;
}

/** Compares texts by case-folded UTF-16 code units. Returns a negative number, zero or a positive number. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const left = foldText(a);
  const right = foldText(b);
  return left === right ? 0 : left < right ? -1 : 1;
}

function rank(value: Scalar): number {
  switch (typeof value) {
    case 'number':
      return 1;
    case 'string':
      return 2;
    case 'boolean':
      return 3;
    default:
      return value === null ? 0 : 4;
  }
}

/**
 * Compares values in the order of comparison operators and sorting: numbers, text, booleans, errors. A blank equals 0,
 * "" or FALSE, depending on the type of the other side.
 */
export function compareScalars(a: Scalar, b: Scalar): number {
  if (typeof a === 'number' && typeof b === 'number') return a < b ? -1 : a > b ? 1 : 0;
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  if (a === null) return b === null ? 0 : compareScalars(blankLike(b), b);
  if (b === null) return compareScalars(a, blankLike(a));
  const difference = rank(a) - rank(b);
  if (difference !== 0) return difference;
  if (a instanceof CellError && b instanceof CellError) return a.code - b.code;
  return a === b ? 0 : a ? 1 : -1;
}

function blankLike(other: Scalar): Scalar {
  if (typeof other === 'string') return '';
  if (typeof other === 'boolean') return false;
  return 0;
}

/**
 * Returns whether two values have the same type and value; text is compared case-insensitively. A blank equals only a
 * blank.
 */
export function sameScalar(a: Scalar, b: Scalar): boolean {
  if (a === b) return true;
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b) === 0;
  return false;
}
