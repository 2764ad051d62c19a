import { generalText } from '../../base/general-format.ts';
import { cellErrors, type Scalar } from '../../base/values.ts';

/** A complex number, and the letter of its imaginary unit; '' if it was written without one. */
export interface Complex {
  readonly re: number;
  readonly im: number;
  readonly unit: '' | 'i' | 'j';
}

const numberSource = String.raw`(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?`;
const realPattern = new RegExp(`^[+-]?${numberSource}$`);
const complexPattern = new RegExp(`^(?:([+-]?${numberSource})(?=[+-]))?([+-]?(?:${numberSource})?)([ij])$`);

/** Parses a complex number. Throws #NUM! for text that is not one, and #VALUE! for booleans. */
export function complexOf(value: Scalar): Complex {
  if (typeof value === 'number') return { re: value, im: 0, unit: '' };
  if (value === null) return { re: 0, im: 0, unit: '' };
  if (typeof value === 'boolean') throw cellErrors.value;
  if (typeof value !== 'string') throw value;
  const text = value.trim();
  if (realPattern.test(text)) return finiteComplex(Number(text), 0, '');
  const match = complexPattern.exec(text);
  if (!match) throw cellErrors.num;
  const unit = match[3] as 'i' | 'j';
  const first = match[1] ?? '';
  const second = match[2] ?? '';
  const im = second === '' || second === '+' ? 1 : second === '-' ? -1 : Number(second);
  return finiteComplex(first === '' ? 0 : Number(first), im, unit);
}

function finiteComplex(re: number, im: number, unit: Complex['unit']): Complex {
  if (!Number.isFinite(re) || !Number.isFinite(im)) throw cellErrors.num;
  return { re, im, unit };
}

/** Formats a complex number: `3+4i`, `-i`, `5`. */
export function complexText(re: number, im: number, unit: Complex['unit']): string {
  if (!Number.isFinite(re) || !Number.isFinite(im)) throw cellErrors.num;
  const letter = unit === '' ? 'i' : unit;
  if (im === 0) return generalText(re);
  const size = Math.abs(im) === 1 ? '' : generalText(Math.abs(im));
  const tail = `${size}${letter}`;
  if (re === 0) return im < 0 ? `-${tail}` : tail;
  return `${generalText(re)}${im < 0 ? '-' : '+'}${tail}`;
}

/**
 * Returns the imaginary unit to use for the result of combining two complex numbers. Throws #VALUE! if one uses `i` and
 * the other `j`.
 */
export function commonUnit(a: Complex['unit'], b: Complex['unit']): Complex['unit'] {
  if (a !== '' && b !== '' && a !== b) throw cellErrors.value;
  return a === '' ? b : a;
}
