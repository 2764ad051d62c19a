import { erf } from '../../numerics/erf.ts';
import { normalCdf, normalDensity, normalInverse } from '../../numerics/normal.ts';
import { cellErrors } from '../../base/values.ts';
import { define, type Definition } from '../define.ts';
import { tInverseTwoTails } from './student.ts';

function normal(x: number, mean: number, deviation: number, cumulative: boolean): number {
  if (deviation <= 0) throw cellErrors.num;
  const z = (x - mean) / deviation;
  return cumulative ? normalCdf(z) : normalDensity(z) / deviation;
}

function normalQuantile(p: number): number {
  if (p <= 0 || p >= 1) throw cellErrors.num;
  return normalInverse(p);
}

function normalInverseOf(p: number, mean: number, deviation: number): number {
  if (deviation <= 0) throw cellErrors.num;
  return mean + deviation * normalQuantile(p);
}

function logNormal(x: number, mean: number, deviation: number, cumulative: boolean): number {
  if (x <= 0 || deviation <= 0) throw cellErrors.num;
  const z = (Math.log(x) - mean) / deviation;
  return cumulative ? normalCdf(z) : normalDensity(z) / (x * deviation);
}

/** Checks the arguments of CONFIDENCE and returns the truncated sample size. */
function sampleSize(alpha: number, deviation: number, size: number): number {
  const whole = Math.trunc(size);
  if (alpha <= 0 || alpha >= 1 || deviation <= 0 || whole < 1) throw cellErrors.num;
  return whole;
}

/**
 * Normal and lognormal distribution. In addition to Excel's arguments, LOGNORMDIST accepts a last argument that chooses
 * between the cumulative probability and the density, as in OpenDocument.
 */
export const normalFunctions: readonly Definition[] = [
  define(
    'NORM.DIST',
    'number number number logical',
    (_call, x, mean, deviation, cumulative) => normal(x, mean, deviation, cumulative),
    { aliases: ['NORMDIST'] },
  ),
  define('NORM.INV', 'number number number', (_call, p, mean, deviation) => normalInverseOf(p, mean, deviation), {
    aliases: ['NORMINV'],
  }),
  define('NORM.S.DIST', 'number logical', (_call, z, cumulative) => (cumulative ? normalCdf(z) : normalDensity(z))),
  define('NORMSDIST', 'number', (_call, z) => normalCdf(z)),
  define('NORM.S.INV', 'number', (_call, p) => normalQuantile(p), { aliases: ['NORMSINV'] }),
  define('GAUSS', 'number', (_call, z) => 0.5 * erf(z / Math.SQRT2)),
  define('LOGNORM.DIST', 'number number number logical', (_call, x, mean, deviation, cumulative) =>
    logNormal(x, mean, deviation, cumulative),
  ),
  define('LOGNORMDIST', 'number number number logical?', (_call, x, mean, deviation, cumulative = true) =>
    logNormal(x, mean, deviation, cumulative),
  ),
  define(
    'LOGNORM.INV',
    'number number number',
    (_call, p, mean, deviation) => Math.exp(normalInverseOf(p, mean, deviation)),
    { aliases: ['LOGINV'] },
  ),
  define(
    'CONFIDENCE.NORM',
    'number number number',
    (_call, alpha, deviation, size) => {
      const n = sampleSize(alpha, deviation, size);
      return (-normalInverse(alpha / 2) * deviation) / Math.sqrt(n);
    },
    { aliases: ['CONFIDENCE'] },
  ),
  define('CONFIDENCE.T', 'number number number', (_call, alpha, deviation, size) => {
    const n = sampleSize(alpha, deviation, size);
    return n === 1 ? cellErrors.div0 : (tInverseTwoTails(alpha, n - 1) * deviation) / Math.sqrt(n);
  }),
];
