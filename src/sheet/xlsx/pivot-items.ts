import { foldText } from '../engine/compare.ts';
import { CellError } from '../engine/values.ts';
import type { Scalar } from '../engine/values.ts';

/** Values that a pivot table takes for the same item have the same key. */
export function keyOf(value: Scalar): string {
  if (value === null || value === '') return '';
  if (typeof value === 'string') return `t${foldText(value)}`;
  return value instanceof CellError ? `e${value.text}` : `${typeof value}${value}`;
}
