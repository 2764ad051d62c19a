import { cellErrors, isGrid, Matrix, type CellError, type Value } from '../../base/values.ts';
import type { CallContext } from '../call-context.ts';
import { define, type Definition } from '../define.ts';
import { eachNumber } from '../numeric-arguments.ts';
import { ascending, numbersFrom } from './descriptive-statistics.ts';

function sortedNumbers(call: CallContext, list: Value): Float64Array {
  const numbers = numbersFrom([list]);
  call.budget.spend(numbers.length);
  return ascending(numbers);
}

/**
 * Rounds a one-based position up to a whole number. Throws #NUM! if `k` is below 1 or the rounded position is above
 * `count`.
 */
function nth(count: number, k: number): number {
  const position = Math.ceil(k);
  if (k < 1 || position > count) throw cellErrors.num;
  return position;
}

/** Returns the value at a zero-based position; a fractional position interpolates between two adjacent values. */
export function interpolateAt(sorted: Float64Array, position: number): number {
  const below = Math.floor(position);
  const low = sorted[below] as number;
  const high = sorted[below + 1];
  return high === undefined ? low : low + (position - below) * (high - low);
}

export function percentileInclusive(sorted: Float64Array, share: number): number | CellError {
  if (sorted.length === 0 || share < 0 || share > 1) return cellErrors.num;
  return interpolateAt(sorted, share * (sorted.length - 1));
}

export function percentileExclusive(sorted: Float64Array, share: number): number | CellError {
  const position = share * (sorted.length + 1);
  if (sorted.length === 0 || share <= 0 || share >= 1 || position < 1 || position > sorted.length)
    return cellErrors.num;
  return interpolateAt(sorted, position - 1);
}

function quarter(value: number): number {
  return Math.trunc(value) / 4;
}

/** Returns how many values of a sorted list are smaller than x. */
function countBelow(sorted: Float64Array, x: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) < x) low = middle + 1;
    else high = middle;
  }
  return low;
}

function cutDigits(share: number, digits: number): number {
  const scale = 10 ** digits;
  const scaled = Number((share * scale).toPrecision(15));
  return Math.floor(scaled) / scale;
}

/**
 * Returns the percentile rank of x, interpolated linearly between list values and truncated to `digits` decimals. Uses
 * the formula of PERCENTRANK.EXC if `exclusive` is true, otherwise that of PERCENTRANK.INC.
 */
function percentRank(sorted: Float64Array, x: number, digits: number, exclusive: boolean): number | CellError {
  const significance = Math.trunc(digits);
  const n = sorted.length;
  if (significance < 1 || n === 0) return cellErrors.num;
  if (x < (sorted[0] as number) || x > (sorted[n - 1] as number)) return cellErrors.na;
  if (n === 1 && !exclusive) return 1;
  const below = countBelow(sorted, x);
  let place = below;
  const at = sorted[below] as number;
  if (at !== x) {
    const previous = sorted[below - 1] as number;
    place = below - 1 + (x - previous) / (at - previous);
  }
  return cutDigits(exclusive ? (place + 1) / (n + 1) : place / (n - 1), significance);
}

/**
 * Returns the rank of x in the list (`place`) and how many values equal x (`same`). The largest value has rank 1, or
 * the smallest if `order` is given and not 0. Throws #N/A if x is not in the list.
 */
function rankOf(call: CallContext, x: number, list: Value, order: number | undefined): { place: number; same: number } {
  let same = 0;
  let smaller = 0;
  let seen = 0;
  const error = eachNumber([list], (value) => {
    seen++;
    if (value === x) same++;
    else if (value < x) smaller++;
  });
  if (error) throw error;
  call.budget.spend(seen);
  if (same === 0) throw cellErrors.na;
  const before = order !== undefined && order !== 0 ? smaller : seen - same - smaller;
  return { place: before + 1, same };
}

/**
 * Returns the numbers among the bins of FREQUENCY. Errors among the bins are skipped like text, unlike errors in the
 * data.
 */
function binsOf(bins: Value): number[] {
  const list: number[] = [];
  if (isGrid(bins)) bins.eachFilled((value) => void (typeof value === 'number' && list.push(value)));
  else return numbersFrom([bins]);
  return list;
}

/**
 * Counts the values per bin of FREQUENCY; a bin is given by its upper limit. The counts have the order of the bins, and
 * the last count is for values above all bins. Of equal bins, the first one gets all values.
 */
function frequencies(data: readonly number[], bins: readonly number[]): Matrix {
  const counts = Array.from({ length: bins.length + 1 }, () => 0);
  const order = bins.map((_bin, index) => index).toSorted((a, b) => (bins[a] as number) - (bins[b] as number) || a - b);
  const edges = Float64Array.from(order, (index) => bins[index] as number);
  for (const value of data) {
    const bin = order[countBelow(edges, value)] ?? bins.length;
    counts[bin] = (counts[bin] as number) + 1;
  }
  return Matrix.column(counts);
}

export const orderStatisticFunctions: readonly Definition[] = [
  define('LARGE', 'value number', (call, list, k) => {
    const sorted = sortedNumbers(call, list);
    return sorted[sorted.length - nth(sorted.length, k)] as number;
  }),
  define('SMALL', 'value number', (call, list, k) => {
    const sorted = sortedNumbers(call, list);
    return sorted[nth(sorted.length, k) - 1] as number;
  }),
  define('PERCENTILE.INC', 'value number', (call, list, k) => percentileInclusive(sortedNumbers(call, list), k), {
    aliases: ['PERCENTILE'],
  }),
  define('PERCENTILE.EXC', 'value number', (call, list, k) => percentileExclusive(sortedNumbers(call, list), k)),
  define(
    'QUARTILE.INC',
    'value number',
    (call, list, k) => percentileInclusive(sortedNumbers(call, list), quarter(k)),
    { aliases: ['QUARTILE'] },
  ),
  define('QUARTILE.EXC', 'value number', (call, list, k) => percentileExclusive(sortedNumbers(call, list), quarter(k))),
  define(
    'PERCENTRANK.INC',
    'value number number?',
    (call, list, x, digits = 3) => percentRank(sortedNumbers(call, list), x, digits, false),
    { aliases: ['PERCENTRANK'] },
  ),
  define('PERCENTRANK.EXC', 'value number number?', (call, list, x, digits = 3) =>
    percentRank(sortedNumbers(call, list), x, digits, true),
  ),
  define('RANK.EQ', 'number value number?', (call, x, list, order) => rankOf(call, x, list, order).place, {
    aliases: ['RANK'],
  }),
  define('RANK.AVG', 'number value number?', (call, x, list, order) => {
    const { place, same } = rankOf(call, x, list, order);
    return place + (same - 1) / 2;
  }),
  define('FREQUENCY', 'value value', (_call, data, bins) => frequencies(numbersFrom([data]), binsOf(bins))),
];
