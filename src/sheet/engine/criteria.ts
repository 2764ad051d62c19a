import { compareText, foldText } from './compare.ts';
import { compareNumbers } from './formula/operators.ts';
import type { SheetHost } from './formula/host.ts';
import type { Budget } from './functions/call.ts';
import { numberOfText } from './number-text.ts';
import { CellError, ERRORS, RangeRef, errorOfText } from './values.ts';
import type { Grid, Scalar } from './values.ts';
import { Wildcard } from './wildcard.ts';

/** A condition as COUNTIF and its family read it. */
export interface Criterion {
  test(value: Scalar): boolean;
  /** Blank cells meet it. */
  readonly blank: boolean;
  /** Set when it means "equal to this number or (folded) text" and nothing else. */
  readonly equals: number | string | undefined;
}

const OPERATOR = /^(<=|>=|<>|=|<|>)?([\s\S]*)$/;

export function criterion(source: Scalar): Criterion {
  if (typeof source === 'number') return equalTo(source);
  if (source === null) return equalTo(0);
  if (typeof source === 'boolean') return exactly((value) => value === source);
  if (source instanceof CellError) return exactly((value) => value === source);
  const match = OPERATOR.exec(source);
  const operator = match?.[1] ?? '';
  const rest = match?.[2] ?? '';
  const negative = operator === '<>';
  if (operator === '' || operator === '=' || negative) {
    const positive = equality(rest, operator === '');
    if (!negative) return positive;
    const number = positive.equals;
    if (typeof number === 'number') {
      // Text that reads as the number equals it in `=23`, yet differs from it in `<>23`.
      return { test: (value) => typeof value !== 'number' || compareNumbers(value, number) !== 0, blank: true, equals: undefined };
    }
    return { test: (value) => !positive.test(value), blank: !positive.blank, equals: undefined };
  }
  return ordering(operator, rest);
}

function exactly(test: (value: Scalar) => boolean): Criterion {
  return { test, blank: false, equals: undefined };
}

function equalTo(wanted: number): Criterion {
  const test = (value: Scalar): boolean => {
    if (typeof value === 'number') return compareNumbers(value, wanted) === 0;
    return typeof value === 'string' && numberOfText(value) === wanted;
  };
  return { test, blank: false, equals: wanted };
}

function logicalWord(text: string): boolean | undefined {
  const upper = text.toUpperCase();
  return upper === 'TRUE' ? true : upper === 'FALSE' ? false : undefined;
}

function equality(text: string, bare: boolean): Criterion {
  if (text === '') {
    // `=` means a cell without anything in it, "" also takes empty text.
    return { test: (value) => value === null || (bare && value === ''), blank: true, equals: undefined };
  }
  const number = numberOfText(text);
  if (number !== undefined) return equalTo(number);
  const logical = logicalWord(text);
  if (logical !== undefined) return exactly((value) => value === logical);
  const error = errorOfText(text);
  if (error) return exactly((value) => value === error);
  const pattern = new Wildcard(text);
  return { test: (value) => typeof value === 'string' && pattern.matches(value), blank: false, equals: pattern.literal };
}

function ordering(operator: string, text: string): Criterion {
  const holds = (order: number): boolean => {
    switch (operator) {
      case '<':
        return order < 0;
      case '<=':
        return order <= 0;
      case '>':
        return order > 0;
      default:
        return order >= 0;
    }
  };
  const number = numberOfText(text);
  if (number !== undefined) return exactly((value) => typeof value === 'number' && holds(compareNumbers(value, number)));
  const logical = logicalWord(text);
  if (logical !== undefined) return exactly((value) => typeof value === 'boolean' && holds(Number(value) - Number(logical)));
  if (text === '') return exactly(() => false);
  const folded = foldText(text);
  return exactly((value) => typeof value === 'string' && holds(compareText(value, folded)));
}

/** Calls `visit` for every position where all ranges meet their criteria; see `Call.eachMatching`. */
export function eachMatching(
  budget: Budget,
  ranges: readonly Grid[],
  sources: readonly Scalar[],
  visit: (row: number, col: number) => void,
): CellError | undefined {
  const [first] = ranges;
  if (!first) return undefined;
  if (ranges.some((range) => range.rows !== first.rows || range.cols !== first.cols)) return ERRORS.value;
  const tests = sources.map(criterion);
  const rows = indexedRows(ranges, tests);
  if (rows) {
    budget.spend(rows.list.length);
    for (const row of rows.list) {
      let fits = true;
      for (let i = 0; fits && i < ranges.length; i++) {
        if (i !== rows.by) fits = (tests[i] as Criterion).test((ranges[i] as Grid).at(row, 0));
      }
      if (fits) visit(row, 0);
    }
    return undefined;
  }
  const anchor = tests.findIndex((test) => !test.blank);
  if (anchor >= 0) {
    // Only filled cells can meet this one: the others are looked up beside it.
    const grid = ranges[anchor] as Grid;
    const test = tests[anchor] as Criterion;
    let seen = 0;
    grid.eachFilled((value, row, col) => {
      seen++;
      if (!test.test(value)) return;
      for (let i = 0; i < ranges.length; i++) {
        if (i !== anchor && !(tests[i] as Criterion).test((ranges[i] as Grid).at(row, col))) return;
      }
      visit(row, col);
    });
    budget.spend(seen);
    return undefined;
  }
  budget.spend(Math.min(first.rows * first.cols, 50_000_000));
  for (let row = 0; row < first.rows; row++) {
    for (let col = 0; col < first.cols; col++) {
      if (ranges.every((range, i) => (tests[i] as Criterion).test(range.at(row, col)))) visit(row, col);
    }
  }
  return undefined;
}

/** The shortest list of rows that an index of one of the ranges gives. */
function indexedRows(ranges: readonly Grid[], tests: readonly Criterion[]): { list: Int32Array; by: number } | undefined {
  let best: { list: Int32Array; by: number } | undefined;
  for (let i = 0; i < ranges.length; i++) {
    const range = ranges[i];
    const equals = tests[i]?.equals;
    if (equals === undefined || !(range instanceof RangeRef) || range.cols !== 1 || range.rows < 64) continue;
    const list = (range.sheet as SheetHost).postings(range.left, range.top, range.bottom, equals);
    if (list && (!best || list.length < best.list.length)) best = { list, by: i };
  }
  return best;
}
