import { CellError, cellErrors, Lambda, Matrix, RefUnion, isGrid, type Grid, type Value } from '../../base/values.ts';
import { toNumber } from '../../base/coerce.ts';
import { define, type Definition } from '../define.ts';
import { ascending, mean, numbersFrom, numbersFromA } from './descriptive-statistics.ts';

interface Summary {
  sum: number;
  count: number;
  min: number;
  max: number;
}

/**
 * Returns sum, count, minimum and maximum of the numbers in the arguments. For large ranges, it uses totals that are
 * cached per range. Throws the first error value found.
 */
function summaryOf(args: readonly Value[]): Summary {
  const all: Summary = { sum: 0, count: 0, min: Infinity, max: -Infinity };
  for (const arg of args) {
    if (arg instanceof Lambda) throw cellErrors.calc;
    if (isGrid(arg)) addTotals(all, arg);
    else if (arg instanceof RefUnion) for (const area of arg.areas) addTotals(all, area);
    else {
      const value = toNumber(arg);
      if (value instanceof CellError) throw value;
      addNumber(all, value);
    }
  }
  return all;
}

function addNumber(all: Summary, value: number): void {
  all.sum += value;
  all.count++;
  if (value < all.min) all.min = value;
  if (value > all.max) all.max = value;
}

/**
 * Ranges with several columns are summed row by row, as in Excel, if they have at most this many cells. The order of
 * the additions affects the last digits of the sum.
 */
const shortList = 2048;

function addTotals(all: Summary, grid: Grid): void {
  if (grid.cols > 1 && grid.rows * grid.cols <= shortList) {
    grid.eachFilled((value) => {
      if (value instanceof CellError) throw value;
      if (typeof value === 'number') addNumber(all, value);
    });
    return;
  }
  const totals = grid.totals();
  if (totals.error !== null) throw totals.error;
  all.sum += totals.sum;
  all.count += totals.count;
  if (totals.count === 0) return;
  if (totals.min < all.min) all.min = totals.min;
  if (totals.max > all.max) all.max = totals.max;
}

function averageOf(sum: number, count: number): number | CellError {
  return count === 0 ? cellErrors.div0 : sum / count;
}

function medianOf(list: number[]): number | CellError {
  if (list.length === 0) return cellErrors.num;
  const sorted = ascending(list);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}

/** Returns the most frequent numbers in order of appearance. Throws #N/A if no number occurs twice. */
export function modesOf(list: readonly number[]): number[] {
  const counts = new Map<number, number>();
  let most = 1;
  for (const value of list) {
    const count = (counts.get(value) ?? 0) + 1;
    counts.set(value, count);
    if (count > most) most = count;
  }
  if (most < 2) throw cellErrors.na;
  const modes: number[] = [];
  for (const [value, count] of counts) if (count === most) modes.push(value);
  return modes;
}

function geometricMean(list: readonly number[]): number | CellError {
  if (list.length === 0) return cellErrors.num;
  let logs = 0;
  for (const value of list) {
    if (value <= 0) return cellErrors.num;
    logs += Math.log(value);
  }
  return Math.exp(logs / list.length);
}

function harmonicMean(list: readonly number[]): number | CellError {
  if (list.length === 0) return cellErrors.na;
  let inverses = 0;
  for (const value of list) {
    if (value <= 0) return cellErrors.num;
    inverses += 1 / value;
  }
  return list.length / inverses;
}

function trimmedMean(list: number[], share: number): number | CellError {
  if (share < 0 || share >= 1 || list.length === 0) return cellErrors.num;
  const cut = Math.floor((list.length * share) / 2 + 1e-12);
  return mean([...ascending(list).subarray(cut, list.length - cut)]);
}

function extreme(list: readonly number[], pick: (a: number, b: number) => number): number {
  let best = list[0] ?? 0;
  for (const value of list) best = pick(best, value);
  return best;
}

export const averageFunctions: readonly Definition[] = [
  define('AVERAGE', 'value...', (_call, ...args) => {
    const { sum, count } = summaryOf(args);
    return averageOf(sum, count);
  }),
  define('AVERAGEA', 'value...', (_call, ...args) => {
    const list = numbersFromA(args);
    return list.length === 0 ? cellErrors.div0 : mean(list);
  }),
  define('MAX', 'value...', (_call, ...args) => {
    const { count, max } = summaryOf(args);
    return count === 0 ? 0 : max;
  }),
  define('MIN', 'value...', (_call, ...args) => {
    const { count, min } = summaryOf(args);
    return count === 0 ? 0 : min;
  }),
  define('MAXA', 'value...', (_call, ...args) => extreme(numbersFromA(args), Math.max)),
  define('MINA', 'value...', (_call, ...args) => extreme(numbersFromA(args), Math.min)),
  define('MEDIAN', 'value...', (_call, ...args) => medianOf(numbersFrom(args))),
  define('MODE.SNGL', 'value...', (_call, ...args) => modesOf(numbersFrom(args))[0] ?? cellErrors.na, {
    aliases: ['MODE'],
  }),
  define('MODE.MULT', 'value...', (_call, ...args) => Matrix.column(modesOf(numbersFrom(args)))),
  define('GEOMEAN', 'value...', (_call, ...args) => geometricMean(numbersFrom(args))),
  define('HARMEAN', 'value...', (_call, ...args) => harmonicMean(numbersFrom(args))),
  define('TRIMMEAN', 'value number', (_call, list, share) => trimmedMean(numbersFrom([list]), share)),
];
