import { compareScalars, foldText } from '../../base/compare.ts';
import { CellError, type Scalar } from '../../base/values.ts';

/** Compares values in the order of SORT: numbers, text, booleans, errors. Blanks come last in both directions. */
export function compareForSort(a: Scalar, b: Scalar, direction: 1 | -1): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return compareScalars(a, b) * direction;
}

/**
 * Returns a text key by which values are grouped. Equal values of the same type have equal keys; text is compared
 * case-insensitively.
 */
export function scalarKey(value: Scalar): string {
  if (typeof value === 'number') return `n${value}`;
  if (typeof value === 'string') return `s${foldText(value)}`;
  if (typeof value === 'boolean') return value ? 'T' : 'F';
  return value instanceof CellError ? `e${value.code}` : 'b';
}

/**
 * Returns one text key for a list of values, such as a row, by which equal lists are found. Lists whose values differ
 * never have the same key.
 */
export function scalarListKey(values: readonly Scalar[]): string {
  if (values.length === 1) return scalarKey(values[0] ?? null);
  return JSON.stringify(values.map(scalarKey));
}
