import { charge } from '../base/budget.ts';
import { lnGamma } from './gamma.ts';

const euler = 0.5772156649015329;
/** Above this x, the asymptotic series of the Bessel functions J and Y has full precision. */
const asymptoticFrom = 30;

/**
 * Returns the order at which the downward recurrence of Bessel functions starts. It is high enough that the start value
 * does not affect the result.
 */
function startAbove(x: number, top: number): number {
  const most = Math.max(top, x, 1);
  return 2 * Math.ceil((most + 12 + Math.sqrt(60 * most)) / 2);
}

/** Computes the Bessel function J_n by downward recurrence, normalized with 1 = J0 + 2 J2 + 2 J4 + ... */
function downwardJ(x: number, n: number): number {
  let above = 0;
  let here = 1e-300;
  let norm = 0;
  let wanted = 0;
  for (let k = startAbove(x, n); k >= 0; k--) {
    if (k === n) wanted = here;
    if (k % 2 === 0) norm += k === 0 ? here : 2 * here;
    const below = ((2 * k) / x) * here - above;
    above = here;
    here = below;
    if (Math.abs(here) > 1e150) {
      here *= 1e-250;
      above *= 1e-250;
      norm *= 1e-250;
      wanted *= 1e-250;
    }
  }
  return wanted / norm;
}

const maxTerms = 80;

/** Computes the Bessel functions J_0 to J_80 in one pass, for 0 < x <= `asymptoticFrom`. */
function lowJ(x: number): Float64Array {
  const list = new Float64Array(maxTerms + 1);
  let above = 0;
  let here = 1e-300;
  let norm = 0;
  for (let k = startAbove(x, maxTerms); k >= 0; k--) {
    if (k <= maxTerms) list[k] = here;
    if (k % 2 === 0) norm += k === 0 ? here : 2 * here;
    const below = ((2 * k) / x) * here - above;
    above = here;
    here = below;
    if (Math.abs(here) > 1e150) {
      here *= 1e-250;
      above *= 1e-250;
      norm *= 1e-250;
      for (let i = k; i <= maxTerms; i++) list[i] = (list[i] as number) * 1e-250;
    }
  }
  return list.map((value) => value / norm);
}

/** Computes the Bessel functions J and Y of order n at large x by Hankel's expansion. */
function hankel(x: number, n: number): [j: number, y: number] {
  const order = 4 * n * n;
  let p = 1;
  let q = 0;
  let term = 1;
  for (let k = 1; k < 60; k++) {
    const next = (term * (order - (2 * k - 1) ** 2)) / (8 * x * k);
    if (Math.abs(next) > Math.abs(term) || next === 0) break;
    term = next;
    const sign = k % 4 < 2 ? 1 : -1;
    if (k % 2 === 1) q += sign * term;
    else p += k % 4 === 2 ? -term : term;
    if (Math.abs(term) < 1e-17) break;
  }
  const angle = x - (n / 2 + 0.25) * Math.PI;
  const size = Math.sqrt(2 / (Math.PI * x));
  return [size * (p * Math.cos(angle) - q * Math.sin(angle)), size * (p * Math.sin(angle) + q * Math.cos(angle))];
}

/**
 * Computes a Bessel function of order n from its orders 0 and 1 by upward recurrence. `sign` is -1 for J and Y, and 1
 * for K. The recurrence is stable for J while n < x, and always for Y and K.
 */
function climb(zero: number, one: number, n: number, x: number, sign: 1 | -1): number {
  if (n === 0) return zero;
  let below = zero;
  let here = one;
  for (let k = 1; k < n; k++) {
    const next = ((2 * k) / x) * here + sign * below;
    below = here;
    here = next;
    if (!Number.isFinite(here)) return here;
  }
  return here;
}

export function besselJ(x: number, n: number): number {
  if (x < 0) return n % 2 === 0 ? besselJ(-x, n) : -besselJ(-x, n);
  if (x === 0) return n === 0 ? 1 : 0;
  if (x > asymptoticFrom && n < x) return climb(hankel(x, 0)[0], hankel(x, 1)[0], n, x, -1);
  return x * x < n ? seriesJ(x, n) : downwardJ(x, n);
}

/** Computes the Bessel function J_n by its power series. Used where the second term is already small. */
function seriesJ(x: number, n: number): number {
  const quarter = (x * x) / 4;
  let term = Math.exp(n * Math.log(x / 2) - lnGamma(n + 1));
  let sum = term;
  for (let k = 1; k < 100; k++) {
    term *= -quarter / (k * (n + k));
    sum += term;
    if (Math.abs(term) < 1e-17 * Math.abs(sum)) break;
  }
  return sum;
}

/** Computes the Bessel function Y of order n, for x > 0. */
export function besselY(x: number, n: number): number {
  if (x > asymptoticFrom) return climb(hankel(x, 0)[1], hankel(x, 1)[1], n, x, -1);
  const j = lowJ(x);
  const log = Math.log(x / 2) + euler;
  let even = 0;
  let odd = 0;
  for (let k = 1; k < 40; k++) {
    const sign = k % 2 === 0 ? 1 : -1;
    even += (sign * (j[2 * k] as number)) / k;
    odd += (sign * (2 * k + 1) * (j[2 * k + 1] as number)) / (k * (k + 1));
  }
  const [j0, j1] = [j[0] as number, j[1] as number];
  const zero = (2 / Math.PI) * (log * j0 - 2 * even);
  const one = (2 / Math.PI) * ((log - 1) * j1 - j0 / x - odd);
  return climb(zero, one, n, x, -1);
}

export function besselI(x: number, n: number): number {
  if (x < 0) return n % 2 === 0 ? besselI(-x, n) : -besselI(-x, n);
  if (x === 0) return n === 0 ? 1 : 0;
  const quarter = (x * x) / 4;
  // The terms are scaled by exp(-x), because the largest ones are near exp(x) and would overflow. If the scaled first
  // term is too small and becomes 0, the terms are not scaled.
  let term = Math.exp(n * Math.log(x / 2) - lnGamma(n + 1) - x);
  let scale = Math.exp(x);
  if (term === 0) {
    term = Math.exp(n * Math.log(x / 2) - lnGamma(n + 1));
    scale = 1;
  }
  let sum = term;
  for (let k = 1; k < 100_000; k++) {
    if ((k & 63) === 0) charge(64);
    term *= quarter / (k * (n + k));
    sum += term;
    if (term < 1e-17 * sum || !Number.isFinite(sum)) break;
  }
  return sum * scale;
}

/**
 * Computes the Bessel function K for x > 0: integrates exp(-x cosh t) cosh(n t) by the trapezoidal rule, which
 * converges exponentially here.
 */
export function besselK(x: number, n: number): number {
  const step = 1 / 16;
  const end = Math.acosh(1 + 750 / x);
  let zero = 0.5;
  let one = 0.5;
  for (let t = step; t <= end; t += step) {
    charge(2);
    const cosh = Math.cosh(t);
    const weight = Math.exp(-x * (cosh - 1));
    zero += weight;
    one += weight * cosh;
  }
  const scale = step * Math.exp(-x);
  return climb(zero * scale, one * scale, n, x, 1);
}
