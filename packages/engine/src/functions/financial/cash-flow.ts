import { toNumber } from '../../base/coerce.ts';
import {
  CellError,
  cellErrors,
  Lambda,
  RangeRef,
  RefUnion,
  isGrid,
  type Grid,
  type Scalar,
  type Value,
} from '../../base/values.ts';
import { define, type Definition } from '../define.ts';
import { eachNumber, numbersOf } from '../numeric-arguments.ts';
import { strictNumber } from '../toolpak-arguments.ts';

/**
 * Estimated number of passes over the list of payments that the search for a rate (IRR, XIRR) needs. The calculation
 * budget is charged by this estimate.
 */
const searchCost = 100;

function hasBothSigns(flows: readonly number[]): boolean {
  return flows.some((flow) => flow > 0) && flows.some((flow) => flow < 0);
}

function presentValue(rate: number, flows: readonly number[]): number {
  let total = 0;
  for (let i = flows.length - 1; i >= 0; i--) total = total / (1 + rate) + (flows[i] as number);
  return total;
}

/**
 * Solves for a rate at which `value` is 0. Tries Newton's method from the guess first, like Excel; then searches for
 * the sign change nearest to the guess.
 */
function solveRate(value: (rate: number) => number, guess: number): number | CellError {
  let rate = guess;
  for (let step = 0; step < 60; step++) {
    const width = 1e-6 * Math.max(Math.abs(1 + rate), 1e-3);
    const slope = (value(rate + width) - value(rate - width)) / (2 * width);
    const next = rate - value(rate) / slope;
    if (!Number.isFinite(next) || next <= -1) break;
    if (Math.abs(next - rate) <= 1e-12 * Math.max(1, Math.abs(next))) return next;
    rate = next;
  }
  return bracketedRate(value, guess);
}

function bracketedRate(value: (rate: number) => number, guess: number): number | CellError {
  const around = Math.log(1 + guess);
  const signOf = (x: number): number => Math.sign(value(Math.exp(x) - 1));
  const start = signOf(around);
  const step = 0.05;
  for (let i = 1; i <= 400; i++) {
    for (const side of [1, -1]) {
      const x = around + side * i * step;
      const sign = signOf(x);
      if (Number.isNaN(sign) || sign === start) continue;
      return bisect(value, x - side * step, x);
    }
  }
  return cellErrors.num;
}

function bisect(value: (rate: number) => number, a: number, b: number): number {
  let [low, high] = [a, b];
  const sign = Math.sign(value(Math.exp(low) - 1));
  for (let i = 0; i < 100; i++) {
    const middle = (low + high) / 2;
    if (Math.sign(value(Math.exp(middle) - 1)) === sign) low = middle;
    else high = middle;
  }
  return Math.exp((low + high) / 2) - 1;
}

function irr(flows: readonly number[], guess: number): number | CellError {
  if (!hasBothSigns(flows)) return cellErrors.num;
  if (guess <= -1) return cellErrors.value;
  return solveRate((rate) => presentValue(rate, flows), guess);
}

function mirr(flows: readonly number[], finance: number, reinvest: number): number | CellError {
  const last = flows.length - 1;
  let gained = 0;
  let paid = 0;
  flows.forEach((flow, i) => {
    if (flow > 0) gained += flow * (1 + reinvest) ** (last - i);
    else if (flow < 0) paid -= flow * (1 + finance) ** -i;
  });
  if (paid === 0 || last === 0) return cellErrors.div0;
  const ratio = gained / paid;
  return ratio < 0 ? cellErrors.num : ratio ** (1 / last) - 1;
}

/**
 * Returns the values of a range or array row by row. With `blanks`, blank cells count as 0; otherwise they are omitted.
 */
function listOf(grid: Grid, blanks: boolean): Scalar[] {
  const list: Scalar[] = [];
  const held = grid instanceof RangeRef ? grid.trimmed() : grid;
  if (!blanks) {
    held.eachFilled((value) => void list.push(value));
    return list;
  }
  for (let row = 0; row < held.rows; row++) {
    for (let col = 0; col < held.cols; col++) list.push(held.at(row, col) ?? 0);
  }
  return list;
}

interface Dated {
  flows: number[];
  days: number[];
}

/**
 * Pairs payments with dates, as days since the first date. Throws #NUM! if there are no payments, if the numbers of
 * payments and dates differ, or if a date is before the first one. With `strict` (used by XIRR), blanks count as 0, and
 * texts and booleans are errors. Otherwise, blanks, texts and booleans are ignored.
 */
function datedFlows(values: Grid, dates: Grid, strict: boolean): Dated {
  const flows = numeric(listOf(values, strict), strict);
  const days = numeric(listOf(dates, strict), strict).map(Math.trunc);
  if (flows.length !== days.length || flows.length === 0) throw cellErrors.num;
  const first = days[0] as number;
  if (days.some((day) => day < first || day < 0)) throw cellErrors.num;
  return { flows, days: days.map((day) => day - first) };
}

/**
 * Returns only the numbers. Throws the first error among the values; with `strict`, throws #VALUE! for any other value.
 */
function numeric(list: readonly Scalar[], strict: boolean): number[] {
  const numbers: number[] = [];
  for (const item of list) {
    if (item instanceof CellError) throw item;
    if (typeof item === 'number') numbers.push(item);
    else if (strict) throw cellErrors.value;
  }
  return numbers;
}

function datedValue(rate: number, { flows, days }: Dated): number {
  let total = 0;
  for (let i = 0; i < flows.length; i++) total += (flows[i] as number) / (1 + rate) ** ((days[i] as number) / 365);
  return total;
}

/** Returns the payments of NPV. Single values among the arguments are converted as in SUM. */
function npvFlows(args: readonly Value[]): number[] | CellError {
  const flows: number[] = [];
  for (const arg of args) {
    if (isGrid(arg) || arg instanceof RefUnion || arg instanceof Lambda) {
      const error = eachNumber([arg], (flow) => flows.push(flow));
      if (error) return error;
    } else {
      const flow = toNumber(arg);
      if (flow instanceof CellError) return flow;
      // An argument left empty between commas is not a payment.
      if (arg !== null) flows.push(flow);
    }
  }
  return flows;
}

export const cashFlowFunctions: readonly Definition[] = [
  define('NPV', 'number value...', (_call, rate, ...args) => {
    const flows = npvFlows(args);
    if (flows instanceof CellError) return flows;
    if (rate === -1) return cellErrors.div0;
    return presentValue(rate, [0, ...flows]);
  }),
  define('IRR', 'value number?', (call, values, guess = 0.1) => {
    const flows = numbersOf([values]);
    if (flows instanceof CellError) return flows;
    call.budget.spend(flows.length * searchCost);
    return irr(flows, guess);
  }),
  define('MIRR', 'value number number', (_call, values, finance, reinvest) => {
    const flows = numbersOf([values]);
    return flows instanceof CellError ? flows : mirr(flows, finance, reinvest);
  }),
  define('XNPV', 'any array array', (_call, rate, values, dates) => {
    const discount = strictNumber(rate);
    if (discount < 0) return cellErrors.num;
    return datedValue(discount, datedFlows(values, dates, false));
  }),
  define('XIRR', 'array array any?', (call, values, dates, guess) => {
    const dated = datedFlows(values, dates, true);
    call.budget.spend(dated.flows.length * searchCost);
    const start = guess === undefined || guess === null ? 0.1 : strictNumber(guess);
    if (!hasBothSigns(dated.flows) || start <= -1) return cellErrors.num;
    const rate = solveRate((x) => datedValue(x, dated), start);
    return typeof rate === 'number' && 1 + rate < 1e-9 ? cellErrors.num : rate;
  }),
  define('FVSCHEDULE', 'any array', (_call, principal, schedule) => {
    let value = strictNumber(principal);
    let failed: CellError | undefined;
    schedule.eachFilled((rate) => {
      if (typeof rate === 'number') value *= 1 + rate;
      else failed ??= rate instanceof CellError ? rate : cellErrors.value;
    });
    return failed ?? value;
  }),
];
