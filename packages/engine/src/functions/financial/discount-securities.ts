import { cellErrors, type CellError, type Scalar } from '../../base/values.ts';
import { addMonths } from '../date/calendar.ts';
import { basisOf, yearFraction } from '../date/day-count.ts';
import { define, type Definition } from '../define.ts';
import { strictNumber, strictOr } from '../toolpak-arguments.ts';
import { dayOf } from './coupon-schedule.ts';

/**
 * Defines a function for discounted securities, which pay no interest but a single amount at maturity. `a` and `b` are
 * the third and fourth argument of the function, and `years` is the time from settlement to maturity.
 */
function discounted(name: string, compute: (a: number, b: number, years: number) => number | CellError): Definition {
  return define(name, 'any any any any any?', (_call, settled, matures, x, y, basis) => {
    const [settlement, maturity] = [dayOf(settled), dayOf(matures)];
    const [a, b] = [strictNumber(x), strictNumber(y)];
    const kind = basisOf(strictOr(basis, 0));
    if (settlement >= maturity || a <= 0 || b <= 0) return cellErrors.num;
    return compute(a, b, yearFraction(settlement, maturity, kind));
  });
}

interface AtMaturity {
  /**
   * Years from issue to maturity (`whole`), from issue to settlement (`past`), and from settlement to maturity
   * (`ahead`).
   */
  whole: number;
  past: number;
  ahead: number;
}

function atMaturity(
  name: string,
  compute: (paper: AtMaturity, rate: number, given: number) => number,
  accepts: (rate: number, given: number) => boolean,
): Definition {
  return define(name, 'any any any any any any?', (_call, settled, matures, issued, coupon, given, basis) => {
    const [settlement, maturity, issue] = [dayOf(settled), dayOf(matures), dayOf(issued)];
    const [rate, value] = [strictNumber(coupon), strictNumber(given)];
    const kind = basisOf(strictOr(basis, 0));
    if (settlement >= maturity || issue > settlement || !accepts(rate, value)) return cellErrors.num;
    const paper: AtMaturity = {
      whole: yearFraction(issue, maturity, kind),
      past: yearFraction(issue, settlement, kind),
      ahead: yearFraction(settlement, maturity, kind),
    };
    return compute(paper, rate, value);
  });
}

/** Returns the days to maturity of a treasury bill. Throws #NUM! unless it matures within a year. */
function billDays(settled: Scalar, matures: Scalar): number {
  const [settlement, maturity] = [dayOf(settled), dayOf(matures)];
  if (settlement >= maturity || maturity > addMonths(settlement, 12)) throw cellErrors.num;
  return maturity - settlement;
}

function bill(name: string, compute: (days: number, given: number) => number | CellError): Definition {
  return define(name, 'any any any', (_call, settled, matures, given) => {
    const value = strictNumber(given);
    const days = billDays(settled, matures);
    return value <= 0 ? cellErrors.num : compute(days, value);
  });
}

/**
 * Returns the bond-equivalent yield of a treasury bill. Up to half a year, this is simple interest; for longer terms,
 * it is the yield of a bond that pays one coupon before maturity.
 */
function bondEquivalent(days: number, discount: number): number | CellError {
  if (days <= 182) {
    const below = 360 - discount * days;
    return below <= 0 ? cellErrors.num : (365 * discount) / below;
  }
  const price = 1 - (discount * days) / 360;
  if (price <= 0) return cellErrors.num;
  const years = days / (days === 366 ? 366 : 365);
  const root = Math.sqrt(years * years - (2 * years - 1) * (1 - 1 / price));
  return (2 * (root - years)) / (2 * years - 1);
}

export const discountFunctions: readonly Definition[] = [
  discounted('DISC', (price, redemption, years) => (1 - price / redemption) / years),
  discounted('INTRATE', (investment, redemption, years) => (redemption / investment - 1) / years),
  discounted('RECEIVED', (investment, discount, years) => {
    const below = 1 - discount * years;
    return below <= 0 ? cellErrors.num : investment / below;
  }),
  discounted('PRICEDISC', (discount, redemption, years) => redemption * (1 - discount * years)),
  discounted('YIELDDISC', (price, redemption, years) => (redemption / price - 1) / years),
  atMaturity(
    'PRICEMAT',
    ({ whole, past, ahead }, rate, yearly) => (100 + whole * rate * 100) / (1 + ahead * yearly) - past * rate * 100,
    (rate, yearly) => rate >= 0 && yearly >= 0,
  ),
  atMaturity(
    'YIELDMAT',
    ({ whole, past, ahead }, rate, price) => {
      const paid = price / 100 + past * rate;
      return (1 + whole * rate - paid) / paid / ahead;
    },
    (rate, price) => rate >= 0 && price > 0,
  ),
  bill('TBILLEQ', bondEquivalent),
  bill('TBILLPRICE', (days, discount) => {
    const price = 100 * (1 - (discount * days) / 360);
    return price < 0 ? cellErrors.num : price;
  }),
  bill('TBILLYIELD', (days, price) => (((100 - price) / price) * 360) / days),
];
