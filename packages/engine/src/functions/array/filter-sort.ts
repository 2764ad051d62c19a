import { numberOf } from '../../base/coerce.ts';
import { CellError, cellErrors, Matrix, RangeRef, type Grid, type Scalar, type Value } from '../../base/values.ts';
import type { CallContext } from '../call-context.ts';
import { define, type Definition } from '../define.ts';
import { trimToUsed, firstScalarOf, gridOf, chargeArrayResult } from '../array-arguments.ts';
import { scalarListKey, compareForSort } from './sort-keys.ts';

function pickRows(call: CallContext, grid: Grid, rows: readonly number[]): Matrix {
  chargeArrayResult(call, rows.length, grid.cols);
  return Matrix.build(rows.length, grid.cols, (r, c) => grid.at(rows[r] ?? 0, c));
}

function pickCols(call: CallContext, grid: Grid, cols: readonly number[]): Matrix {
  chargeArrayResult(call, grid.rows, cols.length);
  return Matrix.build(grid.rows, cols.length, (r, c) => grid.at(r, cols[c] ?? 0));
}

export function isTruthy(value: Scalar): boolean {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return value !== 0;
  if (value === null) return false;
  throw value instanceof CellError ? value : cellErrors.value;
}

/**
 * Cuts the array of FILTER to the size of its condition. The condition was already cut to the used part of its
 * sub-sheet, so FILTER(A:B, C:C>1) does not read whole columns.
 */
function trimTo(grid: Grid, include: Grid): Grid {
  if (!(grid instanceof RangeRef)) return grid;
  const cut = grid.trimmed();
  if (cut === grid) return grid;
  const rows = include.cols === 1 && include.rows < grid.rows ? include.rows : grid.rows;
  const cols = include.rows === 1 && include.cols < grid.cols ? include.cols : grid.cols;
  return rows >= cut.rows && cols >= cut.cols
    ? grid.part(0, 0, Math.min(rows, grid.rows), Math.min(cols, grid.cols))
    : grid;
}

function filter(call: CallContext, array: Grid, include: Grid, otherwise: (() => Value) | undefined): Value {
  const condition = trimToUsed(include);
  const grid = trimTo(array, condition);
  const byRow = condition.cols === 1 && condition.rows === grid.rows;
  const byCol = condition.rows === 1 && condition.cols === grid.cols;
  if (!byRow && !byCol) return cellErrors.value;
  const length = byRow ? condition.rows : condition.cols;
  call.budget.spend(length);
  const kept: number[] = [];
  for (let i = 0; i < length; i++) if (isTruthy(byRow ? condition.at(i, 0) : condition.at(0, i))) kept.push(i);
  if (kept.length === 0) {
    const value = otherwise === undefined ? null : otherwise();
    return value === null ? cellErrors.calc : value;
  }
  return byRow ? pickRows(call, grid, kept) : pickCols(call, grid, kept);
}

function directionOf(value: Scalar): 1 | -1 {
  const order = value === null ? 1 : Math.trunc(numberOf(value));
  if (order !== 1 && order !== -1) throw cellErrors.value;
  return order;
}

function listOf(value: Value | undefined): Scalar[] {
  if (value === undefined || value === null) return [null];
  const grid = gridOf(value);
  const list: Scalar[] = [];
  for (let r = 0; r < grid.rows; r++) for (let c = 0; c < grid.cols; c++) list.push(grid.at(r, c));
  return list;
}

interface SortKey {
  readonly direction: 1 | -1;
  at(index: number): Scalar;
}

/** Returns the indexes 0 to `length` - 1 in the order of their sort keys. The sort is stable. */
function sortedPositions(call: CallContext, length: number, keys: readonly SortKey[]): number[] {
  call.budget.spend(length * (keys.length + Math.ceil(Math.log2(length + 1))));
  const columns = keys.map((key) => Array.from({ length }, (_, i) => key.at(i)));
  return Array.from({ length }, (_, i) => i).sort((a, b) => {
    for (let k = 0; k < keys.length; k++) {
      const column = columns[k] ?? [];
      const order = compareForSort(column[a] ?? null, column[b] ?? null, keys[k]?.direction ?? 1);
      if (order !== 0) return order;
    }
    return a - b;
  });
}

function sort(
  call: CallContext,
  array: Grid,
  index: Value | undefined,
  order: Value | undefined,
  byCol: boolean,
): Value {
  const grid = trimToUsed(array);
  const others = byCol ? grid.rows : grid.cols;
  const orders = listOf(order);
  const keys = listOf(index).map((item, i): SortKey => {
    const at = item === null ? 1 : Math.trunc(numberOf(item));
    if (at < 1 || at > others) throw cellErrors.value;
    return {
      direction: directionOf(orders.length === 1 ? (orders[0] ?? null) : (orders[i] ?? null)),
      at: (position) => (byCol ? grid.at(at - 1, position) : grid.at(position, at - 1)),
    };
  });
  const positions = sortedPositions(call, byCol ? grid.cols : grid.rows, keys);
  return byCol ? pickCols(call, grid, positions) : pickRows(call, grid, positions);
}

function sortBy(call: CallContext, array: Grid, rest: readonly Value[]): Value {
  const grid = trimToUsed(array);
  const keys: SortKey[] = [];
  let byCol: boolean | undefined;
  for (let i = 0; i < rest.length; i += 2) {
    const by = gridOf(rest[i] ?? null);
    const cut = trimToUsed(by);
    const down = by.cols === 1 && (by.rows === array.rows || cut.rows === grid.rows);
    const across = by.rows === 1 && (by.cols === array.cols || cut.cols === grid.cols);
    if (!down && !across) return cellErrors.value;
    const sideways = !(down && byCol !== true);
    if (sideways && !across) return cellErrors.value;
    if (byCol !== undefined && byCol !== sideways) return cellErrors.value;
    byCol = sideways;
    keys.push({
      direction: directionOf(firstScalarOf(rest[i + 1] ?? null)),
      at: (position) => (sideways ? by.at(0, position) : by.at(position, 0)),
    });
  }
  const positions = sortedPositions(call, byCol ? grid.cols : grid.rows, keys);
  return byCol ? pickCols(call, grid, positions) : pickRows(call, grid, positions);
}

function unique(call: CallContext, array: Grid, byCol: boolean, once: boolean): Value {
  const grid = trimToUsed(array);
  const length = byCol ? grid.cols : grid.rows;
  const width = byCol ? grid.rows : grid.cols;
  chargeArrayResult(call, grid.rows, grid.cols);
  const counts = new Map<string, number>();
  const first: number[] = [];
  const keys: string[] = [];
  for (let i = 0; i < length; i++) {
    const line: Scalar[] = [];
    for (let j = 0; j < width; j++) line.push(byCol ? grid.at(j, i) : grid.at(i, j));
    const key = scalarListKey(line);
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    if (count === 0) {
      first.push(i);
      keys.push(key);
    }
  }
  // `grid` may be only the used part of `array`, for example of the whole column A:A. The other rows or columns of
  // `array` are blank, so they are only counted (`unread`), not read.
  const unread = byCol ? array.cols - grid.cols : array.rows - grid.rows;
  const blankKey = scalarListKey(Array.from<Scalar>({ length: width }).fill(null));
  const hasBlank = counts.has(blankKey);
  if (hasBlank) counts.set(blankKey, counts.get(blankKey)! + unread);
  const kept = once ? first.filter((_, i) => counts.get(keys[i] ?? '') === 1) : first;
  const addsBlank = length > 0 && !byCol && !hasBlank && (once ? unread === 1 : unread > 0);
  if (kept.length === 0 && !addsBlank) return cellErrors.calc;
  const result = byCol ? pickCols(call, grid, kept) : pickRows(call, grid, kept);
  if (!addsBlank) return result;
  return new Matrix(result.rows + 1, result.cols, [
    ...result.data,
    ...Array.from<Scalar>({ length: result.cols }).fill(null),
  ]);
}

export const filterSortFunctions: readonly Definition[] = [
  define('FILTER', 'array array lazy?', (call, grid, include, otherwise) => filter(call, grid, include, otherwise)),
  define('SORT', 'array value? value? logical?', (call, grid, index, order, byCol) =>
    sort(call, grid, index, order, byCol === true),
  ),
  define('SORTBY', 'array value value? value...', (call, grid, ...rest) =>
    sortBy(
      call,
      grid,
      rest.filter((item) => item !== undefined),
    ),
  ),
  define('UNIQUE', 'array logical? logical?', (call, grid, byCol, once) =>
    unique(call, grid, byCol === true, once === true),
  ),
];
