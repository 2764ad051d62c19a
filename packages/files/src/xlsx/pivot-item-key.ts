import { foldText, CellError, type Scalar } from '@sheaf/engine';

/** Returns the same key for values that a pivot table treats as one item. */
export function pivotItemKey(value: Scalar): string {
  if (value === null || value === '') return '';
  if (typeof value === 'string') return `t${foldText(value)}`;
  return value instanceof CellError ? `e${value.text}` : `${typeof value}${value}`;
}
