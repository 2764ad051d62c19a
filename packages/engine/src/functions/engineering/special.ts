import { besselI, besselJ, besselK, besselY } from '../../numerics/bessel.ts';
import { erf, erfc } from '../../numerics/erf.ts';
import { cellErrors } from '../../base/values.ts';
import { define, type Definition } from '../define.ts';
import { strictNumber, strictOr, strictWhole } from '../toolpak-arguments.ts';

/** Maximum order of a Bessel function; larger orders take too long. */
const maxOrder = 1e6;

function bessel(name: string, compute: (x: number, n: number) => number, positive: boolean): Definition {
  return define(name, 'any any', (call, value, order) => {
    const x = strictNumber(value);
    const n = strictWhole(order);
    if (n < 0 || n > maxOrder || Math.abs(x) > 1e9 || (positive && x <= 0)) return cellErrors.num;
    call.budget.spend(n + 100);
    return compute(x, n);
  });
}

export const specialFunctions: readonly Definition[] = [
  bessel('BESSELI', besselI, false),
  bessel('BESSELJ', besselJ, false),
  bessel('BESSELK', besselK, true),
  bessel('BESSELY', besselY, true),
  define('ERF', 'any any?', (_call, low, high) => {
    const from = strictNumber(low);
    return high === undefined ? erf(from) : erf(strictNumber(high)) - erf(from);
  }),
  define('ERF.PRECISE', 'any', (_call, x) => erf(strictNumber(x))),
  define('ERFC', 'any', (_call, x) => erfc(strictNumber(x)), { aliases: ['ERFC.PRECISE'] }),
  define('DELTA', 'any any?', (_call, a, b) => (strictNumber(a) === strictOr(b, 0) ? 1 : 0)),
  define('GESTEP', 'any any?', (_call, x, step) => (strictNumber(x) >= strictOr(step, 0) ? 1 : 0)),
];
