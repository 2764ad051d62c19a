import { foldText, CellError, type Scalar } from '@sheaf/engine';

/** Values that a pivot table takes for the same item have the same key. */
export function keyOf(value: Scalar): string {
  if (value === null || value === '') return '';
  if (typeof value === 'string') return `t${foldText(value)}`;
  return value instanceof CellError ? `e${value.text}` : `${typeof value}${value}`;
}
