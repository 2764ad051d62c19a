const twoOverRootPi = 1.1283791670955126;
const rootPi = 1.772453850905516;

/** Computes exp(-x * x) without the rounding error of x * x at large x. */
export function expMinusSquare(x: number): number {
  const high = Math.round(x * 64) / 64;
  return Math.exp(-high * high) * Math.exp(-(x - high) * (x + high));
}

/** Computes erf by a series with positive terms only, so nothing cancels. Accurate up to about |x| = 3. */
function erfSeries(x: number): number {
  const square = 2 * x * x;
  let term = x;
  let sum = x;
  for (let n = 1; n < 200; n++) {
    term *= square / (2 * n + 1);
    sum += term;
    if (Math.abs(term) <= 1e-17 * Math.abs(sum)) break;
  }
  return twoOverRootPi * expMinusSquare(x) * sum;
}

/** Computes erfc for x >= 1 by Laplace's continued fraction, evaluated from the innermost term outwards. */
function erfcFraction(x: number): number {
  const depth = Math.ceil(12 + 190 / (x * x));
  let tail = x;
  for (let n = depth; n >= 1; n--) tail = x + n / 2 / tail;
  return expMinusSquare(x) / (rootPi * tail);
}

export function erf(x: number): number {
  if (x < 0) return -erf(-x);
  if (x < 2) return erfSeries(x);
  return x > 6 ? 1 : 1 - erfcFraction(x);
}

export function erfc(x: number): number {
  if (x < 1) return 1 - erf(x);
  return x > 27.3 ? 0 : erfcFraction(x);
}
