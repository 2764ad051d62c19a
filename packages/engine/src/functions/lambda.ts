import { chargeArray } from '../base/budget.ts';
import { numberOf } from '../base/coerce.ts';
import { cellErrors, Lambda, Matrix, isGrid, type Grid, type Scalar, type Value } from '../base/values.ts';
import type { CallContext } from './call-context.ts';
import { define, type Definition } from './define.ts';
import { trimToUsed, elementOf, gridOf, subgridOf, chargeArrayResult } from './array-arguments.ts';

/** Implements MAP: calls the LAMBDA for each position of the arrays. */
function map(call: CallContext, args: readonly Value[]): Value {
  const lambda = args.at(-1);
  if (!(lambda instanceof Lambda)) return cellErrors.value;
  const grids = args.slice(0, -1).map((arg) => trimToUsed(gridOf(arg)));
  if (grids.length === 0) return cellErrors.value;
  const rows = Math.max(...grids.map((grid) => grid.rows));
  const cols = Math.max(...grids.map((grid) => grid.cols));
  chargeArrayResult(call, rows, cols);
  return Matrix.build(rows, cols, (r, c) =>
    elementOf(
      call.callLambda(
        lambda,
        grids
          .map((grid) => (r < grid.rows && c < grid.cols ? subgridOf(grid, r, c, 1, 1) : cellErrors.na))
          .map(unwrapped),
      ),
    ),
  );
}

/** Converts a 1x1 array to a plain value. A reference stays a reference, because the LAMBDA may call ROW on it. */
function unwrapped(value: Value): Value {
  return value instanceof Matrix ? (value.data[0] ?? null) : value;
}

function foldCells(
  call: CallContext,
  initial: Value | undefined,
  grid: Grid,
  lambda: Lambda,
  each: (value: Value) => void,
): Value {
  chargeArrayResult(call, grid.rows, grid.cols);
  let total: Value = initial ?? null;
  // Without an initial value, REDUCE starts with the first element.
  let started = initial !== undefined && initial !== null;
  for (let r = 0; r < grid.rows; r++) {
    for (let c = 0; c < grid.cols; c++) {
      const item = unwrapped(subgridOf(grid, r, c, 1, 1));
      total = started ? call.callLambda(lambda, [total, item]) : item;
      started = true;
      each(total);
    }
  }
  return total;
}

function sizeOf(value: number): number {
  const size = Math.trunc(numberOf(value));
  if (size < 1) throw cellErrors.value;
  return size;
}

export const lambdaFunctions: readonly Definition[] = [
  define('MAP', 'value value...', (call, ...args) => map(call, args)),
  define('BYROW', 'array lambda', (call, array, lambda) => {
    const grid = trimToUsed(array);
    chargeArrayResult(call, grid.rows, grid.cols);
    return Matrix.build(grid.rows, 1, (r) => elementOf(call.callLambda(lambda, [subgridOf(grid, r, 0, 1, grid.cols)])));
  }),
  define('BYCOL', 'array lambda', (call, array, lambda) => {
    const grid = trimToUsed(array);
    chargeArrayResult(call, grid.rows, grid.cols);
    return Matrix.build(1, grid.cols, (_r, c) =>
      elementOf(call.callLambda(lambda, [subgridOf(grid, 0, c, grid.rows, 1)])),
    );
  }),
  define('MAKEARRAY', 'number number lambda', (call, rowCount, colCount, lambda) => {
    const rows = sizeOf(rowCount);
    const cols = sizeOf(colCount);
    chargeArrayResult(call, rows, cols);
    return Matrix.build(rows, cols, (r, c) => elementOf(call.callLambda(lambda, [r + 1, c + 1])));
  }),
  define('REDUCE', 'value array lambda', (call, initial, array, lambda) =>
    foldCells(call, initial, trimToUsed(array), lambda, () => undefined),
  ),
  define('SCAN', 'value array lambda', (call, initial, array, lambda) => {
    const grid = trimToUsed(array);
    const data: Scalar[] = [];
    chargeArray(grid.rows * grid.cols);
    foldCells(call, initial, grid, lambda, (value) => {
      const item = elementOf(value);
      if (isGrid(value) && item === cellErrors.calc) throw cellErrors.calc;
      data.push(item);
    });
    return new Matrix(grid.rows, grid.cols, data);
  }),
];
