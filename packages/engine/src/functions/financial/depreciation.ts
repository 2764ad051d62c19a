import { charge } from '../../base/budget.ts';
import { roundTo } from '../../base/rounding.ts';
import { cellErrors, type CellError } from '../../base/values.ts';
import { basisOf, yearFraction } from '../date/day-count.ts';
import { define, type Definition } from '../define.ts';
import { strictNumber, strictOr, strictWhole } from '../toolpak-arguments.ts';
import { dayOf } from './coupon-schedule.ts';

function fixedDeclining(
  cost: number,
  salvage: number,
  life: number,
  period: number,
  months: number,
): number | CellError {
  const [lives, at, first] = [Math.trunc(life), Math.trunc(period), Math.trunc(months)];
  if (cost < 0 || salvage < 0 || life <= 0 || period <= 0 || first < 1 || first > 12) return cellErrors.num;
  if (at < 1 || at > lives + (first < 12 ? 1 : 0)) return cellErrors.num;
  if (cost === 0) return 0;
  const rate = roundTo(1 - (salvage / cost) ** (1 / life), 3, 'nearest');
  const start = (cost * rate * first) / 12;
  if (at === 1) return start;
  const amount = (cost - start) * (1 - rate) ** (at - 2) * rate;
  return at <= lives ? amount : (amount * (12 - first)) / 12;
}

/** Returns the declining-balance depreciation of period `at` (one-based). */
function declining(cost: number, salvage: number, life: number, at: number, factor: number): number {
  const rate = Math.min(factor / life, 1);
  const before = rate === 1 ? (at === 1 ? cost : 0) : cost * (1 - rate) ** (at - 1);
  const after = cost * (1 - rate) ** at;
  return Math.max(before - Math.max(after, salvage), 0);
}

/**
 * Returns the depreciation between the times `from` and `end`, which are numbers of periods since the start. Uses the
 * declining-balance method, and straight-line depreciation from the first period in which that is larger.
 */
function switched(cost: number, salvage: number, life: number, from: number, end: number, factor: number): number {
  let total = 0;
  let worth = cost;
  let straight = 0;
  let inStraight = false;
  const last = Math.ceil(end);
  for (let period = 1; period <= last; period++) {
    charge(2);
    let part: number;
    const bent = declining(cost, salvage, life, period, factor);
    if (!inStraight) {
      straight = life - (period - 1) > 0 ? (worth - salvage) / (life - (period - 1)) : 0;
      if (straight > bent) inStraight = true;
      part = inStraight ? straight : bent;
      worth -= bent;
    } else part = straight;
    // Only the share of the period that lies between `from` and `end` counts.
    const share = Math.max(0, Math.min(period, end) - Math.max(period - 1, from));
    total += part * share;
  }
  return total;
}

function variable(
  cost: number,
  salvage: number,
  life: number,
  start: number,
  end: number,
  factor: number,
  keepDeclining: boolean,
): number | CellError {
  if (cost < 0 || salvage < 0 || life <= 0 || start < 0 || end < start || end > life || factor <= 0)
    return cellErrors.num;
  if (end > 1_000_000) return cellErrors.num;
  const [from, to] = [Math.floor(start), Math.ceil(end)];
  if (keepDeclining) {
    let total = 0;
    for (let period = from + 1; period <= to; period++) {
      charge(2);
      const share = Math.min(period, end) - Math.max(period - 1, start);
      total += declining(cost, salvage, life, period, factor) * share;
    }
    return total;
  }
  // Depreciates up to `from`, the start of the first period, and then treats the remaining value as a new asset.
  let worth = cost;
  if (from > 0) worth -= switched(cost, salvage, life, 0, from, factor);
  return switched(worth, salvage, life - from, start - from, end - from, (factor * (life - from)) / life);
}

/**
 * Implements AMORLINC: returns the depreciation of an asset in one period by the linear method of French accounting.
 * `part` is the share of the first year in which the asset was owned. Period 0 is that first year.
 */
function linear(cost: number, part: number, salvage: number, period: number, rate: number): number {
  const yearly = cost * rate;
  const first = part * yearly;
  if (period === 0) return Math.min(first, cost - salvage);
  const left = cost - salvage - first;
  const full = Math.trunc(left / yearly);
  if (period <= full) return yearly;
  return period === full + 1 ? Math.max(left - yearly * full, 0) : 0;
}

/**
 * Implements AMORDEGRC, the declining-balance depreciation of French accounting. The rate is multiplied by a
 * coefficient that grows with the asset's life. `part` is the share of the first year in which the asset was owned.
 */
function degressive(cost: number, part: number, salvage: number, period: number, rate: number): number | CellError {
  const life = 1 / rate;
  if (life < 3 || (life > 4 && life < 5)) return cellErrors.num;
  const quick = rate * (life < 5 ? 1.5 : life <= 6 ? 2 : 2.5);
  let amount = roundTo(part * quick * cost, 0, 'nearest');
  let worth = cost - amount;
  let left = worth - salvage;
  for (let k = 0; k < period; k++) {
    charge(8);
    amount = roundTo(quick * worth, 0, 'nearest');
    left -= amount;
    if (left < 0) return period - k <= 1 ? roundTo(worth / 2, 0, 'nearest') : 0;
    worth -= amount;
  }
  return amount;
}

function french(name: string, compute: typeof degressive): Definition {
  return define(name, 'any any any any any any any?', (_call, price, bought, firstEnd, residual, at, share, basis) => {
    const cost = strictNumber(price);
    const salvage = strictNumber(residual);
    const period = strictWhole(at);
    const rate = strictNumber(share);
    const [from, to] = [dayOf(bought), dayOf(firstEnd)];
    const kind = basisOf(strictOr(basis, 0));
    if (kind === 2 && name === 'AMORDEGRC') return cellErrors.num;
    if (cost <= 0 || salvage < 0 || salvage > cost || period < 0 || rate <= 0 || from > to) return cellErrors.num;
    return period > 10_000 ? 0 : compute(cost, yearFraction(from, to, kind), salvage, period, rate);
  });
}

export const depreciationFunctions: readonly Definition[] = [
  define('SLN', 'number number number', (_call, cost, salvage, life) =>
    life === 0 ? cellErrors.div0 : (cost - salvage) / life,
  ),
  define('SYD', 'number number number number', (_call, cost, salvage, life, period) => {
    if (life <= 0 || period <= 0 || period > life || salvage < 0) return cellErrors.num;
    return ((cost - salvage) * (life - period + 1) * 2) / (life * (life + 1));
  }),
  define('DB', 'number number number number number?', (_call, cost, salvage, life, period, months = 12) =>
    fixedDeclining(cost, salvage, life, period, months),
  ),
  define('DDB', 'number number number number number?', (_call, cost, salvage, life, period, factor = 2) => {
    if (cost < 0 || salvage < 0 || life <= 0 || period <= 0 || factor <= 0 || period > life) return cellErrors.num;
    return declining(cost, salvage, life, period, factor);
  }),
  define(
    'VDB',
    'number number number number number number? logical?',
    (_call, cost, salvage, life, start, end, factor = 2, keep = false) =>
      variable(cost, salvage, life, start, end, factor, keep),
  ),
  french('AMORLINC', linear),
  french('AMORDEGRC', degressive),
];
