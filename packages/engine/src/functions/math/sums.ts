import {
  CellError,
  cellErrors,
  Lambda,
  RefUnion,
  isGrid,
  type Grid,
  type Scalar,
  type Value,
} from '../../base/values.ts';
import { toNumber } from '../../base/coerce.ts';
import { define, type Definition } from '../define.ts';
import { eachNumber } from '../numeric-arguments.ts';
import { strictNumber } from '../toolpak-arguments.ts';

function sum(args: readonly Value[]): number | CellError {
  let total = 0;
  // Uses an indexed loop, because it is faster than `for...of` before the code is optimized, and SUM is the most used
  // function.
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] as Value;
    if (typeof arg === 'number') total += arg;
    else if (isGrid(arg)) {
      const { sum: part, error } = arg.totals();
      if (error !== null) return error;
      total += part;
    } else if (arg instanceof RefUnion) {
      const part = sum(arg.areas as readonly Value[]);
      if (part instanceof CellError) return part;
      total += part;
    } else if (arg instanceof Lambda) return cellErrors.calc;
    else {
      const value = toNumber(arg);
      if (value instanceof CellError) return value;
      total += value;
    }
  }
  return total;
}

/** Sums the products at equal positions. Cells that are not numbers count as 0. */
function sumProduct(grids: readonly Grid[]): number | CellError {
  const first = grids[0] as Grid;
  for (const grid of grids) if (grid.rows !== first.rows || grid.cols !== first.cols) return cellErrors.value;
  for (const grid of grids) {
    const { error } = grid.totals();
    if (error !== null) return error;
  }
  const others = grids.slice(1);
  const second = others[0];
  let total = 0;
  if (second === undefined) return first.totals().sum;
  if (others.length === 1) {
    first.eachFilled((value, row, col) => {
      if (typeof value !== 'number') return;
      const factor = second.at(row, col);
      if (typeof factor === 'number') total += value * factor;
    });
    return total;
  }
  first.eachFilled((value, row, col) => {
    if (typeof value !== 'number') return;
    let product = value;
    for (const grid of others) {
      const factor = grid.at(row, col);
      if (typeof factor !== 'number') return;
      product *= factor;
    }
    total += product;
  });
  return total;
}

/** Defines a function that sums `term` over the positions where both grids hold numbers. */
function pairwise(name: string, term: (x: number, y: number) => number): Definition {
  return define(name, 'array array', (call, left, right) => {
    if (left.rows * left.cols !== right.rows * right.cols) return cellErrors.na;
    const sameShape = left.rows === right.rows;
    let failed: CellError | undefined;
    let total = 0;
    let pairs = 0;
    left.eachFilled((x, row, col) => {
      const place = row * left.cols + col;
      const y: Scalar = sameShape ? right.at(row, col) : right.at(Math.floor(place / right.cols), place % right.cols);
      if (x instanceof CellError || y instanceof CellError) {
        failed = x instanceof CellError ? x : (y as CellError);
        return false;
      }
      pairs++;
      if (typeof x === 'number' && typeof y === 'number') total += term(x, y);
      return undefined;
    });
    call.budget.spend(pairs);
    return failed ?? right.totals().error ?? total;
  });
}

export const sumFunctions: readonly Definition[] = [
  define('SUM', 'value...', (_call, ...args) => sum(args)),
  define('PRODUCT', 'value...', (_call, ...args) => {
    let product = 1;
    let count = 0;
    const error = eachNumber(args, (value) => {
      product *= value;
      count++;
    });
    return error ?? (count === 0 ? 0 : product);
  }),
  define('SUMSQ', 'value...', (_call, ...args) => {
    let total = 0;
    return eachNumber(args, (value) => (total += value * value)) ?? total;
  }),
  define('SUMPRODUCT', 'array...', (_call, ...grids) => sumProduct(grids)),
  pairwise('SUMX2MY2', (x, y) => x * x - y * y),
  pairwise('SUMX2PY2', (x, y) => x * x + y * y),
  pairwise('SUMXMY2', (x, y) => (x - y) ** 2),
  define('SERIESSUM', 'any any any array', (call, base, first, increment, factors) => {
    const [x, start, step] = [strictNumber(base), strictNumber(first), strictNumber(increment)];
    call.budget.spend(factors.rows * factors.cols);
    let total = 0;
    let place = 0;
    for (let row = 0; row < factors.rows; row++) {
      for (let col = 0; col < factors.cols; col++) {
        const factor = factors.at(row, col);
        if (factor instanceof CellError) return factor;
        if (typeof factor === 'string' || typeof factor === 'boolean') return cellErrors.value;
        const exponent = start + step * place++;
        if (x === 0 && exponent === 0) return cellErrors.num;
        total += (factor ?? 0) * x ** exponent;
      }
    }
    return total;
  }),
];
