import { toNumber, toText } from './coerce.ts';
import { compareScalars } from './compare.ts';
import { CellError, cellErrors, type Scalar } from './values.ts';

export type BinaryOperator = '+' | '-' | '*' | '/' | '^' | '&' | '=' | '<>' | '<' | '<=' | '>' | '>=';

/** Maximum length of a text in a cell, in characters. */
export const maxText = 32_767;

type Arithmetic = '+' | '-' | '*' | '/' | '^';

export const arithmetic: Record<Arithmetic, (a: number, b: number) => number | CellError> = {
  '+': (a, b) => finite(a + b),
  '-': (a, b) => finite(a - b),
  '*': (a, b) => finite(a * b),
  '/': (a, b) => (b === 0 ? cellErrors.div0 : finite(a / b)),
  '^': power,
};

function finite(value: number): number | CellError {
  return value - value === 0 ? value : cellErrors.num;
}

export function power(base: number, exponent: number): number | CellError {
  if (base === 0) {
    if (exponent === 0) return cellErrors.num;
    if (exponent < 0) return cellErrors.div0;
  }
  if (base < 0 && !Number.isInteger(exponent)) {
    // Odd roots of negative numbers are real: (-8)^(1/3) is -2.
    const root = Math.round(1 / exponent);
    if (root % 2 !== 0 && Math.abs(1 / exponent - root) < 1e-9) return finite(-((-base) ** exponent));
    return cellErrors.num;
  }
  return finite(base ** exponent);
}

/**
 * Compares numbers as the comparison operators do: numbers that agree in 15 digits are equal, because they look equal
 * to a user.
 */
export function compareNumbers(a: number, b: number): number {
  if (a === b) return 0;
  const gap = Math.abs(a - b);
  if (gap < 1e-14 * Math.max(Math.abs(a), Math.abs(b)) && a.toPrecision(15) === b.toPrecision(15)) return 0;
  return a < b ? -1 : 1;
}

function compare(a: Scalar, b: Scalar): number {
  return typeof a === 'number' && typeof b === 'number' ? compareNumbers(a, b) : compareScalars(a, b);
}

const comparisons: Record<string, (order: number) => boolean> = {
  '=': (order) => order === 0,
  '<>': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

function joinText(a: Scalar, b: Scalar): Scalar {
  const left = toText(a);
  if (left instanceof CellError) return left;
  const right = toText(b);
  if (right instanceof CellError) return right;
  return left.length + right.length > maxText ? cellErrors.value : left + right;
}

export function binaryScalar(op: BinaryOperator): (a: Scalar, b: Scalar) => Scalar {
  if (op === '&') return joinText;
  const test = comparisons[op];
  if (test) {
    return (a, b) => {
      if (a instanceof CellError) return a;
      if (b instanceof CellError) return b;
      return test(compare(a, b));
    };
  }
  const run = arithmetic[op as Arithmetic];
  return (a, b) => {
    const left = toNumber(a);
    if (left instanceof CellError) return left;
    const right = toNumber(b);
    if (right instanceof CellError) return right;
    return run(left, right);
  };
}

export function negate(value: Scalar): Scalar {
  const number = toNumber(value);
  return number instanceof CellError ? number : 0 - number;
}

export function percent(value: Scalar): Scalar {
  const number = toNumber(value);
  return number instanceof CellError ? number : number / 100;
}

/** Applies the unary plus of formulas. It returns its operand unchanged, even text. */
export function plus(value: Scalar): Scalar {
  return value;
}
