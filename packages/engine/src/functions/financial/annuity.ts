import { charge } from '../../base/budget.ts';
import { cellErrors, type CellError, type Scalar } from '../../base/values.ts';
import { define, type Definition } from '../define.ts';
import { strictNumber, strictWhole } from '../toolpak-arguments.ts';

/**
 * Converts the payment type to t in the annuity equation pv (1+r)^n + pmt (1+r t) ((1+r)^n - 1) / r + fv = 0. For
 * payments at the beginning of a period t is 1, for payments at its end 0.
 */
function due(type: number): 0 | 1 {
  return type === 0 ? 0 : 1;
}

/** Returns the future value of paying 1 per period: (1 + r t) ((1+r)^n - 1) / r. */
function growth(rate: number, periods: number, type: 0 | 1): number {
  if (rate === 0) return periods;
  // For tiny rates, `expm1` avoids the precision loss of (1 + r)^n - 1.
  const grown = Math.abs(rate) < 1e-4 ? Math.expm1(periods * Math.log1p(rate)) : (1 + rate) ** periods - 1;
  return ((1 + rate * type) * grown) / rate;
}

function payment(rate: number, periods: number, pv: number, fv: number, type: 0 | 1): number | CellError {
  if (periods === 0 || rate <= -1) return cellErrors.num;
  return -(pv * (1 + rate) ** periods + fv) / growth(rate, periods, type);
}

function futureValue(rate: number, periods: number, pmt: number, pv: number, type: 0 | 1): number | CellError {
  if (rate === -1 && periods < 0) return cellErrors.div0;
  if (rate === -1 && periods === 0) return cellErrors.num;
  return -(pv * (1 + rate) ** periods + pmt * growth(rate, periods, type));
}

function presentValue(rate: number, periods: number, pmt: number, fv: number, type: 0 | 1): number | CellError {
  if (rate === -1) return cellErrors.div0;
  return -(fv + pmt * growth(rate, periods, type)) / (1 + rate) ** periods;
}

function periodCount(rate: number, pmt: number, pv: number, fv: number, type: 0 | 1): number | CellError {
  if (rate === 0) return pmt === 0 ? cellErrors.num : -(pv + fv) / pmt;
  if (rate <= -1) return cellErrors.num;
  const level = (pmt * (1 + rate * type)) / rate;
  const ratio = (level - fv) / (level + pv);
  return ratio > 0 ? Math.log(ratio) / Math.log1p(rate) : cellErrors.num;
}

function interestPart(
  rate: number,
  period: number,
  periods: number,
  pv: number,
  fv: number,
  type: 0 | 1,
): number | CellError {
  if (period < 1 || period >= periods + 1) return cellErrors.num;
  const pmt = payment(rate, periods, pv, fv, type);
  if (typeof pmt !== 'number') return pmt;
  if (type === 1 && period === 1) return 0;
  const balance = futureValue(rate, period - 1 - type, pmt, pv, type);
  if (typeof balance !== 'number') return balance;
  return type === 1 ? (balance - pmt) * rate : balance * rate;
}

/**
 * Implements RATE: solves the annuity equation for the rate. It uses Newton's method from the guess, with a limited
 * number of steps. If that fails, it searches near the guess.
 */
function rateOf(periods: number, pmt: number, pv: number, fv: number, type: 0 | 1, guess: number): number | CellError {
  if (periods <= 0 || guess <= -1) return cellErrors.num;
  const value = (rate: number): number => pv * (1 + rate) ** periods + pmt * growth(rate, periods, type) + fv;
  let rate = guess;
  for (let step = 0; step < 150; step++) {
    charge(8);
    const here = value(rate);
    const width = Math.max(1e-7, Math.abs(rate) * 1e-7);
    const slope = (value(rate + width) - value(rate - width)) / (2 * width);
    // Near the minimum between two roots, the slope gives no direction, so the rate is increased.
    const next = Math.abs(slope) < 1e-9 ? rate * 1.1 + 0.01 : rate - here / slope;
    if (!Number.isFinite(next) || next <= -1) break;
    if (Math.abs(next - rate) < 1e-11) return Math.abs(next) < 1e-10 ? 0 : next;
    rate = next;
  }
  return rateNear(guess, value);
}

/**
 * Finds a rate near the guess at which `value` changes its sign, by trying rates at growing distances and then
 * bisecting. Returns #NUM! if there is none. Used when Newton's method finds no rate.
 */
function rateNear(guess: number, value: (rate: number) => number): number | CellError {
  const [step, reach] = [0.005, 45];
  const start = Math.sign(value(guess));
  for (let i = 1; i <= reach; i++) {
    charge(8);
    for (const side of [1, -1]) {
      let inner = (1 + guess) * Math.exp(side * step * (i - 1)) - 1;
      let outer = (1 + guess) * Math.exp(side * step * i) - 1;
      if (Math.sign(value(outer)) === start) continue;
      for (let k = 0; k < 60; k++) {
        const middle = (inner + outer) / 2;
        if (Math.sign(value(middle)) === start) inner = middle;
        else outer = middle;
      }
      return (inner + outer) / 2;
    }
  }
  return cellErrors.num;
}

interface Loan {
  rate: number;
  periods: number;
  pv: number;
  first: number;
  last: number;
  type: 0 | 1;
}

function loanOf(args: readonly [Scalar, Scalar, Scalar, Scalar, Scalar, Scalar]): Loan {
  const rate = strictNumber(args[0]);
  const periods = strictNumber(args[1]);
  const pv = strictNumber(args[2]);
  const [start, end] = [strictNumber(args[3]), strictNumber(args[4])];
  const type = strictNumber(args[5]);
  if (rate <= 0 || periods <= 0 || pv <= 0 || (type !== 0 && type !== 1)) throw cellErrors.num;
  if (start < 1 || end < 1 || start > end || end > periods) throw cellErrors.num;
  return { rate, periods, pv, first: Math.ceil(start), last: Math.floor(end), type };
}

/**
 * Returns the total interest and the total principal paid in periods `first` to `last`. They follow from the balances
 * before and after these periods, so that no loop over the periods is needed.
 */
function cumulated({ rate, periods, pv, first, last, type }: Loan): { interest: number; principal: number } {
  const pmt = payment(rate, periods, pv, 0, type) as number;
  const balanceAfter = (period: number): number =>
    // If payments are made in advance (`type` is 1), no interest accrues before the first payment.
    type === 0
      ? -(futureValue(rate, period, pmt, pv, 0) as number)
      : period === 0
        ? pv
        : -(futureValue(rate, period - 1, pmt, pv, 1) as number) + pmt;
  const principal = balanceAfter(last) - balanceAfter(first - 1);
  return { interest: pmt * (last - first + 1) - principal, principal };
}

export const annuityFunctions: readonly Definition[] = [
  define('PMT', 'number number number number? number?', (_call, rate, n, pv, fv = 0, type = 0) =>
    payment(rate, n, pv, fv, due(type)),
  ),
  define('FV', 'number number number number? number?', (_call, rate, n, pmt, pv = 0, type = 0) =>
    futureValue(rate, n, pmt, pv, due(type)),
  ),
  define('PV', 'number number number number? number?', (_call, rate, n, pmt, fv = 0, type = 0) =>
    presentValue(rate, n, pmt, fv, due(type)),
  ),
  define('NPER', 'number number number number? number?', (_call, rate, pmt, pv, fv = 0, type = 0) =>
    periodCount(rate, pmt, pv, fv, due(type)),
  ),
  define('RATE', 'number number number number? number? number?', (_call, n, pmt, pv, fv = 0, type = 0, guess = 0.1) =>
    rateOf(n, pmt, pv, fv, due(type), guess),
  ),
  define('IPMT', 'number number number number number? number?', (_call, rate, period, n, pv, fv = 0, type = 0) =>
    interestPart(rate, period, n, pv, fv, due(type)),
  ),
  define('PPMT', 'number number number number number? number?', (_call, rate, period, n, pv, fv = 0, type = 0) => {
    const interest = interestPart(rate, period, n, pv, fv, due(type));
    if (typeof interest !== 'number') return interest;
    const pmt = payment(rate, n, pv, fv, due(type));
    return typeof pmt === 'number' ? pmt - interest : pmt;
  }),
  define('CUMIPMT', 'any any any any any any', (_call, ...args) => cumulated(loanOf(args)).interest),
  define('CUMPRINC', 'any any any any any any', (_call, ...args) => cumulated(loanOf(args)).principal),
  define('ISPMT', 'number number number number', (_call, rate, period, n, pv) =>
    n === 0 ? cellErrors.div0 : pv * rate * (period / n - 1),
  ),
  define('PDURATION', 'number number number', (_call, rate, pv, fv) =>
    rate <= 0 || pv <= 0 || fv <= 0 ? cellErrors.num : Math.log(fv / pv) / Math.log1p(rate),
  ),
  define('RRI', 'number number number', (_call, n, pv, fv) =>
    n <= 0 || pv === 0 || fv / pv < 0 ? cellErrors.num : (fv / pv) ** (1 / n) - 1,
  ),
  define('EFFECT', 'any any', (_call, nominal, count) => {
    const [rate, times] = [strictNumber(nominal), strictWhole(count)];
    return rate <= 0 || times < 1 ? cellErrors.num : (1 + rate / times) ** times - 1;
  }),
  define('NOMINAL', 'any any', (_call, effective, count) => {
    const [rate, times] = [strictNumber(effective), strictWhole(count)];
    return rate <= 0 || times < 1 ? cellErrors.num : ((1 + rate) ** (1 / times) - 1) * times;
  }),
];
