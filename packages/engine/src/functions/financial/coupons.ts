import { cellErrors } from '../../base/values.ts';
import { basisOf, type Basis } from '../date/day-count.ts';
import { define, type Definition } from '../define.ts';
import { strictOr } from '../toolpak-arguments.ts';
import {
  dayOf,
  daysAfter,
  daysBefore,
  frequencyOf,
  periodAt,
  periodLength,
  type Frequency,
  type CouponPeriod,
} from './coupon-schedule.ts';

interface Coupon {
  period: CouponPeriod;
  settlement: number;
  frequency: Frequency;
  basis: Basis;
}

function coupon(name: string, compute: (coupon: Coupon) => number): Definition {
  return define(name, 'any any any any?', (_call, settled, matures, times, basis) => {
    const settlement = dayOf(settled);
    const maturity = dayOf(matures);
    const frequency = frequencyOf(times);
    const kind = basisOf(strictOr(basis, 0));
    if (settlement >= maturity) return cellErrors.num;
    return compute({ period: periodAt(settlement, maturity, frequency), settlement, frequency, basis: kind });
  });
}

export const couponFunctions: readonly Definition[] = [
  coupon('COUPPCD', ({ period }) => period.from),
  coupon('COUPNCD', ({ period }) => period.to),
  coupon('COUPNUM', ({ period }) => period.back + 1),
  coupon('COUPDAYS', ({ period, frequency, basis }) => periodLength(period, frequency, basis)),
  coupon('COUPDAYBS', ({ period, settlement, basis }) => daysBefore(period, settlement, basis)),
  coupon('COUPDAYSNC', ({ period, settlement, frequency, basis }) => daysAfter(period, settlement, frequency, basis)),
];
