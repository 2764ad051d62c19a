import { power } from '../../base/operators.ts';
import { cellErrors, type CellError, type Value } from '../../base/values.ts';
import { cosine, sine, tangent } from '../../numerics/trigonometry.ts';
import { define, type Definition } from '../define.ts';
import { strictNumber } from '../toolpak-arguments.ts';

/** Trigonometric functions return #NUM! for an angle whose absolute value is at least this limit, as in Excel. */
const angleLimit = 2 ** 27;

function plain(name: string, compute: (x: number) => Value): Definition {
  return define(name, 'number', (_call, x) => compute(x));
}

function angle(name: string, compute: (x: number) => Value): Definition {
  return plain(name, (x) => (Math.abs(x) >= angleLimit ? cellErrors.num : compute(x)));
}

function inverse(x: number): number | CellError {
  return x === 0 ? cellErrors.div0 : 1 / x;
}

export const elementaryFunctions: readonly Definition[] = [
  plain('ABS', Math.abs),
  plain('SIGN', Math.sign),
  plain('SQRT', (x) => (x < 0 ? cellErrors.num : Math.sqrt(x))),
  define('SQRTPI', 'any', (_call, value) => {
    const x = strictNumber(value);
    return x < 0 ? cellErrors.num : Math.sqrt(x * Math.PI);
  }),
  plain('EXP', Math.exp),
  plain('LN', (x) => (x <= 0 ? cellErrors.num : Math.log(x))),
  plain('LOG10', (x) => (x <= 0 ? cellErrors.num : Math.log10(x))),
  define('LOG', 'number number?', (_call, x, base = 10) => {
    if (x <= 0 || base <= 0) return cellErrors.num;
    if (base === 1) return cellErrors.div0;
    if (base === 10) return Math.log10(x);
    return base === 2 ? Math.log2(x) : Math.log(x) / Math.log(base);
  }),
  define('POWER', 'number number', (_call, base, exponent) => power(base, exponent)),
  define('PI', '', () => Math.PI),
  plain('DEGREES', (x) => (x * 180) / Math.PI),
  plain('RADIANS', (x) => (x * Math.PI) / 180),

  angle('SIN', sine),
  angle('COS', cosine),
  angle('TAN', tangent),
  angle('COT', (x) => inverse(tangent(x))),
  angle('SEC', (x) => inverse(cosine(x))),
  angle('CSC', (x) => inverse(sine(x))),
  plain('ASIN', Math.asin),
  plain('ACOS', Math.acos),
  plain('ATAN', Math.atan),
  plain('ACOT', (x) => Math.PI / 2 - Math.atan(x)),
  define('ATAN2', 'number number', (_call, x, y) => (x === 0 && y === 0 ? cellErrors.div0 : Math.atan2(y, x))),

  plain('SINH', Math.sinh),
  plain('COSH', Math.cosh),
  plain('TANH', Math.tanh),
  plain('COTH', (x) => inverse(Math.tanh(x))),
  plain('SECH', (x) => 1 / Math.cosh(x)),
  plain('CSCH', (x) => inverse(Math.sinh(x))),
  plain('ASINH', Math.asinh),
  plain('ACOSH', Math.acosh),
  plain('ATANH', (x) => (Math.abs(x) >= 1 ? cellErrors.num : Math.atanh(x))),
  plain('ACOTH', (x) => (Math.abs(x) <= 1 ? cellErrors.num : Math.atanh(1 / x))),
];
