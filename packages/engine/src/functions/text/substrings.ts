import { textOf } from '../../base/coerce.ts';
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
import { findText } from '../../base/find-text.ts';
import { wildcardFind } from '../../base/wildcards.ts';
import type { CallContext } from '../call-context.ts';
import { define, type Definition } from '../define.ts';
import { maxText } from '../../base/operators.ts';
import { checkTextLength } from './text-length-limit.ts';
import { foldableText, lengthOf, sliceOf, codeUnitIndexOf } from './code-points.ts';

/**
 * Truncates a character count or position to a whole number, using `fallback` if it is omitted. Throws #VALUE! if it is
 * below `least`.
 */
export function countOf(value: number | undefined, fallback: number, least = 0): number {
  const count = value === undefined ? fallback : Math.trunc(value);
  if (count < least) throw cellErrors.value;
  return count;
}

function substitute(text: string, old: string, fresh: string, which: number | undefined): string {
  const nth = countOf(which, 0, which === undefined ? 0 : 1);
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

/**
 * Visits the cells of an argument row by row. With `blanks`, blank cells are visited, too, but at most `maxCells` cells
 * of each area, to bound the time for whole columns.
 */
function eachItem(
  call: CallContext,
  value: Value,
  blanks: boolean,
  visit: (item: Scalar) => void,
  maxCells = maxText + 2,
): void {
  if (value instanceof Lambda) throw cellErrors.calc;
  const areas: readonly Grid[] = isGrid(value) ? [value] : value instanceof RefUnion ? value.areas : [];
  for (const area of areas) {
    if (!blanks) {
      area.eachFilled((item) => visit(item));
      continue;
    }
    const cells = Math.min(area.rows * area.cols, maxCells);
    call.budget.spend(cells);
    for (let i = 0; i < cells; i++) visit(area.at(Math.floor(i / area.cols), i % area.cols));
  }
  if (areas.length === 0) visit(value as Scalar);
}

class TextBuilder {
  #text = '';
  add(piece: string): void {
    this.#text += piece;
    if (this.#text.length > maxText) throw cellErrors.value;
  }
  toString(): string {
    return this.#text;
  }
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
export function positionIn(
  { lengthOf: length, indexOf }: TextUnit,
  text: string,
  start: number | undefined,
  find: (from: number) => number,
): number {
  const from = countOf(start, 1, 1) - 1;
  if (from > length(text)) throw cellErrors.value;
  const at = find(indexOf(text, from));
  if (at < 0) throw cellErrors.value;
  return length(text.slice(0, at)) + 1;
}

/** Defines LEN, LEFT, RIGHT and MID, or their variants LENB, LEFTB, RIGHTB and MIDB, which count bytes. */
export function partFunctions(suffix: '' | 'B', { lengthOf: length, sliceOf: slice }: TextUnit): Definition[] {
  return [
    define(`LEN${suffix}`, 'text', (_call, text) => length(text)),
    define(`LEFT${suffix}`, 'text number?', (_call, text, count) => slice(text, 0, countOf(count, 1))),
    define(`RIGHT${suffix}`, 'text number?', (_call, text, count) => {
      const end = length(text);
      return slice(text, Math.max(0, end - countOf(count, 1)), end);
    }),
    define(`MID${suffix}`, 'text number number', (_call, text, start, count) => {
      const from = countOf(start, 1, 1) - 1;
      return slice(text, from, from + countOf(count, 0));
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
 * Removes the last `~` (the escape character) from a pattern of SEARCH if no character follows that it could escape.
 */
function searchPattern(pattern: string): string {
  let tail = 0;
  while (tail < pattern.length && pattern[pattern.length - 1 - tail] === '~') tail++;
  return tail % 2 === 1 ? pattern.slice(0, -1) : pattern;
}

export const substringFunctions: readonly Definition[] = [
  ...partFunctions('', characters),
  define('REPLACE', 'text number number text', (_call, text, start, count, fresh) => {
    const from = countOf(start, 1, 1) - 1;
    const to = from + countOf(count, 0);
    return checkTextLength(sliceOf(text, 0, from) + fresh + text.slice(codeUnitIndexOf(text, to)));
  }),
  define('SUBSTITUTE', 'text text text number?', (_call, text, old, fresh, which) =>
    substitute(text, old, fresh, which),
  ),
  define('FIND', 'text text number?', (_call, part, text, start) =>
    positionIn(characters, text, start, (from) => findText(text, part, from)),
  ),
  define('SEARCH', 'text text number?', (_call, part, text, start) =>
    positionIn(characters, text, start, (from) => searchText(part, text, from)),
  ),
  define('REPT', 'text number', (call, text, count) => {
    const times = countOf(count, 0);
    if (text === '') return '';
    if (text.length * times > maxText) return cellErrors.value;
    call.budget.spend((text.length * times) >> 4);
    return text.repeat(times);
  }),
  define('CONCATENATE', 'text...', (_call, ...parts) => {
    const out = new TextBuilder();
    for (const part of parts) out.add(part);
    return out.toString();
  }),
  define('CONCAT', 'value...', (call, ...values) => {
    const out = new TextBuilder();
    for (const value of values) eachItem(call, value, false, (item) => out.add(textOf(item)));
    return out.toString();
  }),
  define('TEXTJOIN', 'value value value...', (call, delimiter, ignore, ...values) => {
    const signs: string[] = [];
    eachItem(call, delimiter, true, (item) => signs.push(textOf(item)));
    // Blank cells matter only if a delimiter that is not empty is added between them. Each cycle through the delimiters
    // then adds at least one character to the result. After `maxCells` cells the result is too long (#VALUE!), so later
    // cells need not be visited.
    const hasDelimiter = signs.some((sign) => sign !== '');
    const maxCells = (maxText + 2) * signs.length;
    return liftIgnore(call, ignore, (ignoreEmpty) => {
      const out = new TextBuilder();
      let joined = 0;
      const add = (item: Scalar): void => {
        const text = textOf(item);
        if (ignoreEmpty && text === '') return;
        if (joined > 0) out.add(signs[(joined - 1) % signs.length] ?? '');
        joined++;
        out.add(text);
      };
      for (const value of values) eachItem(call, value, !ignoreEmpty && hasDelimiter, add, maxCells);
      return out.toString();
    });
  }),
];

function liftIgnore(call: CallContext, ignore: Value, join: (ignoreEmpty: boolean) => string): Value {
  return call.broadcast([ignore], (flag) => {
    if (flag instanceof CellError) return flag;
    // A flag left empty means TRUE: TEXTJOIN(",",,A1:A3) skips blanks.
    if (flag === null) return join(true);
    if (typeof flag === 'boolean') return join(flag);
    if (typeof flag === 'number') return join(flag !== 0);
    const upper = flag.toUpperCase();
    if (upper !== 'TRUE' && upper !== 'FALSE') return cellErrors.value;
    return join(upper === 'TRUE');
  });
}
