import { charge, chargeArray } from '../../base/budget.ts';
import { normalizeNumber } from '../../base/coerce.ts';
import { CellError, cellErrors, Matrix, type Grid, type Scalar } from '../../base/values.ts';
import type { CallContext } from '../call-context.ts';
import { define, type Definition } from '../define.ts';

const maxElements = 2 ** 24;

/** Returns the numbers of a grid, row by row; #VALUE! if any cell is blank, text or boolean. */
function denseNumbers(call: CallContext, grid: Grid): Float64Array | CellError {
  const size = grid.rows * grid.cols;
  if (size > maxElements) return cellErrors.value;
  call.budget.spend(size);
  const data = new Float64Array(size);
  let found = 0;
  let failed: CellError | undefined;
  grid.eachFilled((value, row, col) => {
    if (typeof value !== 'number') {
      failed = value instanceof CellError ? value : cellErrors.value;
      return false;
    }
    data[row * grid.cols + col] = value;
    found++;
    return undefined;
  });
  return failed ?? (found === size ? data : cellErrors.value);
}

/**
 * Runs Gaussian elimination with partial pivoting in place on `n` rows of `width` numbers: a square matrix, followed by
 * the right-hand sides. Returns the determinant of the matrix; stops early if it is 0.
 */
function eliminate(data: Float64Array, n: number, width: number): number {
  let determinant = 1;
  for (let col = 0; col < n; col++) {
    // The caller has already charged the calculation budget for the whole work. This charge lets the budget also check
    // its time limit after each column.
    charge(n);
    let pivot = col;
    for (let row = col + 1; row < n; row++) {
      if (Math.abs(data[row * width + col] as number) > Math.abs(data[pivot * width + col] as number)) pivot = row;
    }
    const head = data[pivot * width + col] as number;
    if (head === 0) return 0;
    if (pivot !== col) {
      determinant = -determinant;
      for (let k = 0; k < width; k++) {
        const kept = data[col * width + k] as number;
        data[col * width + k] = data[pivot * width + k] as number;
        data[pivot * width + k] = kept;
      }
    }
    determinant *= head;
    for (let row = col + 1; row < n; row++) {
      const factor = (data[row * width + col] as number) / head;
      if (factor === 0) continue;
      for (let k = col; k < width; k++) {
        data[row * width + k] = (data[row * width + k] as number) - factor * (data[col * width + k] as number);
      }
    }
  }
  return determinant;
}

function invert(square: Float64Array, n: number): Matrix | CellError {
  const width = 2 * n;
  const data = new Float64Array(n * width);
  let size = 0;
  for (let row = 0; row < n; row++) {
    for (let col = 0; col < n; col++) {
      const value = square[row * n + col] as number;
      data[row * width + col] = value;
      size = Math.max(size, Math.abs(value));
    }
    data[row * width + n + row] = 1;
  }
  if (eliminate(data, n, width) === 0) return cellErrors.num;
  for (let row = n - 1; row >= 0; row--) {
    const head = data[row * width + row] as number;
    // The pivot of a row that depends linearly on the others should be 0, but may be a tiny number because of rounding
    // errors. The matrix then has no inverse.
    if (Math.abs(head) < size * n * 1e-16) return cellErrors.num;
    for (let k = n; k < width; k++) {
      let value = data[row * width + k] as number;
      for (let j = row + 1; j < n; j++) {
        value -= (data[row * width + j] as number) * (data[j * width + k] as number);
      }
      data[row * width + k] = value / head;
    }
  }
  return Matrix.build(n, n, (row, col) => normalizeNumber(data[row * width + n + col] as number));
}

export const matrixFunctions: readonly Definition[] = [
  define('MMULT', 'array array', (call, left, right) => {
    if (left.cols !== right.rows) return cellErrors.value;
    const a = denseNumbers(call, left);
    if (a instanceof CellError) return a;
    const b = denseNumbers(call, right);
    if (b instanceof CellError) return b;
    const [rows, inner, cols] = [left.rows, left.cols, right.cols];
    if (rows * cols > maxElements) return cellErrors.value;
    call.budget.spend(rows * inner * cols);
    chargeArray(rows * cols);
    const line = new Float64Array(cols);
    const data: Scalar[] = [];
    for (let row = 0; row < rows; row++) {
      line.fill(0);
      for (let k = 0; k < inner; k++) {
        const factor = a[row * inner + k] as number;
        for (let col = 0; col < cols; col++) {
          line[col] = (line[col] as number) + factor * (b[k * cols + col] as number);
        }
      }
      for (const value of line) data.push(normalizeNumber(value));
    }
    return new Matrix(rows, cols, data);
  }),
  define('MDETERM', 'array', (call, grid) => {
    if (grid.rows !== grid.cols) return cellErrors.value;
    const data = denseNumbers(call, grid);
    if (data instanceof CellError) return data;
    call.budget.spend(grid.rows ** 3);
    return eliminate(data, grid.rows, grid.rows);
  }),
  define('MINVERSE', 'array', (call, grid) => {
    if (grid.rows !== grid.cols) return cellErrors.value;
    const data = denseNumbers(call, grid);
    if (data instanceof CellError) return data;
    call.budget.spend(grid.rows ** 3 * 2);
    return invert(data, grid.rows);
  }),
  define('MUNIT', 'number', (call, size) => {
    const n = Math.trunc(size);
    if (n < 1 || n * n > maxElements) return cellErrors.value;
    call.budget.spend(n * n);
    return Matrix.build(n, n, (row, col) => (row === col ? 1 : 0));
  }),
];
