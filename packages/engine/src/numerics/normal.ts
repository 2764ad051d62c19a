import { erfc, expMinusSquare } from './erf.ts';

const rootTwo = Math.SQRT2;
const oneOverRootTwoPi = 0.3989422804014327;

export function normalDensity(z: number): number {
  return oneOverRootTwoPi * expMinusSquare(z / rootTwo);
}

/** Returns the area under the standard normal curve left of z. */
export function normalCdf(z: number): number {
  return 0.5 * erfc(-z / rootTwo);
}

/** Returns the z for which the area under the standard normal curve left of z is `p`, for 0 < p < 1. */
export function normalInverse(p: number): number {
  if (p === 0.5) return 0;
  if (p > 0.5) return -lowerTail(1 - p);
  return lowerTail(p);
}

function lowerTail(p: number): number {
  // Starts with a rough approximation. Each step of Halley's method triples the number of correct digits.
  const t = Math.sqrt(-2 * Math.log(p));
  let z = -(t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))));
  for (let i = 0; i < 6; i++) {
    const error = (normalCdf(z) - p) / normalDensity(z);
    const step = error / (1 + (z * error) / 2);
    z -= step;
    if (Math.abs(step) <= 1e-16 * Math.abs(z)) break;
  }
  return z;
}
