import { cellErrors } from '../../base/values.ts';
import { findText } from '../../base/find-text.ts';
import { wildcardFind } from '../../base/wildcards.ts';
import { define, type Definition } from '../define.ts';
import { maxText } from '../../base/operators.ts';
import { checkTextLength } from './text-length-limit.ts';
import { foldableText, lengthOf, sliceOf, codeUnitIndexOf } from './code-points.ts';

/**
 * Truncates a character count or position to a whole number, using `fallback` if it is omitted. Throws #VALUE! if it is
 * below `least`.
 */
export function toCount(value: number | undefined, fallback: number, least = 0): number {
  const count = value === undefined ? fallback : Math.trunc(value);
  if (count < least) throw cellErrors.value;
  return count;
}

function substitute(text: string, old: string, fresh: string, which: number | undefined): string {
  const nth = toCount(which, 0, which === undefined ? 0 : 1);
  if (old === '') return text;
  let out = '';
  let from = 0;
  let seen = 0;
  for (;;) {
    const at = findText(text, old, from);
    if (at < 0) break;
    seen++;
    if (nth === 0 || seen === nth) {
      out += text.slice(from, at) + fresh;
      if (out.length > maxText) throw cellErrors.value;
      from = at + old.length;
      if (nth !== 0) break;
    } else {
      out += text.slice(from, at + old.length);
      from = at + old.length;
    }
  }
  return checkTextLength(out + text.slice(from));
}

/** The unit in which a family of text functions counts lengths and positions: characters (LEN) or bytes (LENB). */
export interface TextUnit {
  readonly lengthOf: (text: string) => number;
  readonly sliceOf: (text: string, from: number, to: number) => string;
  /**
   * Returns the string index of the first whole character at or after an offset, which is counted in characters or in
   * bytes.
   */
  readonly indexOf: (text: string, offset: number) => number;
}

const characters: TextUnit = { lengthOf, sliceOf, indexOf: codeUnitIndexOf };

/**
 * Implements FIND and SEARCH: calls `find` with the string index of the one-based position `start`, and returns the
 * one-based position of the match. Positions are counted in characters or bytes. Throws #VALUE! if there is no match.
 */
export function findPosition(
  { lengthOf: length, indexOf }: TextUnit,
  text: string,
  start: number | undefined,
  find: (from: number) => number,
): number {
  const from = toCount(start, 1, 1) - 1;
  if (from > length(text)) throw cellErrors.value;
  const at = find(indexOf(text, from));
  if (at < 0) throw cellErrors.value;
  return length(text.slice(0, at)) + 1;
}

/** Defines LEN, LEFT, RIGHT and MID, or their variants LENB, LEFTB, RIGHTB and MIDB, which count bytes. */
export function defineSubstringFunctions(
  suffix: '' | 'B',
  { lengthOf: length, sliceOf: slice }: TextUnit,
): Definition[] {
  return [
    define(`LEN${suffix}`, 'text', (_call, text) => length(text)),
    define(`LEFT${suffix}`, 'text number?', (_call, text, count) => slice(text, 0, toCount(count, 1))),
    define(`RIGHT${suffix}`, 'text number?', (_call, text, count) => {
      const end = length(text);
      return slice(text, Math.max(0, end - toCount(count, 1)), end);
    }),
    define(`MID${suffix}`, 'text number number', (_call, text, start, count) => {
      const from = toCount(start, 1, 1) - 1;
      return slice(text, from, from + toCount(count, 0));
    }),
  ];
}

/**
 * Implements SEARCH: returns the index of the first match of a wildcard pattern at or after index `from`, ignoring case,
 * or -1.
 */
export function searchText(pattern: string, text: string, from: number): number {
  return wildcardFind(searchPattern(foldableText(pattern)), foldableText(text), from);
}

/**
 * Removes the last `~` from a pattern of SEARCH if it escapes nothing. `~` escapes the character after it, also another
 * `~`; so the last one escapes nothing if the pattern ends with an odd number of them.
 */
function searchPattern(pattern: string): string {
  let tail = 0;
  while (tail < pattern.length && pattern[pattern.length - 1 - tail] === '~') tail++;
  return tail % 2 === 1 ? pattern.slice(0, -1) : pattern;
}

export const substringFunctions: readonly Definition[] = [
  ...defineSubstringFunctions('', characters),
  define('REPLACE', 'text number number text', (_call, text, start, count, fresh) => {
    const from = toCount(start, 1, 1) - 1;
    const to = from + toCount(count, 0);
    return checkTextLength(sliceOf(text, 0, from) + fresh + text.slice(codeUnitIndexOf(text, to)));
  }),
  define('SUBSTITUTE', 'text text text number?', (_call, text, old, fresh, which) =>
    substitute(text, old, fresh, which),
  ),
  define('FIND', 'text text number?', (_call, part, text, start) =>
    findPosition(characters, text, start, (from) => findText(text, part, from)),
  ),
  define('SEARCH', 'text text number?', (_call, part, text, start) =>
    findPosition(characters, text, start, (from) => searchText(part, text, from)),
  ),
];
