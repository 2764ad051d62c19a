import { charge } from '../../base/budget.ts';
import { gamma } from '../../numerics/gamma.ts';
import { normalDensity } from '../../numerics/normal.ts';
import { cellErrors, type CellError } from '../../base/values.ts';
import { define, type Definition } from '../define.ts';
import { pairsOf, sum } from './descriptive-statistics.ts';

function permutations(total: number, chosen: number): number | CellError {
  const n = Math.trunc(total);
  const k = Math.trunc(chosen);
  if (n < 0 || k < 0 || k > n) return cellErrors.num;
  let product = 1;
  // Stops once the product is 0 or infinite, because further factors do not change it.
  for (let i = 0; i < k && product !== Infinity && product !== 0; i++) {
    if ((i & 255) === 255) charge(256);
    product *= n - i;
  }
  return product;
}

export const probabilityFunctions: readonly Definition[] = [
  define('FISHER', 'number', (_call, x) => (Math.abs(x) >= 1 ? cellErrors.num : Math.atanh(x))),
  define('FISHERINV', 'number', (_call, y) => Math.tanh(y)),
  define('GAMMA', 'number', (_call, x) => gamma(x)),
  define('PHI', 'number', (_call, x) => normalDensity(x)),
  define('STANDARDIZE', 'number number number', (_call, x, center, deviation) =>
    deviation <= 0 ? cellErrors.num : (x - center) / deviation,
  ),
  define('PERMUT', 'number number', (_call, n, k) => permutations(n, k)),
  define('PERMUTATIONA', 'number number', (_call, total, chosen) => {
    const n = Math.trunc(total);
    const k = Math.trunc(chosen);
    return n < 0 || k < 0 ? cellErrors.num : n ** k;
  }),
  define('PROB', 'array array number number?', (_call, values, shares, lower, upper) => {
    const { x, y } = pairsOf(values, shares);
    if (y.length === 0) return cellErrors.div0;
    if (y.some((share) => share < 0 || share > 1) || Math.abs(sum(y) - 1) > 1e-7) return cellErrors.num;
    const top = upper ?? lower;
    return sum(y.filter((_share, i) => (x[i] as number) >= lower && (x[i] as number) <= top));
  }),
];
