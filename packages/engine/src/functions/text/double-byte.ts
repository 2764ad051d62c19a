import { findText } from '../../base/find-text.ts';
import { define, type Definition } from '../define.ts';
import { checkTextLength } from './text-length-limit.ts';
import { toCount, defineSubstringFunctions, findPosition, searchText, type TextUnit } from './substrings.ts';

/** Character ranges that LENB and similar functions count as two bytes, like Excel in Chinese, Japanese and Korean. */
const wideRanges: readonly (readonly [number, number])[] = [
  [0x1100, 0x11ff],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7ff],
  [0xd800, 0xdfff],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
];

function isWide(code: number): boolean {
  if (code < 0x1100) return false;
  return wideRanges.some(([first, last]) => code >= first && code <= last);
}

function bytesOf(text: string): number {
  let bytes = 0;
  for (let i = 0; i < text.length; i++) bytes += isWide(text.charCodeAt(i)) ? 2 : 1;
  return bytes;
}

/**
 * Returns the part of a text from byte `from` up to, but not including, byte `to`, where a wide character counts as two
 * bytes. A wide character that is cut in half becomes a space.
 */
function sliceBytes(text: string, from: number, to: number): string {
  let out = '';
  let at = 0;
  for (let i = 0; i < text.length && at < to; i++) {
    const size = isWide(text.charCodeAt(i)) ? 2 : 1;
    const inside = Math.min(at + size, to) - Math.max(at, from);
    if (inside === size) out += text[i];
    else if (inside > 0) out += ' ';
    at += size;
  }
  return out;
}

/**
 * Returns the index of the first whole character at or after byte `offset`, where a wide character counts as two bytes.
 */
function indexOfByte(text: string, offset: number): number {
  let at = 0;
  let i = 0;
  while (i < text.length && at < offset) at += isWide(text.charCodeAt(i++)) ? 2 : 1;
  return i;
}

const bytes: TextUnit = { lengthOf: bytesOf, sliceOf: sliceBytes, indexOf: indexOfByte };

export const doubleByteFunctions: readonly Definition[] = [
  ...defineSubstringFunctions('B', bytes),
  define('REPLACEB', 'text number number text', (_call, text, start, count, fresh) => {
    const from = toCount(start, 1, 1) - 1;
    const to = from + toCount(count, 0);
    return checkTextLength(sliceBytes(text, 0, from) + fresh + sliceBytes(text, to, bytesOf(text)));
  }),
  define('FINDB', 'text text number?', (_call, part, text, start) =>
    findPosition(bytes, text, start, (from) => findText(text, part, from)),
  ),
  define('SEARCHB', 'text text number?', (_call, part, text, start) =>
    findPosition(bytes, text, start, (from) => searchText(part, text, from)),
  ),
];
