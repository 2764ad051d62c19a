import {
  CellError,
  cellErrors,
  Lambda,
  RefUnion,
  isGrid,
  type Grid,
  type Scalar,
  type Value,
} from '../../base/values.ts';
import { define, type Definition } from '../define.ts';
import { strictNumber } from '../toolpak-arguments.ts';
import { commonUnit, complexOf, complexText, type Complex } from './complex.ts';

type Pair = readonly [re: number, im: number];

function map(name: string, compute: (z: Complex) => Pair): Definition {
  return define(name, 'any', (_call, value) => {
    const z = complexOf(value);
    const [re, im] = compute(z);
    return complexText(re, im, z.unit);
  });
}

function measure(name: string, compute: (z: Complex) => number | CellError): Definition {
  return define(name, 'any', (_call, value) => compute(complexOf(value)));
}

function combine(name: string, compute: (a: Complex, b: Complex) => Pair): Definition {
  return define(name, 'any any', (_call, left, right) => {
    const a = complexOf(left);
    const b = complexOf(right);
    const unit = commonUnit(a.unit, b.unit);
    const [re, im] = compute(a, b);
    return complexText(re, im, unit);
  });
}

/**
 * Defines a function that combines any number of complex arguments (IMSUM, IMPRODUCT). Blank cells in a range of
 * several cells are ignored. A reference to a single blank cell counts as 0.
 */
function fold(name: string, start: Pair, compute: (a: Pair, b: Complex) => Pair): Definition {
  return define(name, 'value...', (_call, ...args) => {
    let total = start;
    let unit: Complex['unit'] = '';
    let count = 0;
    const add = (value: Scalar): void => {
      const z = complexOf(value);
      unit = commonUnit(unit, z.unit);
      total = compute(total, z);
      count++;
    };
    for (const arg of args) eachScalar(arg, add);
    return count === 0 ? '0' : complexText(total[0], total[1], unit);
  });
}

function eachScalar(arg: Value, visit: (value: Scalar) => void): void {
  if (arg instanceof Lambda) throw cellErrors.calc;
  if (!isGrid(arg) && !(arg instanceof RefUnion)) {
    visit(arg);
    return;
  }
  const areas: readonly Grid[] = isGrid(arg) ? [arg] : arg.areas;
  for (const area of areas) {
    if (area.rows * area.cols === 1) visit(area.at(0, 0) ?? 0);
    else area.eachFilled((value) => visit(value));
  }
}

function inverse(re: number, im: number): Pair {
  return divide([1, 0], [re, im]);
}

/** Divides by Smith's method: scaling by the larger part of the divisor avoids overflow. */
function divide([a, b]: Pair, [c, d]: Pair): Pair {
  if (c === 0 && d === 0) throw cellErrors.num;
  if (Math.abs(c) >= Math.abs(d)) {
    const ratio = d / c;
    const size = c + d * ratio;
    return [(a + b * ratio) / size, (b - a * ratio) / size];
  }
  const ratio = c / d;
  const size = c * ratio + d;
  return [(a * ratio + b) / size, (b * ratio - a) / size];
}

function polar(size: number, angle: number): Pair {
  return [size * Math.cos(angle), size * Math.sin(angle)];
}

function sine({ re, im }: Complex): Pair {
  return [Math.sin(re) * Math.cosh(im), Math.cos(re) * Math.sinh(im)];
}

function cosine({ re, im }: Complex): Pair {
  return [Math.cos(re) * Math.cosh(im), -Math.sin(re) * Math.sinh(im)];
}

function hyperbolicSine({ re, im }: Complex): Pair {
  return [Math.sinh(re) * Math.cos(im), Math.cosh(re) * Math.sin(im)];
}

function hyperbolicCosine({ re, im }: Complex): Pair {
  return [Math.cosh(re) * Math.cos(im), Math.sinh(re) * Math.sin(im)];
}

/** Computes the tangent from the doubled angle, because dividing sine by cosine overflows for large imaginary parts. */
function tangent({ re, im }: Complex): Pair {
  if (Math.abs(im) > 300) return [0, Math.sign(im)];
  const below = Math.cos(2 * re) + Math.cosh(2 * im);
  return [Math.sin(2 * re) / below, Math.sinh(2 * im) / below];
}

function logarithm(z: Complex, scale: number): Pair {
  const size = Math.hypot(z.re, z.im);
  if (size === 0) throw cellErrors.num;
  return [Math.log(size) / scale, Math.atan2(z.im, z.re) / scale];
}

function squareRoot(z: Complex): Pair {
  if (z.im === 0) return z.re >= 0 ? [Math.sqrt(z.re), 0] : [0, Math.sqrt(-z.re)];
  return polar(Math.sqrt(Math.hypot(z.re, z.im)), Math.atan2(z.im, z.re) / 2);
}

export const complexFunctions: readonly Definition[] = [
  define('COMPLEX', 'any any any?', (_call, re, im, suffix) => {
    const [x, y] = [strictNumber(re), strictNumber(im)];
    if (suffix instanceof CellError) return suffix;
    const unit = suffix === undefined || suffix === null || suffix === '' ? 'i' : suffix;
    return unit === 'i' || unit === 'j' ? complexText(x, y, unit) : cellErrors.value;
  }),
  measure('IMABS', (z) => Math.hypot(z.re, z.im)),
  measure('IMREAL', (z) => z.re),
  measure('IMAGINARY', (z) => z.im),
  measure('IMARGUMENT', (z) => (z.re === 0 && z.im === 0 ? cellErrors.div0 : Math.atan2(z.im, z.re))),
  map('IMCONJUGATE', (z) => [z.re, -z.im]),
  map('IMCOS', cosine),
  map('IMCOSH', hyperbolicCosine),
  map('IMCOT', (z) => inverse(...tangent(z))),
  map('IMCSC', (z) => inverse(...sine(z))),
  map('IMCSCH', (z) => inverse(...hyperbolicSine(z))),
  map('IMEXP', (z) => polar(Math.exp(z.re), z.im)),
  map('IMLN', (z) => logarithm(z, 1)),
  map('IMLOG10', (z) => logarithm(z, Math.LN10)),
  map('IMLOG2', (z) => logarithm(z, Math.LN2)),
  map('IMSEC', (z) => inverse(...cosine(z))),
  map('IMSECH', (z) => inverse(...hyperbolicCosine(z))),
  map('IMSIN', sine),
  map('IMSINH', hyperbolicSine),
  map('IMSQRT', squareRoot),
  map('IMTAN', tangent),
  combine('IMDIV', (a, b) => divide([a.re, a.im], [b.re, b.im])),
  combine('IMSUB', (a, b) => [a.re - b.re, a.im - b.im]),
  define('IMPOWER', 'any any', (_call, value, exponent) => {
    const z = complexOf(value);
    const n = strictNumber(exponent);
    const size = Math.hypot(z.re, z.im);
    if (size === 0) return n > 0 ? '0' : cellErrors.num;
    const [re, im] = polar(size ** n, Math.atan2(z.im, z.re) * n);
    // An integer power of a real number is real. Compute it without the rounding errors of polar coordinates.
    const real = z.im === 0 && Number.isInteger(n);
    return complexText(real ? z.re ** n : re, real ? 0 : im, z.unit);
  }),
  fold('IMSUM', [0, 0], (a, b) => [a[0] + b.re, a[1] + b.im]),
  fold('IMPRODUCT', [1, 0], (a, b) => [a[0] * b.re - a[1] * b.im, a[0] * b.im + a[1] * b.re]),
];
