import { charge } from '../../base/budget.ts';
import { cellErrors } from '../../base/values.ts';
import { basisOf, type Basis } from '../date/day-count.ts';
import { define, type Definition } from '../define.ts';
import { strictNumber, strictOr } from '../toolpak-arguments.ts';
import { solveYield } from './solve-yield.ts';
import {
  dayOf,
  daysAfter,
  frequencyOf,
  periodAt,
  periodLength,
  periodsBetween,
  type Frequency,
  type CouponPeriod,
} from './coupon-schedule.ts';

/** A bond whose first interest period is shorter or longer than the others. */
interface OddFirst {
  interest: number;
  redemption: number;
  frequency: Frequency;
  /** Periods from settlement to the first payment. */
  wait: number;
  /** Size of the first payment, as a multiple of a regular payment. */
  firstSize: number;
  /** Interest accrued from the issue to the settlement, as a multiple of a regular payment. */
  accrued: number;
  /** Number of regular payments after the first. */
  count: number;
}

function oddFirstOf(
  settlement: number,
  maturity: number,
  issue: number,
  first: number,
  rate: number,
  redemption: number,
  frequency: Frequency,
  basis: Basis,
): OddFirst {
  const period = periodAt(settlement, first, frequency);
  const ahead = daysAfter(period, settlement, frequency, basis) / periodLength(period, frequency, basis);
  return {
    interest: (100 * rate) / frequency,
    redemption,
    frequency,
    wait: period.back + ahead,
    firstSize: periodsBetween(issue, first, first, frequency, basis),
    accrued: periodsBetween(issue, settlement, first, frequency, basis),
    count: periodAt(first, maturity, frequency).back + 1,
  };
}

function oddFirstPrice(bond: OddFirst, yearly: number): number {
  const factor = 1 + yearly / bond.frequency;
  let payments = bond.firstSize * factor ** -bond.wait;
  charge(bond.count * 2);
  for (let k = 1; k <= bond.count; k++) payments += factor ** -(k + bond.wait);
  const redeemed = bond.redemption * factor ** -(bond.count + bond.wait);
  return redeemed + bond.interest * (payments - bond.accrued);
}

function oddFirst(name: string, compute: (bond: OddFirst, given: number, rate: number) => number): Definition {
  return define(
    name,
    'any any any any any any any any any?',
    (_call, settled, matures, issued, firstPaid, coupon, given, redeemed, times, basis) => {
      const [settlement, maturity, issue, first] = [dayOf(settled), dayOf(matures), dayOf(issued), dayOf(firstPaid)];
      const [rate, value, redemption] = [strictNumber(coupon), strictNumber(given), strictNumber(redeemed)];
      const frequency = frequencyOf(times);
      const kind = basisOf(strictOr(basis, 0));
      if (!(issue < settlement && settlement < first && first < maturity)) return cellErrors.num;
      if (rate < 0 || value < 0 || redemption <= 0) return cellErrors.num;
      const bond = oddFirstOf(settlement, maturity, issue, first, rate, redemption, frequency, kind);
      return compute(bond, value, rate);
    },
  );
}

/**
 * Returns the length of an interest period in days for bonds with an irregular last period. With 30-day months (basis 0
 * and 4) it is a fixed length, otherwise the number of calendar days.
 */
function calendarLength(period: CouponPeriod, frequency: Frequency, basis: Basis): number {
  return basis === 0 || basis === 4 ? 360 / frequency : period.to - period.from;
}

interface OddLast {
  interest: number;
  redemption: number;
  frequency: Frequency;
  /**
   * Number of periods from the last payment to maturity (`whole`), from the last payment to settlement (`past`), and
   * from settlement to maturity (`ahead`).
   */
  whole: number;
  past: number;
  ahead: number;
}

function oddLast(name: string, compute: (bond: OddLast, given: number) => number): Definition {
  return define(
    name,
    'any any any any any any any any?',
    (_call, settled, matures, lastPaid, coupon, given, redeemed, times, basis) => {
      const [settlement, maturity, last] = [dayOf(settled), dayOf(matures), dayOf(lastPaid)];
      const [rate, value, redemption] = [strictNumber(coupon), strictNumber(given), strictNumber(redeemed)];
      const frequency = frequencyOf(times);
      const kind = basisOf(strictOr(basis, 0));
      if (!(last < settlement && settlement < maturity)) return cellErrors.num;
      if (rate < 0 || value < 0 || redemption <= 0) return cellErrors.num;
      const span = (from: number, to: number): number =>
        periodsBetween(from, to, last, frequency, kind, calendarLength);
      const [whole, past] = [span(last, maturity), span(last, settlement)];
      const bond: OddLast = {
        interest: (100 * rate) / frequency,
        redemption,
        frequency,
        whole,
        past,
        ahead: whole - past,
      };
      return compute(bond, value);
    },
  );
}

export const oddBondFunctions: readonly Definition[] = [
  oddFirst('ODDFPRICE', oddFirstPrice),
  oddFirst('ODDFYIELD', (bond, price, rate) =>
    solveYield(price, (yearly) => oddFirstPrice(bond, yearly), rate || 0.05, bond.frequency),
  ),
  oddLast('ODDLPRICE', (bond, yearly) => {
    const due = bond.redemption + bond.whole * bond.interest;
    return due / (1 + (bond.ahead * yearly) / bond.frequency) - bond.past * bond.interest;
  }),
  oddLast('ODDLYIELD', (bond, price) => {
    const due = bond.redemption + bond.whole * bond.interest;
    const paid = price + bond.past * bond.interest;
    return (((due - paid) / paid) * bond.frequency) / bond.ahead;
  }),
];
