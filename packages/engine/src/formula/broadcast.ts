import { trimToUsed } from '../base/array-size-limit.ts';
import {
  cellErrors,
  Lambda,
  Matrix,
  RangeRef,
  RefUnion,
  isGrid,
  type Grid,
  type Scalar,
  type Value,
} from '../base/values.ts';
import type { Evaluation } from './evaluation-context.ts';

/**
 * Applies implicit intersection, for `@` and formulas from before dynamic arrays: returns the cell of the range in the
 * formula's own row or column, or #VALUE!.
 */
export function implicitIntersection(ev: Evaluation, range: RangeRef): Scalar {
  const byRow = range.top <= ev.row && ev.row <= range.bottom;
  const byCol = range.left <= ev.col && ev.col <= range.right;
  if (range.left === range.right) {
    if (range.top === range.bottom) return range.at(0, 0);
    return byRow ? range.sheet.read(ev.row, range.left) : cellErrors.value;
  }
  if (range.top === range.bottom) return byCol ? range.sheet.read(range.top, ev.col) : cellErrors.value;
  return byRow && byCol ? range.sheet.read(ev.row, ev.col) : cellErrors.value;
}

/**
 * Converts an operand to a value. A reference to a single cell is read. A larger reference stays a range if `lift` is
 * set; otherwise implicit intersection applies.
 */
export function toOperand(ev: Evaluation, value: Value, lift: boolean): Scalar | Matrix | RangeRef {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof RangeRef) {
    if (value.isCell) return value.sheet.read(value.top, value.left);
    return lift ? value : implicitIntersection(ev, value);
  }
  if (value instanceof Matrix) return value.data.length === 1 ? (value.data[0] ?? null) : value;
  if (value instanceof RefUnion) return cellErrors.value;
  if (value instanceof Lambda) return cellErrors.calc;
  return value;
}

export function elementAt(value: Scalar | Grid, row: number, col: number): Scalar {
  if (!isGrid(value)) return value as Scalar;
  const r = value.rows === 1 ? 0 : row;
  const c = value.cols === 1 ? 0 : col;
  return r < value.rows && c < value.cols ? value.at(r, c) : cellErrors.na;
}

export function broadcastUnary(
  ev: Evaluation,
  value: Scalar | Matrix | RangeRef,
  each: (item: Scalar) => Scalar,
): Value {
  if (!isGrid(value)) return each(value);
  const grid = trimToUsed(value);
  ev.reserve(grid.rows, grid.cols);
  return Matrix.build(grid.rows, grid.cols, (r, c) => each(grid.at(r, c)));
}

export function broadcastBinary(
  ev: Evaluation,
  a: Scalar | Matrix | RangeRef,
  b: Scalar | Matrix | RangeRef,
  each: (left: Scalar, right: Scalar) => Scalar,
): Value {
  const left = isGrid(a) ? trimToUsed(a) : a;
  const right = isGrid(b) ? trimToUsed(b) : b;
  const rows = Math.max(isGrid(left) ? left.rows : 1, isGrid(right) ? right.rows : 1);
  const cols = Math.max(isGrid(left) ? left.cols : 1, isGrid(right) ? right.cols : 1);
  ev.reserve(rows, cols);
  return Matrix.build(rows, cols, (r, c) => each(elementAt(left, r, c), elementAt(right, r, c)));
}
