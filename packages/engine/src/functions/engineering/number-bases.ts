import { toText } from '../../base/coerce.ts';
import { CellError, cellErrors, type Scalar } from '../../base/values.ts';
import { define, type Definition } from '../define.ts';
import { strictNumber, strictWhole } from '../toolpak-arguments.ts';

/**
 * Maximum number of digits of binary, octal and hexadecimal numbers (BIN2DEC and similar functions). Negative numbers
 * use all ten digits, in two's complement.
 */
const maxDigits = 10;

interface Base {
  readonly name: string;
  readonly radix: number;
  readonly pattern: RegExp;
  /** Numbers in this base range from -half to half - 1. */
  readonly half: number;
}

const binary: Base = { name: 'BIN', radix: 2, pattern: /^[01]{0,10}$/, half: 2 ** 9 };
const octal: Base = { name: 'OCT', radix: 8, pattern: /^[0-7]{0,10}$/, half: 2 ** 29 };
const hexadecimal: Base = { name: 'HEX', radix: 16, pattern: /^[0-9a-f]{0,10}$/i, half: 2 ** 39 };

function read(value: Scalar, base: Base): number {
  if (typeof value === 'boolean') throw cellErrors.value;
  const text = toText(value);
  if (text instanceof CellError) throw text;
  if (!base.pattern.test(text)) throw cellErrors.num;
  if (text === '') return 0;
  const number = parseInt(text, base.radix);
  return number >= base.half ? number - 2 * base.half : number;
}

function write(value: number, base: Base, places: Scalar | undefined): string | CellError {
  const length = places === undefined ? undefined : strictWhole(places);
  if (value < -base.half || value >= base.half) return cellErrors.num;
  if (length !== undefined && (length < 1 || length > maxDigits)) return cellErrors.num;
  if (value < 0) return (value + 2 * base.half).toString(base.radix).toUpperCase();
  const digits = value.toString(base.radix).toUpperCase();
  if (length === undefined) return digits;
  return digits.length > length ? cellErrors.num : digits.padStart(length, '0');
}

function between(from: Base, to: Base): Definition {
  return define(`${from.name}2${to.name}`, 'any any?', (_call, value, places) => write(read(value, from), to, places));
}

function toDecimal(from: Base): Definition {
  return define(`${from.name}2DEC`, 'any', (_call, value) => read(value, from));
}

function fromDecimal(to: Base): Definition {
  return define(`DEC2${to.name}`, 'any any?', (_call, value, places) =>
    write(Math.trunc(strictNumber(value)), to, places),
  );
}

const bitLimit = 2 ** 48;

function bits(value: number): bigint {
  if (value < 0 || value >= bitLimit || !Number.isInteger(value)) throw cellErrors.num;
  return BigInt(value);
}

function bitwise(name: string, combine: (a: bigint, b: bigint) => bigint): Definition {
  return define(name, 'number number', (_call, a, b) => Number(combine(bits(a), bits(b))));
}

function shift(name: string, direction: 1 | -1): Definition {
  return define(name, 'number number', (_call, value, amount) => {
    const by = Math.trunc(amount) * direction;
    if (Math.abs(by) > 53) return cellErrors.num;
    const number = bits(value);
    const moved = by >= 0 ? number << BigInt(by) : number >> BigInt(-by);
    return moved >= BigInt(bitLimit) ? cellErrors.num : Number(moved);
  });
}

export const numberBaseFunctions: readonly Definition[] = [
  toDecimal(binary),
  toDecimal(octal),
  toDecimal(hexadecimal),
  fromDecimal(binary),
  fromDecimal(octal),
  fromDecimal(hexadecimal),
  between(binary, octal),
  between(binary, hexadecimal),
  between(octal, binary),
  between(octal, hexadecimal),
  between(hexadecimal, binary),
  between(hexadecimal, octal),
  bitwise('BITAND', (a, b) => a & b),
  bitwise('BITOR', (a, b) => a | b),
  bitwise('BITXOR', (a, b) => a ^ b),
  shift('BITLSHIFT', 1),
  shift('BITRSHIFT', -1),
];
