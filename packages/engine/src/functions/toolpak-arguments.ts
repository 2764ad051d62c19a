import { toNumber } from '../base/coerce.ts';
import { CellError, cellErrors, type Scalar } from '../base/values.ts';

/**
 * Converts an argument of a function from Excel's Analysis ToolPak to a number. Throws #VALUE! for booleans, which
 * these functions reject, and a CellError for any other value that cannot be converted.
 */
export function strictNumber(value: Scalar): number {
  if (typeof value === 'boolean') throw cellErrors.value;
  const number = toNumber(value);
  if (number instanceof CellError) throw number;
  return number;
}

/** Like `strictNumber`, but returns `fallback` if the argument is omitted. */
export function strictOr(value: Scalar | undefined, fallback: number): number {
  return value === undefined ? fallback : strictNumber(value);
}

export function strictWhole(value: Scalar): number {
  return Math.trunc(strictNumber(value));
}
