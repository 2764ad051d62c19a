import { CellError, cellErrors, isGrid, RangeRef, RefUnion, type Grid, type Value } from '../../base/values.ts';
import { isMultiCell } from '../array-arguments.ts';
import type { CallContext } from '../call-context.ts';
import { define, type Definition } from '../define.ts';
import { modesOf } from '../statistical/averages.ts';
import { ascending, sum } from '../statistical/descriptive-statistics.ts';
import { interpolateAt, percentileExclusive, percentileInclusive } from '../statistical/order-statistics.ts';

/**
 * Which cells SUBTOTAL or AGGREGATE ignores: cells in rows hidden by a filter (`hidden`), also those in rows that the
 * user hid (`hiddenByHand`, only together with `hidden`), error values (`errors`), and cells whose formulas are
 * SUBTOTAL or AGGREGATE themselves (`nested`).
 */
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

function variance(list: readonly number[], taken: number): number | CellError {
  const below = list.length - taken;
  if (below <= 0) return cellErrors.div0;
  const mean = sum(list) / list.length;
  let squares = 0;
  for (const item of list) squares += (item - mean) ** 2;
  return squares / below;
}

function rooted(value: number | CellError): number | CellError {
  return value instanceof CellError ? value : Math.sqrt(value);
}

function median(list: readonly number[]): number | CellError {
  return list.length === 0 ? cellErrors.num : interpolateAt(ascending(list), (list.length - 1) / 2);
}

function ranked(ordered: Float64Array, k: number, largest: boolean): number | CellError {
  const place = Math.ceil(k);
  if (!(place >= 1 && place <= ordered.length)) return cellErrors.num;
  return ordered[largest ? ordered.length - place : place - 1] as number;
}

type Statistic = (list: readonly number[], gathered: CollectedNumbers) => number | CellError;

const statistics: readonly Statistic[] = [
  (list) => (list.length === 0 ? cellErrors.div0 : sum(list) / list.length),
  (list) => list.length,
  (_list, gathered) => gathered.filled,
  (list) => list.reduce((a, b) => Math.max(a, b), list.length === 0 ? 0 : -Infinity),
  (list) => list.reduce((a, b) => Math.min(a, b), list.length === 0 ? 0 : Infinity),
  (list) => (list.length === 0 ? 0 : list.reduce((a, b) => a * b, 1)),
  (list) => rooted(variance(list, 1)),
  (list) => rooted(variance(list, 0)),
  sum,
  (list) => variance(list, 1),
  (list) => variance(list, 0),
  median,
  (list) => modesOf(list)[0] ?? cellErrors.na,
];

const rankedStatistics: readonly ((ordered: Float64Array, k: number) => number | CellError)[] = [
  (ordered, k) => ranked(ordered, k, true),
  (ordered, k) => ranked(ordered, k, false),
  (ordered, k) => percentileInclusive(ordered, k),
  (ordered, k) =>
    Math.trunc(k) < 0 || Math.trunc(k) > 4 ? cellErrors.num : percentileInclusive(ordered, Math.trunc(k) / 4),
  (ordered, k) => percentileExclusive(ordered, k),
  (ordered, k) =>
    Math.trunc(k) < 1 || Math.trunc(k) > 3 ? cellErrors.num : percentileExclusive(ordered, Math.trunc(k) / 4),
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

function aggregate(call: CallContext, code: number, option: number, grids: readonly Grid[]): Value {
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
  if (list === undefined || !isGrid(rank) || grids.length > 2) return cellErrors.value;
  const gathered = collectNumbers(call, [list], omit);
  const ordered = ascending(gathered.numbers);
  const first = rank.at(0, 0);
  const compute = rankedStatistics[form - 14] as (ordered: Float64Array, k: number) => number | CellError;
  return call.broadcast([isMultiCell(rank) ? rank : first], (k) => {
    if (k instanceof CellError) return k;
    if (typeof k === 'string') return cellErrors.value;
    return gathered.error ?? compute(ordered, Number(k));
  });
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
