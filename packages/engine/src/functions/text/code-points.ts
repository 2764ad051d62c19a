import { foldText } from '../../base/compare.ts';

/**
 * Matches a character outside the Basic Multilingual Plane, such as an emoji, which takes two UTF-16 code units. Text
 * functions count it as one character and never split it, as Excel does since text compatibility version 2.
 */
const surrogatePair = /[\ud800-\udbff][\udc00-\udfff]/;

export function lengthOf(text: string): number {
  if (!surrogatePair.test(text)) return text.length;
  let length = 0;
  for (const _ of text) length++;
  return length;
}

/**
 * Returns the string index (UTF-16) of the code point at position `count`, or the end of the string if there are fewer
 * code points.
 */
export function codeUnitIndexOf(text: string, count: number): number {
  if (count >= text.length) return text.length;
  if (!surrogatePair.test(text)) return count;
  let unit = 0;
  for (let i = 0; i < count && unit < text.length; i++) unit += (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
  return unit;
}

export function sliceOf(text: string, from: number, to: number): string {
  return text.slice(codeUnitIndexOf(text, from), codeUnitIndexOf(text, to));
}

/**
 * Prepares a text for a search that ignores case: replaces each character whose case-folded form has a different length
 * with U+FFFD. Positions in the case-folded result are then those in the original text.
 */
export function foldableText(text: string): string {
  if (foldText(text).length === text.length) return text;
  let out = '';
  for (const sign of text) out += foldText(sign).length === sign.length ? sign : '\ufffd';
  return out;
}

/** Changes case one character at a time, like Excel: `ß` is unchanged, and a sigma never becomes a final sigma. */
function changed(text: string, change: (sign: string) => string): string {
  const whole = change(text);
  if (whole.length === text.length && !text.includes('Σ')) return whole;
  let out = '';
  for (const sign of text) {
    const other = change(sign);
    out += other.length === sign.length ? other : sign;
  }
  return out;
}

export function upperOf(text: string): string {
  return changed(text, (sign) => sign.toUpperCase());
}

export function lowerOf(text: string): string {
  return changed(text, (sign) => sign.toLowerCase());
}
