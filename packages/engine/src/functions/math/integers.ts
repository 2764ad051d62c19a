import { charge } from '../../base/budget.ts';
import { toNumber } from '../../base/coerce.ts';
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
import { factorial as integerFactorial } from '../../numerics/gamma.ts';
import { define, type Definition } from '../define.ts';
import { strictNumber, strictWhole } from '../toolpak-arguments.ts';

export function factorial(n: number): number | CellError {
  const product = n < 0 ? Infinity : integerFactorial(Math.trunc(n));
  return Number.isFinite(product) ? product : cellErrors.num;
}

/** Returns the binomial coefficient for whole numbers 0 <= k <= n. */
function combinations(n: number, k: number): number {
  const few = Math.min(k, n - k);
  charge(8);
  let result = 1;
  for (let i = 1; i <= few; i++) {
    result = (result * (n - few + i)) / i;
    if (!Number.isFinite(result)) return Infinity;
  }
  return Math.round(result) === result || result > 1e15 ? result : Math.round(result);
}

function gcd(a: number, b: number): number {
  let x = a;
  let y = b;
  while (y !== 0) {
    charge(1);
    [x, y] = [y, x % y];
  }
  return x;
}

/**
 * Returns the whole numbers in the arguments of GCD and similar functions. Text in cells is converted, booleans are
 * rejected, and an argument left empty gives #N/A. A blank cell is ignored if it is an argument, and counts as 0 if it
 * is inside a range.
 */
function wholeNumbers(args: readonly Value[]): number[] {
  const list: number[] = [];
  const add = (value: Scalar): void => {
    const number = strictNumber(value);
    if (number < 0 || number >= 2 ** 53) throw cellErrors.num;
    list.push(Math.trunc(number));
  };
  for (const arg of args) {
    if (arg === null) throw cellErrors.na;
    if (arg instanceof Lambda) throw cellErrors.calc;
    const areas: readonly Grid[] = isGrid(arg) ? [arg] : arg instanceof RefUnion ? arg.areas : [];
    for (const area of areas) {
      const before = list.length;
      area.eachFilled(add);
      const cells = area.rows * area.cols;
      if (cells > 1 && list.length - before < cells) list.push(0);
    }
    if (!isGrid(arg) && !(arg instanceof RefUnion)) add(arg);
  }
  return list;
}

/**
 * Roman numerals for the function ROMAN: value, letters, and the lowest form that uses them. Form 0 is the classic
 * notation; forms 1 to 4 are more and more concise.
 */
const romanBase =
  `1000:M:0 900:CM:0 500:D:0 400:CD:0 100:C:0 90:XC:0 50:L:0 40:XL:0 10:X:0 9:IX:0 5:V:0 4:IV:0 1:I:0 950:LM:1
450:LD:1 95:VC:1 45:VL:1 990:XM:2 490:XD:2 99:IC:2 49:IL:2 995:VM:3 495:VD:3 999:IM:4 499:ID:4`
    .split(/\s+/)
    .map((one) => one.split(':'))
    .map(([value, letters = '', from]) => [Number(value), letters, Number(from)] as const);
const romanTables = [0, 1, 2, 3, 4].map((form) =>
  romanBase.filter(([, , from]) => from <= form).toSorted((a, b) => b[0] - a[0]),
);

function roman(n: number, form: number): string {
  let rest = n;
  let text = '';
  for (const [value, letters] of romanTables[form] ?? []) {
    while (rest >= value) {
      text += letters;
      rest -= value;
    }
  }
  return text;
}

const romanValues: Readonly<Record<string, number>> = { I: 1, V: 5, X: 10, L: 50, C: 100, D: 500, M: 1000 };

function arabic(text: string): number | CellError {
  const written = text.trim().toUpperCase();
  if (written.length > 255) return cellErrors.value;
  const negative = written.startsWith('-');
  const letters = negative ? written.slice(1) : written;
  if (negative && letters === '') return cellErrors.value;
  let total = 0;
  let highest = 0;
  for (let i = letters.length - 1; i >= 0; i--) {
    const value = romanValues[letters[i] as string];
    if (value === undefined) return cellErrors.value;
    if (value < highest) total -= value;
    else {
      total += value;
      highest = value;
    }
  }
  return negative ? -total : total;
}

function romanForm(form: Scalar): number | CellError {
  if (form === true) return 0;
  if (form === false) return 4;
  const number = toNumber(form);
  return number instanceof CellError ? number : Math.trunc(number);
}

/** Returns the multinomial coefficient (a + b + ...)! / (a! b! ...). */
function multinomial(list: readonly number[]): number {
  let sum = 0;
  let result = 1;
  for (const item of list) {
    sum += item;
    result *= combinations(sum, item);
    if (!Number.isFinite(result)) return Infinity;
  }
  return result;
}

export const integerFunctions: readonly Definition[] = [
  define('FACT', 'number', (_call, n) => factorial(n)),
  define('FACTDOUBLE', 'any', (_call, n) => {
    const whole = strictWhole(n);
    if (whole < -1 || whole > 300) return cellErrors.num;
    let result = 1;
    for (let i = whole; i > 1; i -= 2) result *= i;
    return result;
  }),
  define('COMBIN', 'number number', (_call, n, k) => {
    const [all, some] = [Math.trunc(n), Math.trunc(k)];
    if (all < 0 || some < 0 || all < some) return cellErrors.num;
    return combinations(all, some);
  }),
  define('COMBINA', 'number number', (_call, n, k) => {
    const [all, some] = [Math.trunc(n), Math.trunc(k)];
    if (all < 0 || some < 0 || (all === 0 && some > 0)) return cellErrors.num;
    return some === 0 ? 1 : combinations(all + some - 1, some);
  }),
  define('GCD', 'value...', (_call, ...args) => {
    const list = wholeNumbers(args);
    return list.length === 0 ? cellErrors.value : list.reduce(gcd, 0);
  }),
  define('LCM', 'value...', (_call, ...args) => {
    const list = wholeNumbers(args);
    if (list.length === 0) return cellErrors.value;
    if (list.includes(0)) return 0;
    let result = 1;
    for (const item of list) {
      result = (result / gcd(result, item)) * item;
      // Stop before the product becomes infinite. The remainder would then be NaN, and Euclid's algorithm in `gcd`
      // would never end.
      if (result >= 2 ** 53) return cellErrors.num;
    }
    return result;
  }),
  define('MULTINOMIAL', 'value...', (_call, ...args) => {
    return multinomial(wholeNumbers(args));
  }),

  define('BASE', 'number number number?', (_call, n, radix, length = 0) => {
    const value = Math.trunc(n);
    const base = Math.trunc(radix);
    const least = Math.trunc(length);
    if (value < 0 || value >= 2 ** 53 || base < 2 || base > 36 || least < 0 || least > 255) return cellErrors.num;
    return value.toString(base).toUpperCase().padStart(least, '0');
  }),
  define('DECIMAL', 'text number', (_call, text, radix) => {
    const base = Math.trunc(radix);
    if (base < 2 || base > 36) return cellErrors.num;
    const digits = text.trim().toLowerCase();
    if (digits.length > 255) return cellErrors.value;
    let value = 0;
    for (const digit of digits) {
      const weight = /[0-9a-z]/.test(digit) ? parseInt(digit, 36) : base;
      if (weight >= base) return cellErrors.num;
      value = value * base + weight;
    }
    return value;
  }),
  define('ROMAN', 'number any?', (_call, n, form = 0) => {
    const value = Math.trunc(n);
    const brevity = romanForm(form);
    if (brevity instanceof CellError) return brevity;
    if (value < 0 || value > 3999 || brevity < 0 || brevity > 4) return cellErrors.value;
    return roman(value, brevity);
  }),
  define('ARABIC', 'text', (_call, text) => arabic(text)),
];
