import { generalText } from './general-format.ts';
import { parseNumber } from './parse-number.ts';
import { CellError, cellErrors, type Scalar } from './values.ts';

/** Converts a value to a number: blank is 0, TRUE is 1, text is parsed. Text that is not a number gives #VALUE!. */
export function toNumber(value: Scalar): number | CellError {
  if (typeof value === 'number') return value;
  if (value === null) return 0;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'string') return parseNumber(value) ?? cellErrors.value;
  return value;
}

export function toText(value: Scalar): string | CellError {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return generalText(value);
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  return value;
}

export function toLogical(value: Scalar): boolean | CellError {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return value !== 0;
  if (value === null) return false;
  if (typeof value === 'string') {
    const upper = value.trim().toUpperCase();
    if (upper === 'TRUE') return true;
    if (upper === 'FALSE') return false;
    return cellErrors.value;
  }
  return value;
}

/**
 * Converts a value as `toNumber` does, but throws a CellError instead of returning it. The evaluator catches the error
 * and returns it as the function's result.
 */
export function numberOf(value: Scalar): number {
  const number = toNumber(value);
  if (number instanceof CellError) throw number;
  return number;
}

export function textOf(value: Scalar): string {
  const text = toText(value);
  if (text instanceof CellError) throw text;
  return text;
}

export function logicalOf(value: Scalar): boolean {
  const logical = toLogical(value);
  if (logical instanceof CellError) throw logical;
  return logical;
}

/** Normalizes a computed number for storage: infinities and NaN become #NUM!, minus zero becomes zero. */
export function normalizeNumber(value: number): number | CellError {
  return Number.isFinite(value) ? value + 0 : cellErrors.num;
}
