import { charge } from '../base/budget.ts';
import { erfc } from './erf.ts';

const halfLogTwoPi = 0.9189385332046727;
const euler = 0.5772156649015329;
const maxFactorial = 170;
/**
 * Above this shape parameter of the incomplete gamma function, series and continued fractions take too long, and
 * Temme's expansion is as accurate.
 */
const largeShape = 1e9;

/** zeta(k) - 1 for k = 0, 1, ... (the first two are unused), computed by direct sum and Euler-Maclaurin tail. */
const zetaMinusOne: number[] = [];
for (let k = 0; k < 40; k++) {
  const from = 60;
  let sum = 0;
  if (k > 1) {
    sum += from ** (1 - k) / (k - 1) + from ** -k / 2 + (k * from ** (-k - 1)) / 12;
    sum -= (k * (k + 1) * (k + 2) * from ** (-k - 3)) / 720;
    sum += (k * (k + 1) * (k + 2) * (k + 3) * (k + 4) * from ** (-k - 5)) / 30240;
    for (let n = from - 1; n >= 2; n--) sum += n ** -k;
  }
  zetaMinusOne.push(sum);
}

const factorials: number[] = [1];
for (let n = 1; n <= maxFactorial; n++) factorials.push((factorials[n - 1] as number) * n);

/** Returns n! of a whole number; Infinity above 170. */
export function factorial(n: number): number {
  return n > maxFactorial ? Infinity : (factorials[n] as number);
}

/** Computes ln gamma(2 + z) for |z| <= 1/2. */
function lnGammaNearTwo(z: number): number {
  let sum = 0;
  for (let k = 30; k >= 2; k--) {
    const term = (zetaMinusOne[k] as number) / k;
    sum = (k % 2 === 0 ? term : -term) + z * sum;
  }
  return z * (1 - euler + z * sum);
}

/** Returns the difference between ln(n!) and Stirling's approximation of it. */
export function stirlingError(n: number): number {
  let above = n;
  let shift = 0;
  while (above < 16) {
    shift += (above + 0.5) * Math.log1p(1 / above) - 1;
    above++;
  }
  const s = 1 / (above * above);
  const series =
    (1 / 12 - s * (1 / 360 - s * (1 / 1260 - s * (1 / 1680 - s * (1 / 1188 - (s * 691) / 360360))))) / above;
  return shift + series;
}

/** Computes the natural logarithm of gamma, for x > 0. */
export function lnGamma(x: number): number {
  if (x >= 10) return (x - 0.5) * (Math.log(x) - 1) - 0.5 + halfLogTwoPi + stirlingError(x);
  if (x < 0.5) return lnGammaNearTwo(x) - Math.log1p(x) - Math.log(x);
  if (x < 1.5) return lnGammaNearTwo(x - 1) - Math.log1p(x - 1);
  let product = 1;
  let rest = x;
  while (rest > 2.5) {
    rest -= 1;
    product *= rest;
  }
  return lnGammaNearTwo(rest - 2) + Math.log(product);
}

/** Computes gamma of any real number; NaN at 0, -1, -2... and Infinity where it overflows. */
export function gamma(x: number): number {
  if (Number.isInteger(x)) return x > 0 ? factorial(x - 1) : NaN;
  if (x < 0.5) {
    // Uses the exact distance to the nearest integer: at large x, sin(pi * x) would include the rounding error of pi.
    const whole = Math.round(x);
    const sine = Math.sin(Math.PI * (x - whole)) * (whole % 2 === 0 ? 1 : -1);
    return Math.PI / (sine * gamma(1 - x));
  }
  if (x > 172) return Infinity;
  if (x > 20) {
    const half = Math.pow(x, (x - 0.5) / 2);
    return half * Math.exp(halfLogTwoPi - x + stirlingError(x)) * half;
  }
  let product = 1;
  let rest = x;
  while (rest > 2.5) {
    rest -= 1;
    product *= rest;
  }
  while (rest < 1.5) {
    product /= rest;
    rest += 1;
  }
  return product * Math.exp(lnGammaNearTwo(rest - 2));
}

/** Computes x ln(x / mean) + mean - x (Loader's deviance), accurately even for x near the mean. */
export function deviance(x: number, mean: number): number {
  if (Math.abs(x - mean) >= 0.1 * (x + mean)) return x * Math.log(x / mean) + mean - x;
  const v = (x - mean) / (x + mean);
  let sum = (x - mean) * v;
  let term = 2 * x * v;
  for (let j = 1; j < 1000; j++) {
    term *= v * v;
    const next = sum + term / (2 * j + 1);
    if (next === sum) break;
    sum = next;
  }
  return sum;
}

/** Returns the Poisson probability mean^k e^-mean / gamma(k + 1) for real k >= 0, by Loader's saddle-point method. */
export function poissonTerm(k: number, mean: number): number {
  if (mean === 0) return k === 0 ? 1 : 0;
  if (k === 0) return Math.exp(-mean);
  if (k < 1e-3) return Math.exp(k * Math.log(mean) - mean - lnGamma(k + 1));
  return Math.exp(-stirlingError(k) - deviance(k, mean)) / Math.sqrt(2 * Math.PI * k);
}

/** Returns both tails of the regularised incomplete gamma function, [P(a, x), Q(a, x)], for a > 0 and x >= 0. */
export function incompleteGamma(a: number, x: number): [lower: number, upper: number] {
  if (x <= 0) return [0, 1];
  if (x === Infinity) return [1, 0];
  if (a > largeShape) return largeIncompleteGamma(a, x);
  const limit = 200 + 20 * Math.sqrt(a);
  const front = poissonTerm(a, x);
  if (x < a + 1) {
    let term = 1;
    let sum = 1;
    for (let n = 1; n < limit; n++) {
      if ((n & 63) === 0) charge(64);
      term *= x / (a + n);
      sum += term;
      if (term <= 1e-17 * sum) break;
    }
    const lower = Math.min(1, front * sum);
    return [lower, 1 - lower];
  }
  // For large x, compute the upper tail by Legendre's continued fraction, evaluated by Lentz's method.
  let b = x + 1 - a;
  let c = 1e300;
  let d = 1 / b;
  let fraction = d;
  for (let n = 1; n < limit; n++) {
    if ((n & 63) === 0) charge(64);
    const factor = -n * (n - a);
    b += 2;
    d = nonZero(factor * d + b);
    c = nonZero(b + factor / c);
    d = 1 / d;
    const change = d * c;
    fraction *= change;
    if (Math.abs(change - 1) <= 2e-16) break;
  }
  const upper = Math.min(1, front * a * fraction);
  return [1 - upper, upper];
}

/**
 * Computes both tails of the incomplete gamma function by the first two terms of Temme's uniform expansion. The error
 * is of order 1 / a.
 */
function largeIncompleteGamma(a: number, x: number): [lower: number, upper: number] {
  const offset = (x - a) / a;
  const z = Math.sign(offset) * Math.sqrt(2 * deviance(a, x));
  const skew = Math.abs(offset) < 1e-4 ? offset / 12 - 1 / 3 : 1 / offset - Math.sqrt(a) / z;
  const correction = (Math.exp((-z * z) / 2) * skew) / Math.sqrt(2 * Math.PI * a);
  const lower = 0.5 * erfc(-z / Math.SQRT2) - correction;
  const upper = 0.5 * erfc(z / Math.SQRT2) + correction;
  return [Math.max(0, lower), Math.max(0, upper)];
}

export function nonZero(x: number): number {
  return Math.abs(x) < 1e-300 ? 1e-300 : x;
}
