import { roundTo, dropQuotientNoise } from '../../base/rounding.ts';
import { cellErrors } from '../../base/values.ts';
import { define, type Definition } from '../define.ts';
import { strictNumber } from '../toolpak-arguments.ts';

function ceilingMath(value: number, significance: number, mode: number): number {
  const step = Math.abs(significance);
  if (step === 0 || value === 0) return 0;
  if (value < 0 && mode !== 0) return -Math.ceil(dropQuotientNoise(-value / step)) * step;
  return Math.ceil(dropQuotientNoise(value / step)) * step;
}

function floorMath(value: number, significance: number, mode: number): number {
  const step = Math.abs(significance);
  if (step === 0 || value === 0) return 0;
  if (value < 0 && mode !== 0) return -Math.floor(dropQuotientNoise(-value / step)) * step;
  return Math.floor(dropQuotientNoise(value / step)) * step;
}

export const roundingFunctions: readonly Definition[] = [
  define('ROUND', 'number number', (_call, x, digits) => roundTo(x, digits, 'nearest')),
  define('ROUNDUP', 'number number', (_call, x, digits) => roundTo(x, digits, 'up')),
  define('ROUNDDOWN', 'number number', (_call, x, digits) => roundTo(x, digits, 'down')),
  define('TRUNC', 'number number?', (_call, x, digits = 0) =>
    Math.trunc(digits) === 0 ? Math.trunc(x) : roundTo(x, digits, 'down'),
  ),
  define('INT', 'number', (_call, x) => Math.floor(x)),
  define('EVEN', 'number', (_call, x) => Math.sign(x) * 2 * Math.ceil(Math.abs(x) / 2)),
  define('ODD', 'number', (_call, x) => {
    const sign = x < 0 ? -1 : 1;
    return sign * (2 * Math.ceil((Math.max(Math.abs(x), 1) - 1) / 2) + 1);
  }),

  define('CEILING', 'number number', (_call, x, step) => {
    if (x === 0 || step === 0) return 0;
    if (x > 0 && step < 0) return cellErrors.num;
    return Math.ceil(dropQuotientNoise(x / step)) * step;
  }),
  define('FLOOR', 'number number', (_call, x, step) => {
    if (x === 0) return 0;
    if (step === 0) return cellErrors.div0;
    if (x > 0 && step < 0) return cellErrors.num;
    return Math.floor(dropQuotientNoise(x / step)) * step;
  }),
  define('CEILING.MATH', 'number number? number?', (_call, x, step = 1, mode = 0) => ceilingMath(x, step, mode)),
  define('FLOOR.MATH', 'number number? number?', (_call, x, step = 1, mode = 0) => floorMath(x, step, mode)),
  define('CEILING.PRECISE', 'number number?', (_call, x, step = 1) => ceilingMath(x, step, 0), {
    aliases: ['ISO.CEILING', 'ECMA.CEILING'],
  }),
  define('FLOOR.PRECISE', 'number number?', (_call, x, step = 1) => floorMath(x, step, 0)),
  define('MROUND', 'any any', (_call, value, multiple) => {
    const [x, step] = [strictNumber(value), strictNumber(multiple)];
    if (x === 0 || step === 0) return 0;
    if (x < 0 !== step < 0) return cellErrors.num;
    return Math.floor(x / step + 0.5) * step;
  }),

  define('MOD', 'number number', (_call, x, divisor) => {
    if (divisor === 0) return cellErrors.div0;
    const quotient = x / divisor;
    // MOD returns #NUM! for a quotient this large, as in Excel.
    if (Math.abs(quotient) >= 1_125_900_000_000) return cellErrors.num;
    const whole = Math.floor(dropQuotientNoise(quotient));
    const rest = x - divisor * whole;
    return Math.abs(rest) < Math.abs(x) * 1e-15 ? 0 : rest;
  }),
  define('QUOTIENT', 'any any', (_call, value, divisor) => {
    const [x, by] = [strictNumber(value), strictNumber(divisor)];
    return by === 0 ? cellErrors.div0 : Math.trunc(x / by);
  }),
];
