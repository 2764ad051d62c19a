import { cellErrors, type CellError, type Grid } from '../../base/values.ts';
import { define, type Definition } from '../define.ts';
import { momentsOf, pairsOf, type Moments } from './descriptive-statistics.ts';

function moments(ys: Grid, xs: Grid): Moments {
  return momentsOf(pairsOf(xs, ys));
}

function correlation({ sxx, syy, sxy }: Moments): number {
  if (!(sxx > 0 && syy > 0)) throw cellErrors.div0;
  const product = sxx * syy;
  const both = product > 0 && product < Infinity ? Math.sqrt(product) : Math.sqrt(sxx) * Math.sqrt(syy);
  return Math.max(-1, Math.min(1, sxy / both));
}

function slope({ sxx, sxy }: Moments): number {
  if (!(sxx > 0)) throw cellErrors.div0;
  return sxy / sxx;
}

function intercept(m: Moments): number {
  return m.meanY - slope(m) * m.meanX;
}

function standardError(m: Moments): number | CellError {
  if (m.count < 3 || !(m.sxx > 0)) return cellErrors.div0;
  return Math.sqrt(Math.max(0, m.syy - (m.sxy * m.sxy) / m.sxx) / (m.count - 2));
}

export const correlationFunctions: readonly Definition[] = [
  define('CORREL', 'array array', (_call, a, b) => correlation(moments(a, b)), { aliases: ['PEARSON'] }),
  define('RSQ', 'array array', (_call, ys, xs) => correlation(moments(ys, xs)) ** 2),
  define(
    'COVARIANCE.P',
    'array array',
    (_call, a, b) => {
      const { count, sxy } = moments(a, b);
      return count < 1 ? cellErrors.div0 : sxy / count;
    },
    { aliases: ['COVAR'] },
  ),
  define('COVARIANCE.S', 'array array', (_call, a, b) => {
    const { count, sxy } = moments(a, b);
    return count < 2 ? cellErrors.div0 : sxy / (count - 1);
  }),
  define('SLOPE', 'array array', (_call, ys, xs) => slope(moments(ys, xs))),
  define('INTERCEPT', 'array array', (_call, ys, xs) => intercept(moments(ys, xs))),
  define('STEYX', 'array array', (_call, ys, xs) => standardError(moments(ys, xs))),
  define(
    'FORECAST.LINEAR',
    'number array array',
    (_call, x, ys, xs) => {
      const m = moments(ys, xs);
      return m.meanY + slope(m) * (x - m.meanX);
    },
    { aliases: ['FORECAST'] },
  ),
];
