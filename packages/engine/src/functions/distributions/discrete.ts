import { binomialTerm, incompleteBeta } from '../../numerics/beta.ts';
import { cellErrors } from '../../base/values.ts';
import type { CallContext } from '../call-context.ts';
import { define, type Definition } from '../define.ts';

/** Returns the probability of at most k successes in n trials. */
function binomialCdf(k: number, n: number, p: number): number {
  if (k < 0) return 0;
  return k >= n ? 1 : incompleteBeta(1 - p, p, n - k, k + 1)[0];
}

function binomial(successes: number, trials: number, p: number, cumulative: boolean): number {
  const k = Math.trunc(successes);
  const n = Math.trunc(trials);
  if (successes < 0 || k > n || n > Number.MAX_SAFE_INTEGER || !(p >= 0 && p <= 1)) throw cellErrors.num;
  return cumulative ? binomialCdf(k, n, p) : binomialTerm(k, n, p, 1 - p);
}

function binomialRange(trials: number, p: number, from: number, to: number): number {
  const n = Math.trunc(trials);
  const first = Math.trunc(from);
  const last = Math.trunc(to);
  if (n < 0 || !(p >= 0 && p <= 1) || first < 0 || last < first || last > n) throw cellErrors.num;
  if (last - first > 200) return binomialCdf(last, n, p) - binomialCdf(first - 1, n, p);
  let total = 0;
  for (let k = first; k <= last; k++) total += binomialTerm(k, n, p, 1 - p);
  return Math.min(1, total);
}

/** Returns the smallest number of successes whose cumulative probability reaches alpha. */
function binomialQuantile(trials: number, p: number, alpha: number): number {
  const n = Math.trunc(trials);
  if (trials < 0 || n > Number.MAX_SAFE_INTEGER || !(p > 0 && p < 1) || alpha <= 0 || alpha >= 1) throw cellErrors.num;
  // Alpha is often a rounded probability, so the comparison has a small tolerance.
  const goal = alpha * (1 - 1e-14);
  let low = 0;
  let high = n;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (binomialCdf(middle, n, p) >= goal) high = middle;
    else low = middle + 1;
  }
  return low;
}

function negativeBinomial(failures: number, successes: number, p: number, cumulative: boolean): number {
  const f = Math.trunc(failures);
  const s = Math.trunc(successes);
  if (failures < 0 || s < 1 || p <= 0 || p >= 1) throw cellErrors.num;
  return cumulative ? incompleteBeta(p, 1 - p, s, f + 1)[0] : (s / (s + f)) * binomialTerm(s, s + f, p, 1 - p);
}

/** Returns the probability of k marked items among n drawn from `population` items, of which `marked` are marked. */
function hypergeometricTerm(k: number, n: number, marked: number, population: number): number {
  if (k < 0 || k > marked || n - k < 0 || n - k > population - marked) return 0;
  const p = n / population;
  const q = (population - n) / population;
  const both = binomialTerm(k, marked, p, q) * binomialTerm(n - k, population - marked, p, q);
  return both / binomialTerm(n, population, p, q);
}

function hypergeometric(
  call: CallContext,
  sampleHits: number,
  sampleSize: number,
  hits: number,
  size: number,
  cumulative: boolean,
): number {
  const k = Math.trunc(sampleHits);
  const n = Math.trunc(sampleSize);
  const marked = Math.trunc(hits);
  const population = Math.trunc(size);
  if (population <= 0 || n < 0 || n > population || marked < 0 || marked > population) throw cellErrors.num;
  const least = Math.max(0, n - (population - marked));
  if (k < 0 || k > Math.min(n, marked)) throw cellErrors.num;
  if (!cumulative) return hypergeometricTerm(k, n, marked, population);
  // Beyond this limit, numbers are so large that `i--` in the loop would not change i, and the loop would not end.
  if (k > Number.MAX_SAFE_INTEGER) throw cellErrors.num;
  let total = 0;
  for (let i = k; i >= least; i--) {
    call.budget.spend(4);
    const term = hypergeometricTerm(i, n, marked, population);
    total += term;
    if (term < 1e-17 * total && i < (n * marked) / population) break;
  }
  return Math.min(1, total);
}

/**
 * Binomial, hypergeometric and other discrete distributions. In addition to Excel's arguments, HYPGEOMDIST accepts a
 * last argument that chooses between the cumulative probability and that of a single value, as in OpenDocument.
 */
export const discreteFunctions: readonly Definition[] = [
  define(
    'BINOM.DIST',
    'number number number logical',
    (_call, successes, trials, p, cumulative) => binomial(successes, trials, p, cumulative),
    { aliases: ['BINOMDIST'] },
  ),
  define('BINOM.DIST.RANGE', 'number number number number?', (_call, trials, p, from, to) =>
    binomialRange(trials, p, from, to ?? from),
  ),
  define('BINOM.INV', 'number number number', (_call, trials, p, alpha) => binomialQuantile(trials, p, alpha), {
    aliases: ['CRITBINOM'],
  }),
  define('NEGBINOM.DIST', 'number number number logical', (_call, failures, successes, p, cumulative) =>
    negativeBinomial(failures, successes, p, cumulative),
  ),
  define('NEGBINOMDIST', 'number number number', (_call, failures, successes, p) =>
    negativeBinomial(failures, successes, p, false),
  ),
  define('HYPGEOM.DIST', 'number number number number logical', (call, k, n, marked, population, cumulative) =>
    hypergeometric(call, k, n, marked, population, cumulative),
  ),
  define('HYPGEOMDIST', 'number number number number logical?', (call, k, n, marked, population, cumulative = false) =>
    hypergeometric(call, k, n, marked, population, cumulative),
  ),
];
