import { foldText, CellError, type Scalar } from '@sheaf/engine';

/** Returns the key of a pivot item. Values that a pivot table treats as the same item have equal keys. */
export function pivotItemKey(value: Scalar): string {
  if (value === null || value === '') return '';
  if (typeof value === 'string') return `t${foldText(value)}`;
  return value instanceof CellError ? `e${value.text}` : `${typeof value}${value}`;
}
