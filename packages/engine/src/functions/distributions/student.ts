import { incompleteBeta } from '../../numerics/beta.ts';
import { stirlingError } from '../../numerics/gamma.ts';
import { betaInverse } from '../../numerics/inverse-gamma-beta.ts';
import { cellErrors } from '../../base/values.ts';
import { define, type Definition } from '../define.ts';

/** Returns the probability of both tails beyond |t|. The degrees of freedom need not be a whole number. */
export function tTwoTails(t: number, freedom: number): number {
  const square = t * t;
  if (square === Infinity) return 0;
  const total = freedom + square;
  return incompleteBeta(freedom / total, square / total, freedom / 2, 0.5)[0];
}

/** Returns the positive t whose two tails together have probability `p`. */
export function tInverseTwoTails(p: number, freedom: number): number {
  return positiveT(p, 1 - p, freedom);
}

function positiveT(p: number, q: number, freedom: number): number {
  const [x, y] = betaInverse(p, q, freedom / 2, 0.5);
  return Math.sqrt((freedom * y) / x);
}

function tCdf(t: number, freedom: number): number {
  const tail = tTwoTails(t, freedom) / 2;
  return t > 0 ? 1 - tail : tail;
}

function tDensity(t: number, freedom: number): number {
  // Computes ln(gamma(a + 1/2) / gamma(a)) from the errors of Stirling's approximation, because subtracting two
  // logarithms would lose precision.
  const a = freedom / 2;
  const ratio = a * Math.log1p(0.5 / a) + 0.5 * Math.log(a) - 0.5 + stirlingError(a + 0.5) - stirlingError(a);
  const shape = ((freedom + 1) / 2) * Math.log1p((t * t) / freedom);
  return Math.exp(ratio - shape) / Math.sqrt(Math.PI * freedom);
}

function tInverse(p: number, freedom: number): number {
  if (p <= 0 || p >= 1) throw cellErrors.num;
  if (p === 0.5) return 0;
  const tail = p < 0.5 ? p : 1 - p;
  const t = positiveT(2 * tail, Math.abs(1 - 2 * p), freedom);
  return p < 0.5 ? -t : t;
}

function degrees(freedom: number): number {
  const whole = Math.trunc(freedom);
  if (whole < 1) throw cellErrors.num;
  return whole;
}

function notNegative(t: number): number {
  if (t < 0) throw cellErrors.num;
  return t;
}

export const studentFunctions: readonly Definition[] = [
  define('T.DIST', 'number number logical', (_call, t, freedom, cumulative) => {
    const df = degrees(freedom);
    return cumulative ? tCdf(t, df) : tDensity(t, df);
  }),
  define('T.DIST.RT', 'number number', (_call, t, freedom) => tCdf(-t, degrees(freedom))),
  define('T.DIST.2T', 'number number', (_call, t, freedom) => tTwoTails(notNegative(t), degrees(freedom))),
  define('TDIST', 'number number number', (_call, t, freedom, tails) => {
    const count = Math.trunc(tails);
    if (count !== 1 && count !== 2) return cellErrors.num;
    return (tTwoTails(notNegative(t), degrees(freedom)) * count) / 2;
  }),
  define('T.INV', 'number number', (_call, p, freedom) => tInverse(p, degrees(freedom))),
  define(
    'T.INV.2T',
    'number number',
    (_call, p, freedom) => {
      const df = degrees(freedom);
      return p <= 0 || p > 1 ? cellErrors.num : tInverseTwoTails(p, df);
    },
    { aliases: ['TINV'] },
  ),
];
