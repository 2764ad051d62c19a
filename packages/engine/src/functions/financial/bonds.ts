import { charge } from '../../base/budget.ts';
import { toLogical } from '../../base/coerce.ts';
import { CellError, cellErrors, type Scalar } from '../../base/values.ts';
import { basisOf, dayCount, yearFraction, type Basis } from '../date/day-count.ts';
import { define, type Definition } from '../define.ts';
import { strictNumber, strictOr } from '../toolpak-arguments.ts';
import { solveYield } from './solve-yield.ts';
import {
  dayOf,
  daysBefore,
  frequencyOf,
  periodAt,
  periodLength,
  periodsBetween,
  type Frequency,
} from './coupon-schedule.ts';

interface Bond {
  /** Interest per period for a face value of 100. */
  interest: number;
  redemption: number;
  frequency: Frequency;
  /** Number of remaining payments. */
  count: number;
  /** Elapsed and remaining fractions of the current interest period. */
  past: number;
  ahead: number;
}

function bondOf(
  settlement: number,
  maturity: number,
  rate: number,
  redemption: number,
  frequency: Frequency,
  basis: Basis,
): Bond {
  const period = periodAt(settlement, maturity, frequency);
  const length = periodLength(period, frequency, basis);
  const past = daysBefore(period, settlement, basis) / length;
  return { interest: (100 * rate) / frequency, redemption, frequency, count: period.back + 1, past, ahead: 1 - past };
}

function priceOf(bond: Bond, yearly: number): number {
  const { interest, redemption, count, past, ahead } = bond;
  const rate = yearly / bond.frequency;
  if (count === 1) return (redemption + interest) / (1 + rate * ahead) - interest * past;
  const factor = 1 + rate;
  let payments = 0;
  charge(count * 2);
  for (let k = 0; k < count; k++) payments += factor ** -(k + ahead);
  return redemption * factor ** -(count - 1 + ahead) + interest * payments - interest * past;
}

function yieldOf(bond: Bond, price: number): number {
  const { interest, redemption, frequency, count, past, ahead } = bond;
  if (count === 1) {
    const paid = price + interest * past;
    return (((redemption + interest - paid) / paid) * frequency) / ahead;
  }
  return solveYield(price, (rate) => priceOf(bond, rate), (interest * frequency) / 100 || 0.05, frequency);
}

/** Returns the Macaulay duration in years. */
function durationOf(bond: Bond, yearly: number): number {
  const factor = 1 + yearly / bond.frequency;
  let weighted = 0;
  let total = 0;
  charge(bond.count * 2);
  for (let k = 0; k < bond.count; k++) {
    const time = k + bond.ahead;
    const amount = (bond.interest + (k === bond.count - 1 ? 100 : 0)) * factor ** -time;
    weighted += time * amount;
    total += amount;
  }
  return weighted / total / bond.frequency;
}

function priced(name: string, compute: (bond: Bond, given: number) => number): Definition {
  const isYield = name === 'YIELD';
  return define(
    name,
    'any any any any any any any?',
    (_call, settled, matures, coupon, given, redeemed, times, basis) => {
      const [settlement, maturity] = [dayOf(settled), dayOf(matures)];
      const [rate, value, redemption] = [strictNumber(coupon), strictNumber(given), strictNumber(redeemed)];
      const frequency = frequencyOf(times);
      const kind = basisOf(strictOr(basis, 0));
      if (settlement >= maturity || rate < 0 || redemption <= 0) return cellErrors.num;
      if (isYield ? value <= 0 : value < 0) return cellErrors.num;
      return compute(bondOf(settlement, maturity, rate, redemption, frequency, kind), value);
    },
  );
}

function lasting(name: string, compute: (bond: Bond, yearly: number) => number): Definition {
  return define(name, 'any any any any any any?', (_call, settled, matures, coupon, yearly, times, basis) => {
    const [settlement, maturity] = [dayOf(settled), dayOf(matures)];
    const [rate, given] = [strictNumber(coupon), strictNumber(yearly)];
    const frequency = frequencyOf(times);
    const kind = basisOf(strictOr(basis, 0));
    if (settlement >= maturity || rate < 0 || given < 0) return cellErrors.num;
    return compute(bondOf(settlement, maturity, rate, 100, frequency, kind), given);
  });
}

/**
 * Returns the number of interest periods for which a bond has accrued interest at `settlement`, for ACCRINT. The
 * periods are counted from `issue`; `first` is the date of the first payment. If `whole` is false, whole periods before
 * the one that ends on `first` are not counted.
 */
function accrued(
  issue: number,
  first: number,
  settlement: number,
  frequency: Frequency,
  basis: Basis,
  whole: boolean,
): number {
  const last = periodAt(first - 1, first, frequency);
  const length = periodLength(last, frequency, basis);
  if (whole && settlement > first) {
    // If `settlement` is a payment date, `running` is the period that ends on this date, not the one that begins.
    const running = periodAt(settlement - 1, first, frequency);
    const begun = periodsBetween(issue, first, first, frequency, basis);
    return begun - running.back - 1 + dayCount(running.from, settlement, basis) / length;
  }
  if (issue >= last.from) return dayCount(issue, settlement, basis) / length;
  const own = periodAt(issue, first, frequency);
  const full = own.from === issue;
  const begun = full ? 0 : dayCount(issue, own.to, basis) / periodLength(own, frequency, basis);
  const between = whole ? own.back - 1 + (full ? 1 : 0) : 0;
  return begun + between + dayCount(last.from, settlement, basis) / length;
}

function fromIssue(method: Scalar | undefined): boolean {
  const flag = method === undefined || method === null ? true : toLogical(method);
  if (flag instanceof CellError) throw flag;
  return flag;
}

const faceValue = 1000;

export const bondFunctions: readonly Definition[] = [
  priced('PRICE', priceOf),
  priced('YIELD', yieldOf),
  lasting('DURATION', durationOf),
  lasting('MDURATION', (bond, yearly) => durationOf(bond, yearly) / (1 + yearly / bond.frequency)),
  define(
    'ACCRINT',
    'any any any any any any any? any?',
    (_call, issued, firstPaid, settled, coupon, face, times, basis, method) => {
      const [issue, first, settlement] = [dayOf(issued), dayOf(firstPaid), dayOf(settled)];
      const [rate, par] = [strictNumber(coupon), face === null ? faceValue : strictNumber(face)];
      const frequency = frequencyOf(times);
      const kind = basisOf(strictOr(basis, 0));
      if (rate <= 0 || par <= 0 || issue >= settlement) return cellErrors.num;
      return ((par * rate) / frequency) * accrued(issue, first, settlement, frequency, kind, fromIssue(method));
    },
  ),
  define('ACCRINTM', 'any any any any any?', (_call, issued, settled, coupon, face, basis) => {
    const [issue, settlement] = [dayOf(issued), dayOf(settled)];
    const [rate, par] = [strictNumber(coupon), face === null ? faceValue : strictNumber(face)];
    const kind = basisOf(strictOr(basis, 0));
    if (rate <= 0 || par <= 0 || issue >= settlement) return cellErrors.num;
    return par * rate * yearFraction(issue, settlement, kind);
  }),
];
