import { incompleteGamma, lnGamma, poissonTerm } from '../../numerics/gamma.ts';
import { gammaInverse } from '../../numerics/inverse-gamma-beta.ts';
import { cellErrors } from '../../base/values.ts';
import { define, type Definition } from '../define.ts';

const maxDegrees = 1e10;

/** Returns the density of the gamma distribution with scale 1; infinite at 0 if alpha < 1. */
function gammaDensity(x: number, alpha: number): number {
  if (alpha >= 1) return poissonTerm(alpha - 1, x);
  return x === 0 ? Infinity : (alpha / x) * poissonTerm(alpha, x);
}

function gammaDistribution(x: number, alpha: number, beta: number, cumulative: boolean): number {
  if (x < 0 || alpha <= 0 || beta <= 0) throw cellErrors.num;
  return cumulative ? incompleteGamma(alpha, x / beta)[0] : gammaDensity(x / beta, alpha) / beta;
}

function gammaQuantile(p: number, q: number, alpha: number, beta: number): number {
  if (!(p >= 0 && p <= 1) || alpha <= 0 || beta <= 0) throw cellErrors.num;
  return beta * gammaInverse(p, q, alpha);
}

function degrees(freedom: number): number {
  const whole = Math.trunc(freedom);
  if (whole < 1 || whole > maxDegrees) throw cellErrors.num;
  return whole;
}

/** Returns the right tail of the chi-squared distribution. */
export function chiTail(x: number, freedom: number): number {
  return incompleteGamma(freedom / 2, x / 2)[1];
}

function lnGammaOf(x: number): number {
  if (x <= 0) throw cellErrors.num;
  return lnGamma(x);
}

function exponential(x: number, rate: number, cumulative: boolean): number {
  if (x < 0 || rate <= 0) throw cellErrors.num;
  return cumulative ? -Math.expm1(-rate * x) : rate * Math.exp(-rate * x);
}

function weibull(x: number, alpha: number, beta: number, cumulative: boolean): number {
  if (x < 0 || alpha <= 0 || beta <= 0) throw cellErrors.num;
  const power = (x / beta) ** alpha;
  if (cumulative) return -Math.expm1(-power);
  return (alpha / beta) * (x / beta) ** (alpha - 1) * Math.exp(-power);
}

function poisson(count: number, mean: number, cumulative: boolean): number {
  if (count < 0 || mean < 0) throw cellErrors.num;
  const k = Math.trunc(count);
  return cumulative ? incompleteGamma(k + 1, mean)[1] : poissonTerm(k, mean);
}

export const gammaFunctions: readonly Definition[] = [
  define(
    'GAMMA.DIST',
    'number number number logical',
    (_call, x, alpha, beta, cumulative) => gammaDistribution(x, alpha, beta, cumulative),
    { aliases: ['GAMMADIST'] },
  ),
  define('GAMMA.INV', 'number number number', (_call, p, alpha, beta) => gammaQuantile(p, 1 - p, alpha, beta), {
    aliases: ['GAMMAINV'],
  }),
  define('GAMMALN', 'number', (_call, x) => lnGammaOf(x), { aliases: ['GAMMALN.PRECISE'] }),
  define(
    'CHISQ.DIST',
    'number number logical',
    (_call, x, freedom, cumulative) => gammaDistribution(x, degrees(freedom) / 2, 2, cumulative),
    { aliases: ['CHISQDIST'] },
  ),
  define(
    'CHISQ.DIST.RT',
    'number number',
    (_call, x, freedom) => (x < 0 ? cellErrors.num : chiTail(x, degrees(freedom))),
    { aliases: ['CHIDIST'] },
  ),
  define('CHISQ.INV', 'number number', (_call, p, freedom) => gammaQuantile(p, 1 - p, degrees(freedom) / 2, 2), {
    aliases: ['CHISQINV'],
  }),
  define('CHISQ.INV.RT', 'number number', (_call, q, freedom) => gammaQuantile(1 - q, q, degrees(freedom) / 2, 2), {
    aliases: ['CHIINV'],
  }),
  define('EXPON.DIST', 'number number logical', (_call, x, rate, cumulative) => exponential(x, rate, cumulative), {
    aliases: ['EXPONDIST'],
  }),
  define(
    'WEIBULL.DIST',
    'number number number logical',
    (_call, x, alpha, beta, cumulative) => weibull(x, alpha, beta, cumulative),
    { aliases: ['WEIBULL'] },
  ),
  define(
    'POISSON.DIST',
    'number number logical',
    (_call, count, mean, cumulative) => poisson(count, mean, cumulative),
    { aliases: ['POISSON'] },
  ),
];
