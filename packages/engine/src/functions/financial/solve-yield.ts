import { charge } from '../../base/budget.ts';
import { cellErrors } from '../../base/values.ts';

/**
 * Finds the yearly yield at which the price of a bond equals `target`, starting at `guess`. The prices returned by
 * `price` must fall as the yield rises. The result is above -`frequency`, the negative number of payments per year.
 * Throws #NUM! if no yield is found.
 */
export function solveYield(target: number, price: (rate: number) => number, guess: number, frequency: number): number {
  let low = -frequency * 0.999999;
  let high = Infinity;
  let rate = guess;
  for (let step = 0; step < 200; step++) {
    charge(8);
    const gap = price(rate) - target;
    if (gap === 0) return rate;
    if (gap > 0) low = rate;
    else high = rate;
    const width = 1e-6;
    const slope = (price(rate + width) - price(rate - width)) / (2 * width);
    let next = rate - gap / slope;
    if (!(next > low && next < high)) next = high === Infinity ? rate * 2 + 1 : (low + high) / 2;
    if (Math.abs(next - rate) <= 1e-13 * Math.max(1, Math.abs(next))) return next;
    rate = next;
    if (!Number.isFinite(rate) || rate > 1e9) break;
  }
  if (Number.isFinite(rate) && Math.abs(price(rate) - target) < 1e-7 * Math.max(1, Math.abs(target))) return rate;
  throw cellErrors.num;
}
