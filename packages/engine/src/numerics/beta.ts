import { charge } from '../base/budget.ts';
import { deviance, nonZero, stirlingError } from './gamma.ts';

/**
 * Returns the binomial probability gamma(n+1) / (gamma(k+1) gamma(n-k+1)) p^k q^(n-k), for real 0 <= k <= n and q = 1 -
 * p.
 */
export function binomialTerm(k: number, n: number, p: number, q: number): number {
  const rest = n - k;
  if (p === 0) return k === 0 ? 1 : 0;
  if (q === 0) return rest === 0 ? 1 : 0;
  if (k === 0) return Math.exp(n * (p < 0.5 ? Math.log1p(-p) : Math.log(q)));
  if (rest === 0) return Math.exp(n * (q < 0.5 ? Math.log1p(-q) : Math.log(p)));
  return binomialCore(k, rest, p, q);
}

function binomialCore(k: number, rest: number, p: number, q: number): number {
  const n = k + rest;
  const exponent =
    stirlingError(n) - stirlingError(k) - stirlingError(rest) - deviance(k, n * p) - deviance(rest, n * q);
  return Math.exp(exponent) * Math.sqrt(n / (2 * Math.PI * k * rest));
}

/** Returns the density of the beta distribution, x^(a-1) y^(b-1) / B(a, b), with y = 1 - x. */
export function betaDensity(x: number, y: number, a: number, b: number): number {
  if (x === 0 || y === 0) {
    const power = x === 0 ? a : b;
    if (power > 1) return 0;
    return power < 1 ? Infinity : x === 0 ? b : a;
  }
  return ((a * b) / (a + b) / (x * y)) * binomialCore(a, b, x, y);
}

/** Returns both tails of the regularised incomplete beta function, [I_x(a, b), 1 - I_x(a, b)], with y = 1 - x. */
export function incompleteBeta(x: number, y: number, a: number, b: number): [lower: number, upper: number] {
  if (x <= 0) return [0, 1];
  if (y <= 0) return [1, 0];
  if (x > (a + 1) / (a + b + 2)) {
    const upper = betaFraction(y, x, b, a);
    return [1 - upper, upper];
  }
  const lower = betaFraction(x, y, a, b);
  return [lower, 1 - lower];
}

function betaFraction(x: number, y: number, a: number, b: number): number {
  const front = (b / (a + b)) * binomialCore(a, b, x, y);
  if (front === 0) return 0;
  const limit = 300 + 20 * Math.sqrt(Math.min(Math.max(a, b), 1e10));
  let c = 1;
  let d = 1 / nonZero(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m < limit; m++) {
    if ((m & 63) === 0) charge(64);
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / nonZero(1 + even * d);
    c = nonZero(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / nonZero(1 + odd * d);
    c = nonZero(1 + odd / c);
    const change = d * c;
    fraction *= change;
    if (Math.abs(change - 1) <= 2e-16) break;
  }
  return Math.min(1, front * fraction);
}
