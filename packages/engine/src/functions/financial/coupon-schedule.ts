import { charge } from '../../base/budget.ts';
import { cellErrors, type Scalar } from '../../base/values.ts';
import { addMonths, checkedSerial, endOfMonth, isEndOfMonth, partsOf } from '../date/calendar.ts';
import { dayCount, type Basis } from '../date/day-count.ts';
import { strictNumber } from '../toolpak-arguments.ts';

/** Number of interest payments per year. */
export type Frequency = 1 | 2 | 4;

export function dayOf(value: Scalar): number {
  return checkedSerial(Math.floor(strictNumber(value)));
}

export function frequencyOf(value: Scalar): Frequency {
  const frequency = Math.trunc(strictNumber(value));
  if (frequency !== 1 && frequency !== 2 && frequency !== 4) throw cellErrors.num;
  return frequency;
}

/** Returns the payment date `count` periods after `anchor`. If `anchor` is the end of a month, so is the result. */
function couponDate(anchor: number, frequency: Frequency, count: number): number {
  const months = (12 / frequency) * count;
  return isEndOfMonth(partsOf(anchor)) ? endOfMonth(anchor, months) : addMonths(anchor, months);
}

export interface CouponPeriod {
  /** `from` is the last payment date on or before the requested day, and `to` is the first one after that day. */
  readonly from: number;
  readonly to: number;
  /**
   * Number of interest periods from `to` to `anchor`, the known payment date from which the schedule is computed (often
   * the maturity). Negative if `to` is later.
   */
  readonly back: number;
}

/**
 * Returns the interest period of a bond that contains `day` (from <= day < to). All payment dates are computed from
 * `anchor`, a known payment date.
 */
export function periodAt(day: number, anchor: number, frequency: Frequency): CouponPeriod {
  const a = partsOf(anchor);
  const d = partsOf(day);
  const months = (a.year - d.year) * 12 + a.month - d.month;
  let back = Math.floor((months * frequency) / 12) + 1;
  while (couponDate(anchor, frequency, -back) <= day) back--;
  let from = couponDate(anchor, frequency, -(back + 1));
  while (from > day) {
    back++;
    from = couponDate(anchor, frequency, -(back + 1));
  }
  return { from, to: couponDate(anchor, frequency, -back), back };
}

/** Returns the number of days of a whole interest period. */
export function periodLength(period: CouponPeriod, frequency: Frequency, basis: Basis): number {
  if (basis === 1) return period.to - period.from;
  return (basis === 3 ? 365 : 360) / frequency;
}

/** Returns the days from the start of the interest period to `day`. */
export function daysBefore(period: CouponPeriod, day: number, basis: Basis): number {
  return dayCount(period.from, day, basis);
}

/**
 * Returns the number of days from `day` to the end of the interest period. With 30-day months (basis 0 and 4), these
 * are the days of the whole period minus those before `day`, because the days before and after `day` must add up to the
 * whole period.
 */
export function daysAfter(period: CouponPeriod, day: number, frequency: Frequency, basis: Basis): number {
  if (basis === 0 || basis === 4) return periodLength(period, frequency, basis) - daysBefore(period, day, basis);
  return period.to - day;
}

/**
 * Returns the number of interest periods between two days. All payment dates are computed from `anchor`, a known
 * payment date. A partial period counts as a fraction: its days divided by the length of the whole period, which
 * `lengthOf` returns.
 */
export function periodsBetween(
  start: number,
  end: number,
  anchor: number,
  frequency: Frequency,
  basis: Basis,
  lengthOf = periodLength,
): number {
  if (start >= end) return 0;
  let total = 0;
  let period = periodAt(start, anchor, frequency);
  let from = start;
  for (let guard = 0; guard < 100_000; guard++) {
    charge(8);
    const whole = from === period.from && end >= period.to;
    const to = Math.min(end, period.to);
    total += whole ? 1 : dayCount(from, to, basis) / lengthOf(period, frequency, basis);
    if (end <= period.to) return total;
    from = period.to;
    const back = period.back - 1;
    period = { from, to: couponDate(anchor, frequency, -back), back };
  }
  return total;
}
