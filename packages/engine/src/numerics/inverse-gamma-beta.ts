import { charge } from '../base/budget.ts';
import { betaDensity, incompleteBeta } from './beta.ts';
import { incompleteGamma, poissonTerm } from './gamma.ts';
import { normalInverse } from './normal.ts';

/**
 * Finds the root of an increasing function by Newton's method within a shrinking bracket. `f` returns the value
 * (negative left of the root) and the slope.
 */
function root(low: number, high: number, start: number, f: (t: number) => [value: number, slope: number]): number {
  let left = low;
  let right = high;
  let t = start > low && start < high ? start : (low + high) / 2;
  for (let i = 0; i < 400; i++) {
    charge(16);
    const [value, slope] = f(t);
    if (value === 0) return t;
    if (value < 0) left = t;
    else right = t;
    let next = t - value / slope;
    if (!(next > left && next < right)) next = (left + right) / 2;
    if (Math.abs(next - t) <= 4e-16 * Math.abs(next) || next === t) return next;
    t = next;
  }
  return t;
}

/**
 * Inverts the incomplete gamma function: returns x with P(a, x) = p, where q = 1 - p. It solves for the smaller of the
 * two tails, which minimizes the relative error. The unknown is ln x, so that tiny roots keep their precision.
 */
export function gammaInverse(p: number, q: number, a: number): number {
  if (p <= 0) return 0;
  if (q <= 0) return Infinity;
  const z = normalInverse(p <= 0.5 ? p : 1 - q);
  const cube = 1 - 1 / (9 * a) + z / (3 * Math.sqrt(a));
  let start = Math.log(a) + 3 * Math.log(Math.max(cube, 1e-3));
  if (a < 1 || cube < 0.1) start = Math.min(start, (Math.log(p) + Math.log(a)) / a + Math.log(1 + 1 / a));
  const lower = p <= q;
  const t = root(-1e6, 1e3, start, (u) => {
    const x = Math.exp(u);
    const [left, right] = incompleteGamma(a, x);
    const slope = a * poissonTerm(a, x);
    return lower ? logarithmic(left, p, slope) : flip(logarithmic(right, q, -slope));
  });
  return Math.exp(t);
}

/**
 * Inverts the regularised incomplete beta function: returns [x, 1 - x] with I_x(a, b) = p, both to full precision. `q`
 * is 1 - p.
 */
export function betaInverse(p: number, q: number, a: number, b: number, mirrored = false): [x: number, y: number] {
  if (p <= 0) return [0, 1];
  if (q <= 0) return [1, 0];
  const [middle, above] = incompleteBeta(0.5, 0.5, a, b);
  // For x above 0.5, solve the mirrored problem I_y(b, a) = q with y = 1 - x instead. Because of rounding, this test
  // may also hold for the mirrored arguments, so they are mirrored at most once.
  if (!mirrored && (p <= q ? p > middle : q < above)) {
    const [y, x] = betaInverse(q, p, b, a, true);
    return [x, y];
  }
  const lower = p <= q;
  const start = Math.log(a / (a + b));
  const t = root(-1e6, Math.LN2 * -1 + 1e-9, start, (u) => {
    const x = Math.exp(u);
    const y = -Math.expm1(u);
    const [left, right] = incompleteBeta(x, y, a, b);
    const slope = x === 0 ? 0 : betaDensity(x, y, a, b) * x;
    return lower ? logarithmic(left, p, slope) : flip(logarithmic(right, q, -slope));
  });
  return [Math.exp(t), -Math.expm1(t)];
}

/**
 * Returns ln(tail) - ln(target) and its slope. Newton's method solves for the root of this difference, because for tiny
 * tails it is nearly linear in ln x, while the tail itself is almost flat.
 */
function logarithmic(tail: number, target: number, slope: number): [number, number] {
  if (tail <= 0) return [-Infinity, 0];
  return [Math.log(tail / target), slope / tail];
}

function flip([value, slope]: [number, number]): [number, number] {
  return [-value, -slope];
}
