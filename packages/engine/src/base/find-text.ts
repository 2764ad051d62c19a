import { charge } from './budget.ts';

/** The engine's own search is quick, but takes text times needle in the worst case: long needles are looked for in linear time. */
const longNeedle = 64;

/** Where `needle` first stands in `text` at or after `from`, as `indexOf` says; counted. */
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

/** By Knuth, Morris and Pratt: no character of the text is looked at twice. */
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

/** For each beginning of a text the length of its longest true beginning that is also its end. */
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
