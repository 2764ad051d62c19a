import { parseNumber } from '../../base/parse-number.ts';
import {
  CellError,
  cellErrors,
  Matrix,
  RangeRef,
  RefUnion,
  isGrid,
  type Grid,
  type Scalar,
  type Value,
} from '../../base/values.ts';
import type { CallContext } from '../call-context.ts';
import { define, type Definition } from '../define.ts';

/** Implements COUNT: counts the numbers in the arguments. Errors are ignored, not propagated. */
function countNumbers(args: readonly Value[]): number {
  let count = 0;
  for (const arg of args) {
    if (isGrid(arg)) count += arg.totals().count;
    else if (arg instanceof RefUnion) for (const area of arg.areas) count += area.totals().count;
    else if (typeof arg === 'string') count += parseNumber(arg) === undefined ? 0 : 1;
    else if (arg === null || typeof arg === 'number' || typeof arg === 'boolean') count++;
  }
  return count;
}

function countFilled(args: readonly Value[]): number {
  let count = 0;
  for (const arg of args) {
    if (arg instanceof Matrix) count += arg.rows * arg.cols;
    else if (arg instanceof RangeRef) count += arg.totals().filled;
    else if (arg instanceof RefUnion) for (const area of arg.areas) count += area.totals().filled;
    else count++;
  }
  return count;
}

function countBlank(grid: Grid): number {
  let filled = 0;
  grid.eachFilled((value) => {
    if (value !== '') filled++;
  });
  return grid.rows * grid.cols - filled;
}

interface Picked {
  count: number;
  sum: number;
  min: number;
  max: number;
}

/**
 * Returns count, sum, minimum and maximum of the numbers in `values` at the positions where the cell of every range
 * matches its criterion. `values` has the size of the ranges. Throws the first error value at these positions.
 */
function pick(call: CallContext, values: Grid, ranges: readonly Grid[], criteria: readonly Scalar[]): Picked {
  const picked: Picked = { count: 0, sum: 0, min: Infinity, max: -Infinity };
  let failed: CellError | undefined;
  const error = call.eachMatching(ranges, criteria, (row, col) => {
    const value = values.at(row, col);
    if (typeof value === 'number') {
      picked.count++;
      picked.sum += value;
      if (value < picked.min) picked.min = value;
      if (value > picked.max) picked.max = value;
    } else if (failed === undefined && value instanceof CellError) failed = value;
  });
  if (error) throw error;
  if (failed) throw failed;
  return picked;
}

/** Splits alternating range and criterion arguments, as SUMIFS has them, into two lists. */
export function splitPairs(pairs: readonly (Grid | Scalar)[]): { ranges: Grid[]; criteria: Scalar[] } {
  const ranges: Grid[] = [];
  const criteria: Scalar[] = [];
  for (let i = 0; i + 1 < pairs.length; i += 2) {
    ranges.push(pairs[i] as Grid);
    criteria.push(pairs[i + 1] as Scalar);
  }
  return { ranges, criteria };
}

function pickIfs(call: CallContext, values: Grid, pairs: readonly (Grid | Scalar)[]): Picked {
  const { ranges, criteria } = splitPairs(pairs);
  const first = ranges[0];
  if (first === undefined || first.rows !== values.rows || first.cols !== values.cols) throw cellErrors.value;
  return pick(call, values, ranges, criteria);
}

/**
 * Returns the range that starts at the top left cell of `values` and has the size of `range`, as AVERAGEIF requires.
 */
function sizedLike(values: Grid, range: Grid): Grid {
  if (values.rows === range.rows && values.cols === range.cols) return values;
  if (values instanceof RangeRef) return values.part(0, 0, range.rows, range.cols);
  return Matrix.build(range.rows, range.cols, (row, col) =>
    row < values.rows && col < values.cols ? values.at(row, col) : null,
  );
}

function countMatching(call: CallContext, ranges: readonly Grid[], criteria: readonly Scalar[]): number | CellError {
  let count = 0;
  const error = call.eachMatching(ranges, criteria, () => {
    count++;
  });
  return error ?? count;
}

export const countFunctions: readonly Definition[] = [
  define('COUNT', 'value...', (_call, ...args) => countNumbers(args)),
  define('COUNTA', 'value...', (_call, ...args) => countFilled(args)),
  define('COUNTBLANK', 'grid', (_call, grid) => countBlank(grid)),
  define('COUNTIF', 'grid any', (call, range, criterion) => countMatching(call, [range], [criterion])),
  define('COUNTIFS', 'grid... any...', (call, ...pairs) => {
    const { ranges, criteria } = splitPairs(pairs);
    return countMatching(call, ranges, criteria);
  }),
  define('AVERAGEIF', 'grid any grid?', (call, range, criterion, values) => {
    const { count, sum } = pick(call, sizedLike(values ?? range, range), [range], [criterion]);
    return count === 0 ? cellErrors.div0 : sum / count;
  }),
  define('AVERAGEIFS', 'grid grid... any...', (call, values, ...pairs) => {
    const { count, sum } = pickIfs(call, values, pairs);
    return count === 0 ? cellErrors.div0 : sum / count;
  }),
  define('MAXIFS', 'grid grid... any...', (call, values, ...pairs) => {
    const { count, max } = pickIfs(call, values, pairs);
    return count === 0 ? 0 : max;
  }),
  define('MINIFS', 'grid grid... any...', (call, values, ...pairs) => {
    const { count, min } = pickIfs(call, values, pairs);
    return count === 0 ? 0 : min;
  }),
];
