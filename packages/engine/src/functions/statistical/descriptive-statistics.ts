import { eachNumber, eachNumberA } from '../numeric-arguments.ts';
import { CellError, cellErrors, RangeRef, type Grid, type Value } from '../../base/values.ts';

/**
 * Returns the numbers in the arguments; text, booleans and blanks in cells and arrays are ignored. Throws the first
 * error value found among them.
 */
export function numbersFrom(args: readonly Value[]): number[] {
  const list: number[] = [];
  const error = eachNumber(args, (value) => list.push(value));
  if (error) throw error;
  return list;
}

/**
 * Returns the numbers in the arguments; cells with TRUE count as 1, FALSE and text as 0. Throws the first error value
 * found among them.
 */
export function numbersFromA(args: readonly Value[]): number[] {
  const list: number[] = [];
  const error = eachNumberA(args, (value) => list.push(value));
  if (error) throw error;
  return list;
}

export function ascending(list: readonly number[]): Float64Array {
  return Float64Array.from(list).toSorted();
}

export function mean(list: readonly number[]): number {
  return sum(list) / list.length;
}

export function sum(list: readonly number[]): number {
  let total = 0;
  for (const value of list) total += value;
  return total;
}

/**
 * Returns the sum of squared deviations from the mean. Two passes keep the precision of large values with a small
 * spread.
 */
export function squaredDeviations(list: readonly number[]): number {
  const center = mean(list);
  let total = 0;
  let drift = 0;
  for (const value of list) {
    const distance = value - center;
    total += distance * distance;
    drift += distance;
  }
  return total - (drift * drift) / list.length;
}

export function sampleVariance(list: readonly number[]): number {
  if (list.length < 2) throw cellErrors.div0;
  return squaredDeviations(list) / (list.length - 1);
}

export function populationVariance(list: readonly number[]): number {
  if (list.length < 1) throw cellErrors.div0;
  return squaredDeviations(list) / list.length;
}

export interface Pairs {
  readonly x: number[];
  readonly y: number[];
}

/**
 * Returns the numbers of two grids as pairs, by position. Positions where not both grids have a number are ignored.
 * Throws #N/A if the grids differ in their number of cells, otherwise the first error value found.
 */
export function pairsOf(xs: Grid, ys: Grid): Pairs {
  if (xs.rows * xs.cols !== ys.rows * ys.cols) throw cellErrors.na;
  const x: number[] = [];
  const y: number[] = [];
  const sameShape = xs.cols === ys.cols;
  xs.eachFilled((value, row, col) => {
    if (value instanceof CellError) throw value;
    if (typeof value !== 'number') return;
    const index = row * xs.cols + col;
    const other = sameShape ? ys.at(row, col) : ys.at(Math.floor(index / ys.cols), index % ys.cols);
    if (typeof other !== 'number') return;
    x.push(value);
    y.push(other);
  });
  ys.eachFilled((value) => {
    if (value instanceof CellError) throw value;
  });
  return { x, y };
}

export interface Moments {
  readonly count: number;
  readonly meanX: number;
  readonly meanY: number;
  /** Sums of products of the deviations of x and y from their means. */
  readonly sxx: number;
  readonly syy: number;
  readonly sxy: number;
}

export function momentsOf({ x, y }: Pairs): Moments {
  const count = x.length;
  const meanX = mean(x);
  const meanY = mean(y);
  let sxx = 0;
  let syy = 0;
  let sxy = 0;
  for (let i = 0; i < count; i++) {
    const dx = (x[i] as number) - meanX;
    const dy = (y[i] as number) - meanY;
    sxx += dx * dx;
    syy += dy * dy;
    sxy += dx * dy;
  }
  return { count, meanX, meanY, sxx, syy, sxy };
}

/** Returns whether an optional argument is omitted or left empty. */
export function isMissing(grid: Grid | undefined): grid is undefined {
  if (grid === undefined) return true;
  return !(grid instanceof RangeRef) && grid.rows === 1 && grid.cols === 1 && grid.at(0, 0) === null;
}
