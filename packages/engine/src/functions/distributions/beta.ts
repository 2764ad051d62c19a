import { betaDensity, incompleteBeta } from '../../numerics/beta.ts';
import { betaInverse } from '../../numerics/inverse-gamma-beta.ts';
import { cellErrors } from '../../base/values.ts';
import { define, type Definition } from '../define.ts';

const maxDegrees = 1e10;

function beta(x: number, a: number, b: number, cumulative: boolean, low = 0, high = 1): number {
  if (a <= 0 || b <= 0 || low >= high || x < low || x > high) throw cellErrors.num;
  const width = high - low;
  const left = (x - low) / width;
  const right = (high - x) / width;
  return cumulative ? incompleteBeta(left, right, a, b)[0] : betaDensity(left, right, a, b) / width;
}

function betaQuantile(p: number, a: number, b: number, low = 0, high = 1): number {
  if (a <= 0 || b <= 0 || p <= 0 || p >= 1 || low >= high) throw cellErrors.num;
  return low + betaInverse(p, 1 - p, a, b)[0] * (high - low);
}

/** Truncates both degrees of freedom. Throws #NUM! if one is out of range. */
function degrees(first: number, second: number): [number, number] {
  const d1 = Math.trunc(first);
  const d2 = Math.trunc(second);
  if (d1 < 1 || d2 < 1 || d1 > maxDegrees || d2 > maxDegrees) throw cellErrors.num;
  return [d1, d2];
}

/** Returns the probabilities to the left and to the right of x under the F distribution. */
export function fTails(x: number, d1: number, d2: number): [left: number, right: number] {
  const total = d1 * x + d2;
  return incompleteBeta((d1 * x) / total, d2 / total, d1 / 2, d2 / 2);
}

function fDensity(x: number, d1: number, d2: number): number {
  if (x === 0) return d1 > 2 ? 0 : d1 === 2 ? 1 : Infinity;
  const total = d1 * x + d2;
  return (betaDensity((d1 * x) / total, d2 / total, d1 / 2, d2 / 2) * d1 * d2) / (total * total);
}

function fLeft(x: number, first: number, second: number, cumulative: boolean): number {
  const [d1, d2] = degrees(first, second);
  if (x < 0) throw cellErrors.num;
  return cumulative ? fTails(x, d1, d2)[0] : fDensity(x, d1, d2);
}

function fRight(x: number, first: number, second: number): number {
  const [d1, d2] = degrees(first, second);
  if (x < 0) throw cellErrors.num;
  return fTails(x, d1, d2)[1];
}

function fQuantile(p: number, q: number, first: number, second: number): number {
  const [d1, d2] = degrees(first, second);
  if (!(p >= 0 && p <= 1)) throw cellErrors.num;
  const [x, y] = betaInverse(p, q, d1 / 2, d2 / 2);
  return (d2 * x) / (d1 * y);
}

/**
 * Beta and F distribution. In addition to Excel's arguments, BETADIST and FDIST accept a last argument that chooses
 * between the cumulative probability and the density, as in OpenDocument.
 */
export const betaFunctions: readonly Definition[] = [
  define('BETA.DIST', 'number number number logical number? number?', (_call, x, a, b, cumulative, low, high) =>
    beta(x, a, b, cumulative, low, high),
  ),
  define('BETADIST', 'number number number number? number? logical?', (_call, x, a, b, low, high, cumulative = true) =>
    beta(x, a, b, cumulative, low, high),
  ),
  define(
    'BETA.INV',
    'number number number number? number?',
    (_call, p, a, b, low, high) => betaQuantile(p, a, b, low, high),
    { aliases: ['BETAINV'] },
  ),
  define('F.DIST', 'number number number logical', (_call, x, first, second, cumulative) =>
    fLeft(x, first, second, cumulative),
  ),
  define('F.DIST.RT', 'number number number', (_call, x, first, second) => fRight(x, first, second)),
  define('FDIST', 'number number number logical?', (_call, x, first, second, cumulative) =>
    cumulative === undefined ? fRight(x, first, second) : fLeft(x, first, second, cumulative),
  ),
  define('F.INV', 'number number number', (_call, p, first, second) => fQuantile(p, 1 - p, first, second)),
  define('F.INV.RT', 'number number number', (_call, q, first, second) => fQuantile(1 - q, q, first, second), {
    aliases: ['FINV'],
  }),
];
