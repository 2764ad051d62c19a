import { foldText } from '../../base/compare.ts';

/**
 * Text counted in code points: a character outside the basic plane (an emoji) is one, and is never cut in half.
 * Excel counts so from its text compatibility version 2 on.
 */

const surrogatePair = /[\ud800-\udbff][\udc00-\udfff]/;

export function lengthOf(text: string): number {
  if (!surrogatePair.test(text)) return text.length;
  let length = 0;
  for (const _ of text) length++;
  return length;
}

/** Index in the string of the code point `count`, the string's end when there are fewer. */
export function unitAt(text: string, count: number): number {
  if (count >= text.length) return text.length;
  if (!surrogatePair.test(text)) return count;
  let unit = 0;
  for (let i = 0; i < count && unit < text.length; i++) unit += (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
  return unit;
}

export function sliceOf(text: string, from: number, to: number): string {
  return text.slice(unitAt(text, from), unitAt(text, to));
}

/** Folding must not move positions: the few characters whose folded form is longer stand for themselves as one sign. */
export function keepLength(text: string): string {
  if (foldText(text).length === text.length) return text;
  let out = '';
  for (const sign of text) out += foldText(sign).length === sign.length ? sign : '\ufffd';
  return out;
}

/** Case changes one character at a time, as Excel does: `ß` stays, and a sigma never becomes a final one. */
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
