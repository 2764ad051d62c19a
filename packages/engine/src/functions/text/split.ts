import { numberOf, textOf } from '../../base/coerce.ts';
import { foldText } from '../../base/compare.ts';
import { findText } from '../../base/find-text.ts';
import { cellErrors, Lambda, Matrix, RefUnion, isGrid, type Grid, type Scalar, type Value } from '../../base/values.ts';
import type { CallContext } from '../call-context.ts';
import { define, type Definition } from '../define.ts';
import { foldableText } from './code-points.ts';

/** Position of a delimiter in a text; `end` is exclusive. */
interface Hit {
  readonly start: number;
  readonly end: number;
}

const maxDelimiters = 10_000;

function delimitersOf(grid: Grid): string[] {
  if (grid.rows * grid.cols > maxDelimiters) throw cellErrors.value;
  const list: string[] = [];
  for (let r = 0; r < grid.rows; r++) for (let c = 0; c < grid.cols; c++) list.push(textOf(grid.at(r, c)));
  return list;
}

function flag(value: number | undefined): boolean {
  const whole = value === undefined ? 0 : Math.trunc(value);
  if (whole !== 0 && whole !== 1) throw cellErrors.value;
  return whole === 1;
}

/** Returns the occurrences of any delimiter, from left to right, without overlap. */
function hitsIn(call: CallContext, text: string, delimiters: readonly string[], anyCase: boolean): Hit[] {
  const hay = anyCase ? foldText(foldableText(text)) : text;
  const needles = anyCase ? delimiters.map((sign) => foldText(foldableText(sign))) : delimiters;
  return needles.length === 1 ? hitsOfOne(hay, needles[0] as string) : hitsOfMany(call, hay, needles);
}

function hitsOfOne(hay: string, needle: string): Hit[] {
  const hits: Hit[] = [];
  if (needle === '') return hits;
  for (let at = findText(hay, needle); at >= 0; at = findText(hay, needle, at + needle.length)) {
    hits.push({ start: at, end: at + needle.length });
  }
  return hits;
}

/**
 * Finds the occurrences of several delimiters in one pass over the text: at each character, only the delimiters that
 * start with it are compared.
 */
function hitsOfMany(call: CallContext, hay: string, needles: readonly string[]): Hit[] {
  call.budget.spend(needles.length);
  const byFirst = new Map<number, string[]>();
  for (const needle of new Set(needles)) {
    if (needle === '' || needle.length > hay.length) continue;
    const list = byFirst.get(needle.charCodeAt(0));
    if (list) list.push(needle);
    else byFirst.set(needle.charCodeAt(0), [needle]);
  }
  const hits: Hit[] = [];
  call.budget.spend(hay.length >> 2);
  for (let at = 0; at < hay.length;) {
    const needle = byFirst.get(hay.charCodeAt(at))?.find((one) => {
      // `startsWith` takes time proportional to the length of the delimiter, so every eight characters are charged to
      // the budget as one more step.
      call.budget.spend(1 + (one.length >> 3));
      return hay.startsWith(one, at);
    });
    const end = at + (needle?.length ?? 1);
    if (needle !== undefined) hits.push({ start: at, end });
    at = end;
  }
  return hits;
}

function cut(
  call: CallContext,
  side: 'before' | 'after',
  text: string,
  delimiter: Grid,
  instance: Scalar | undefined,
  matchMode: number | undefined,
  matchEnd: number | undefined,
  otherwise: Scalar | undefined,
): Scalar {
  // An instance argument left empty means the first instance: TEXTAFTER(A1,"-",,,,"").
  const nth = instance === undefined || instance === null ? 1 : Math.floor(numberOf(instance));
  const anyCase = flag(matchMode);
  const atEnd = flag(matchEnd);
  const delimiters = delimitersOf(delimiter);
  if (nth === 0 || (text !== '' && Math.abs(nth) > text.length)) return cellErrors.value;
  // Excel returns #VALUE! for a text that is shorter than every delimiter, but only if one of the optional arguments is
  // given.
  const hasOptions = instance !== undefined || matchMode !== undefined || matchEnd !== undefined;
  if (hasOptions && text !== '' && delimiters.every((sign) => sign.length > text.length)) return cellErrors.value;
  const none = otherwise === undefined ? cellErrors.na : (otherwise ?? '');
  if (delimiters.includes('')) {
    // An empty delimiter matches at the start of the text, or at its end if instances are counted from the end.
    return nth > 0 === (side === 'after') ? text : '';
  }
  const hits = hitsIn(call, text, delimiters, anyCase);
  if (atEnd) {
    if (nth > 0) hits.push({ start: text.length, end: text.length });
    else hits.unshift({ start: 0, end: 0 });
  }
  const hit = nth > 0 ? hits[nth - 1] : hits[hits.length + nth];
  if (hit === undefined) return none;
  return side === 'before' ? text.slice(0, hit.start) : text.slice(hit.end);
}

function pieces(
  call: CallContext,
  text: string,
  delimiters: readonly string[],
  anyCase: boolean,
  skipEmpty: boolean,
): string[] {
  const list: string[] = [];
  let from = 0;
  for (const hit of [...hitsIn(call, text, delimiters, anyCase), { start: text.length, end: text.length }]) {
    const piece = text.slice(from, hit.start);
    if (piece !== '' || !skipEmpty) list.push(piece);
    from = hit.end;
  }
  return list;
}

/**
 * Returns the delimiters of TEXTSPLIT; null if the argument is omitted or left empty. An empty delimiter, such as a
 * blank cell, throws #VALUE!.
 */
function splitters(value: Value | undefined): string[] | null {
  if (value === undefined || value === null) return null;
  if (value instanceof RefUnion || value instanceof Lambda) throw cellErrors.value;
  const list = isGrid(value) ? delimitersOf(value) : [textOf(value as Scalar)];
  if (list.includes('')) throw cellErrors.value;
  return list;
}

export const splitFunctions: readonly Definition[] = [
  define(
    'TEXTBEFORE',
    'text grid scalar? number? number? any?',
    (call, text, delimiter, instance, mode, end, otherwise) =>
      cut(call, 'before', text, delimiter, instance, mode, end, otherwise),
  ),
  define(
    'TEXTAFTER',
    'text grid scalar? number? number? any?',
    (call, text, delimiter, instance, mode, end, otherwise) =>
      cut(call, 'after', text, delimiter, instance, mode, end, otherwise),
  ),
  define(
    'TEXTSPLIT',
    'text value value? logical? number? any?',
    (call, text, colDelimiter, rowDelimiter, ignoreEmpty, mode, pad) => {
      const cols = splitters(colDelimiter);
      const rows = splitters(rowDelimiter);
      if (cols === null && rows === null) return cellErrors.value;
      const anyCase = flag(mode);
      const skip = ignoreEmpty === true;
      const lines = rows === null ? [text] : pieces(call, text, rows, anyCase, skip);
      const table = lines.map((line) => (cols === null ? [line] : pieces(call, line, cols, anyCase, skip)));
      const kept = skip ? table.filter((row) => row.some((cell) => cell !== '')) : table;
      if (kept.length === 0) return cellErrors.calc;
      const width = kept.reduce((most, row) => Math.max(most, row.length), 0);
      call.budget.spend(width * kept.length);
      const filler = pad === undefined ? cellErrors.na : pad;
      return Matrix.build(kept.length, width, (r, c) => {
        const row = kept[r] ?? [];
        return c < row.length ? (row[c] ?? '') : filler;
      });
    },
  ),
];
