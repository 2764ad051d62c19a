import { CellError, cellErrors, RangeRef, RefUnion, type Grid, type Scalar, type Value } from '../../base/values.ts';
import type { CallContext } from '../call-context.ts';
import { define, type Definition } from '../define.ts';

/** SUBTOTAL and AGGREGATE: one of nineteen statistics, with some cells left out. */

interface Omit {
  hiddenByHand: boolean;
  hidden: boolean;
  errors: boolean;
  nested: boolean;
}

interface CollectedNumbers {
  numbers: number[];
  filled: number;
  error: CellError | undefined;
}

function collectNumbers(call: CallContext, areas: readonly Grid[], omit: Omit): CollectedNumbers {
  const result: CollectedNumbers = { numbers: [], filled: 0, error: undefined };
  for (const area of areas) {
    const ref = area instanceof RangeRef ? area : undefined;
    let knownRow = -1;
    let rowHidden = false;
    area.eachFilled((value, row, col) => {
      if (ref !== undefined) {
        if (omit.hidden) {
          if (row !== knownRow) {
            knownRow = row;
            rowHidden = call.isRowHidden(ref.sheet, ref.top + row, omit.hiddenByHand);
          }
          if (rowHidden) return;
        }
        if (omit.nested && call.isSubtotal(ref.sheet, ref.top + row, ref.left + col)) return;
      }
      if (value instanceof CellError) {
        if (omit.errors) return;
        result.error ??= value;
      } else if (typeof value === 'number') result.numbers.push(value);
      result.filled++;
    });
  }
  return result;
}

function total(list: readonly number[]): number {
  let sum = 0;
  for (const item of list) sum += item;
  return sum;
}

function variance(list: readonly number[], taken: number): number | CellError {
  const below = list.length - taken;
  if (below <= 0) return cellErrors.div0;
  const mean = total(list) / list.length;
  let squares = 0;
  for (const item of list) squares += (item - mean) ** 2;
  return squares / below;
}

function rooted(value: number | CellError): number | CellError {
  return value instanceof CellError ? value : Math.sqrt(value);
}

function sorted(list: readonly number[]): Float64Array {
  return Float64Array.from(list).toSorted();
}

/** Value at a fractional zero-based position of the sorted list, by linear interpolation. */
function between(ordered: Float64Array, place: number): number {
  const below = Math.floor(place);
  const low = ordered[below] as number;
  const high = ordered[Math.min(below + 1, ordered.length - 1)] as number;
  return low + (high - low) * (place - below);
}

function median(list: readonly number[]): number | CellError {
  return list.length === 0 ? cellErrors.num : between(sorted(list), (list.length - 1) / 2);
}

function mode(list: readonly number[]): number | CellError {
  const counts = new Map<number, number>();
  let most = 1;
  for (const item of list) {
    const count = (counts.get(item) ?? 0) + 1;
    counts.set(item, count);
    if (count > most) most = count;
  }
  if (most > 1) for (const [item, count] of counts) if (count === most) return item;
  return cellErrors.na;
}

function ranked(list: readonly number[], k: number, largest: boolean): number | CellError {
  const place = Math.ceil(k);
  if (!(place >= 1 && place <= list.length)) return cellErrors.num;
  const ordered = sorted(list);
  return ordered[largest ? list.length - place : place - 1] as number;
}

function percentile(list: readonly number[], k: number): number | CellError {
  if (list.length === 0 || !(k >= 0 && k <= 1)) return cellErrors.num;
  return between(sorted(list), k * (list.length - 1));
}

function percentileExclusive(list: readonly number[], k: number): number | CellError {
  const place = k * (list.length + 1);
  if (!(k > 0 && k < 1) || place < 1 || place > list.length) return cellErrors.num;
  return between(sorted(list), place - 1);
}

type Statistic = (list: readonly number[], gathered: CollectedNumbers) => number | CellError;

const statistics: readonly Statistic[] = [
  (list) => (list.length === 0 ? cellErrors.div0 : total(list) / list.length),
  (list) => list.length,
  (_list, gathered) => gathered.filled,
  (list) => list.reduce((a, b) => Math.max(a, b), list.length === 0 ? 0 : -Infinity),
  (list) => list.reduce((a, b) => Math.min(a, b), list.length === 0 ? 0 : Infinity),
  (list) => (list.length === 0 ? 0 : list.reduce((a, b) => a * b, 1)),
  (list) => rooted(variance(list, 1)),
  (list) => rooted(variance(list, 0)),
  total,
  (list) => variance(list, 1),
  (list) => variance(list, 0),
  median,
  mode,
];

const rankedStatistics: readonly ((list: readonly number[], k: number) => number | CellError)[] = [
  (list, k) => ranked(list, k, true),
  (list, k) => ranked(list, k, false),
  percentile,
  (list, k) => (Math.trunc(k) < 0 || Math.trunc(k) > 4 ? cellErrors.num : percentile(list, Math.trunc(k) / 4)),
  percentileExclusive,
  (list, k) => (Math.trunc(k) < 1 || Math.trunc(k) > 3 ? cellErrors.num : percentileExclusive(list, Math.trunc(k) / 4)),
];

const countNumber = 2;
const countaNumber = 3;

function statistic(code: number, gathered: CollectedNumbers): number | CellError {
  const counts = code === countNumber || code === countaNumber;
  if (gathered.error && !counts) return gathered.error;
  return (statistics[code - 1] as Statistic)(gathered.numbers, gathered);
}

function areasOf(args: readonly Value[]): Grid[] | undefined {
  const areas: Grid[] = [];
  for (const arg of args) {
    if (arg instanceof RangeRef) areas.push(arg);
    else if (arg instanceof RefUnion) areas.push(...arg.areas);
    else return undefined;
  }
  return areas;
}

function aggregate(call: CallContext, code: number, option: number, grids: readonly Grid[]): Scalar {
  const form = Math.trunc(code);
  const choice = Math.trunc(option);
  if (form < 1 || form > 19 || choice < 0 || choice > 7) return cellErrors.value;
  const hidden = choice % 2 === 1;
  const omit: Omit = { hidden, hiddenByHand: hidden, errors: (choice & 2) !== 0, nested: choice < 4 };
  if (form <= statistics.length) {
    if (!grids.every((grid) => grid instanceof RangeRef)) return cellErrors.value;
    return statistic(form, collectNumbers(call, grids, omit));
  }
  const [list, rank] = grids;
  if (list === undefined || rank === undefined || grids.length > 2) return cellErrors.value;
  const k = rank.at(0, 0);
  if (k instanceof CellError) return k;
  if (typeof k === 'string') return cellErrors.value;
  const gathered = collectNumbers(call, [list], omit);
  if (gathered.error) return gathered.error;
  const compute = rankedStatistics[form - 14] as (items: readonly number[], k: number) => number | CellError;
  return compute(gathered.numbers, Number(k));
}

export const subtotalFunctions: readonly Definition[] = [
  define('SUBTOTAL', 'number ref...', (call, code, ...refs) => {
    const form = Math.trunc(code);
    const base = form > 100 ? form - 100 : form;
    if (base < 1 || base > 11) return cellErrors.value;
    const omit: Omit = { hidden: true, hiddenByHand: form > 100, errors: false, nested: true };
    return statistic(base, collectNumbers(call, areasOf(refs) ?? [], omit));
  }),
  define('AGGREGATE', 'number number array...', (call, code, option, ...grids) => aggregate(call, code, option, grids)),
];
