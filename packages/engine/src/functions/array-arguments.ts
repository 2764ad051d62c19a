import { numberOf } from '../base/coerce.ts';
import { maxArrayCells, trimToUsed } from '../base/array-size-limit.ts';
import {
  CellError,
  cellErrors,
  Lambda,
  Matrix,
  RangeRef,
  RefUnion,
  isGrid,
  type Grid,
  type Reference,
  type Scalar,
  type Value,
} from '../base/values.ts';
import type { CallContext } from './call-context.ts';

/**
 * Charges the calculation budget for an array result of this size. Functions call it before they build the array.
 * Throws #NUM! if the array has more cells than allowed.
 */
export function chargeArrayResult(call: CallContext, rows: number, cols: number): void {
  const cells = rows * cols;
  if (cells > maxArrayCells) throw cellErrors.num;
  call.budget.spend(cells);
}

/** Returns the scalar value of an argument; for a grid, its first cell. */
export function firstScalarOf(value: Value): Scalar {
  if (isGrid(value)) return value.at(0, 0);
  if (value instanceof RefUnion) return cellErrors.value;
  if (value instanceof Lambda) return cellErrors.calc;
  return value;
}

/** Converts an argument to a number; returns `fallback` if it is omitted or left empty. */
export function numberOr(value: Value | undefined, fallback: number): number {
  return value === undefined || value === null ? fallback : numberOf(firstScalarOf(value));
}

/** Returns whether the value has more than one cell; scalar functions are then applied to each element. */
export function isMultiCell(value: Value): value is Matrix | RangeRef {
  return isGrid(value) && (value.rows > 1 || value.cols > 1);
}

/**
 * Converts the result of a LAMBDA to one element of an array. Returns #CALC! if the result has more than one cell or is
 * itself a LAMBDA.
 */
export function elementOf(value: Value): Scalar {
  if (value instanceof Lambda || isMultiCell(value)) return cellErrors.calc;
  return firstScalarOf(value);
}

export function gridOf(value: Value): Grid {
  if (isGrid(value)) return value;
  const item = firstScalarOf(value);
  if (item instanceof CellError) throw item;
  return new Matrix(1, 1, [item]);
}

/** Returns a part of a grid: a reference if the grid is one, otherwise an array. */
export function subgridOf(grid: Grid, row: number, col: number, rows: number, cols: number): RangeRef | Matrix {
  if (grid instanceof RangeRef) return grid.part(row, col, rows, cols);
  return Matrix.build(rows, cols, (r, c) => grid.at(row + r, col + c));
}

export { trimToUsed };

/**
 * Wraps a function that is to be applied to each element of an array (see `broadcast`). If it throws a CellError for
 * one element, that error becomes the result of this element only.
 */
export function catchCellErrors(each: (...items: Scalar[]) => Value): (...items: Scalar[]) => Value {
  return (...items) => {
    try {
      return each(...items);
    } catch (error) {
      if (error instanceof CellError) return error;
      throw error;
    }
  };
}

/**
 * Returns the result of `answer` for each cell of a reference: a value for a single cell, otherwise an array. #VALUE!
 * if the reference has several areas.
 */
export function mapCells(
  call: CallContext,
  ref: Reference,
  answer: (range: RangeRef, row: number, col: number) => Scalar,
): Value {
  if (!(ref instanceof RangeRef)) return cellErrors.value;
  if (ref.isCell) return answer(ref, ref.top, ref.left);
  const { rows, cols } = trimToUsed(ref);
  chargeArrayResult(call, rows, cols);
  return Matrix.build(rows, cols, (r, c) => answer(ref, ref.top + r, ref.left + c));
}
