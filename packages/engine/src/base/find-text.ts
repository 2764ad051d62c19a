import { charge } from './budget.ts';

/**
 * Minimum length of a needle that is searched in linear time. The worst case of `indexOf` is proportional to the
 * product of the lengths of text and needle.
 */
const longNeedle = 64;

/** Returns the same index as `text.indexOf(needle, from)`. Charges the search to the current budget. */
export function findText(text: string, needle: string, from = 0): number {
  const rest = text.length - from;
  if (rest < needle.length) return -1;
  if (needle.length < longNeedle || rest - needle.length < longNeedle) {
    charge(1 + (rest >> 6));
    return text.indexOf(needle, from);
  }
  charge((rest + needle.length) >> 3);
  return linearFind(text, needle, from);
}

/** Searches with the Knuth-Morris-Pratt algorithm, which reads each character of the text once. */
function linearFind(text: string, needle: string, from: number): number {
  const borders = bordersOf(needle);
  let matched = 0;
  for (let i = from; i < text.length; i++) {
    const code = text.charCodeAt(i);
    while (matched > 0 && needle.charCodeAt(matched) !== code) matched = borders[matched - 1] as number;
    if (needle.charCodeAt(matched) === code) matched++;
    if (matched === needle.length) return i - matched + 1;
  }
  return -1;
}

let lastNeedle = '';
let lastBorders = new Int32Array(0);

/**
 * Computes the Knuth-Morris-Pratt table: for each prefix of the needle, the length of its longest proper prefix that is
 * also a suffix.
 */
function bordersOf(needle: string): Int32Array {
  if (needle === lastNeedle) return lastBorders;
  const borders = new Int32Array(needle.length);
  let length = 0;
  for (let i = 1; i < needle.length; i++) {
    const code = needle.charCodeAt(i);
    while (length > 0 && needle.charCodeAt(length) !== code) length = borders[length - 1] as number;
    if (needle.charCodeAt(length) === code) length++;
    borders[i] = length;
  }
  lastNeedle = needle;
  lastBorders = borders;
  return borders;
}
