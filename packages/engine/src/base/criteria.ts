import { compareText, foldText } from './compare.ts';
import { compareNumbers } from './operators.ts';
import type { NumberBounds, SheetHost } from './indexed-sheet-access.ts';
import type { Budget } from './budget.ts';
import { parseNumber } from './parse-number.ts';
import { CellError, cellErrors, RangeRef, errorOfText, type Grid, type Scalar } from './values.ts';
import { hasWildcard, plainPattern, wildcardMatcher } from './wildcards.ts';

/** A parsed condition of COUNTIF, SUMIFS and similar functions, such as `">5"`. */
export interface Criterion {
  test(value: Scalar): boolean;
  /** True if blank cells satisfy the condition. */
  readonly blank: boolean;
  /**
   * Number or case-folded text that the condition compares with, if it only tests for equality; otherwise undefined. A
   * column index, which maps values to rows, can then find the matches.
   */
  readonly equals: number | string | undefined;
  /** Set if only numbers within these bounds can match. Cells with other values then need not be tested. */
  readonly bounds?: NumberBounds;
}

const operatorPattern = /^(<=|>=|<>|=|<|>)?([\s\S]*)$/;

export function criterion(source: Scalar): Criterion {
  if (typeof source === 'number') return equalTo(source);
  if (source === null) return equalTo(0);
  if (typeof source === 'boolean') return exactly((value) => value === source);
  if (source instanceof CellError) return exactly((value) => value === source);
  const match = operatorPattern.exec(source);
  const operator = match?.[1] ?? '';
  const rest = match?.[2] ?? '';
  const negative = operator === '<>';
  if (operator === '' || operator === '=' || negative) {
    const positive = equality(rest, operator === '');
    if (!negative) return positive;
    const number = positive.equals;
    if (typeof number === 'number') {
      // A cell with the text "23" matches both criteria, `=23` and `<>23`. So for numbers, `<>` is not the negation of
      // `=`.
      return {
        test: (value) => typeof value !== 'number' || compareNumbers(value, number) !== 0,
        blank: true,
        equals: undefined,
      };
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
    return typeof value === 'string' && parseNumber(value) === wanted;
  };
  return { test, blank: false, equals: wanted };
}

function logicalWord(text: string): boolean | undefined {
  const upper = text.toUpperCase();
  return upper === 'TRUE' ? true : upper === 'FALSE' ? false : undefined;
}

function equality(text: string, bare: boolean): Criterion {
  if (text === '') {
    // This criterion is either `=`, which matches only blank cells, or empty (`bare`), which also matches empty text.
    return { test: (value) => value === null || (bare && value === ''), blank: true, equals: undefined };
  }
  const number = parseNumber(text);
  if (number !== undefined) return equalTo(number);
  const logical = logicalWord(text);
  if (logical !== undefined) return exactly((value) => value === logical);
  const error = errorOfText(text);
  if (error) return exactly((value) => value === error);
  if (hasWildcard(text)) {
    const fits = wildcardMatcher(text);
    return exactly((value) => typeof value === 'string' && fits(value));
  }
  const folded = foldText(plainPattern(text));
  return { test: (value) => typeof value === 'string' && foldText(value) === folded, blank: false, equals: folded };
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
  const number = parseNumber(text);
  if (number !== undefined) {
    // Criteria compare numbers to 15 significant digits, so the bounds extend slightly beyond the number.
    const edge = Math.abs(number) * 1e-14;
    const bounds = operator.startsWith('<')
      ? { low: -Infinity, high: number + edge }
      : { low: number - edge, high: Infinity };
    return { ...exactly((value) => typeof value === 'number' && holds(compareNumbers(value, number))), bounds };
  }
  const logical = logicalWord(text);
  if (logical !== undefined)
    return exactly((value) => typeof value === 'boolean' && holds(Number(value) - Number(logical)));
  if (text === '') return exactly(() => false);
  const folded = foldText(text);
  return exactly((value) => typeof value === 'string' && holds(compareText(value, folded)));
}

/**
 * Calls `visit` for every position at which all ranges match their criteria. Returns an error if the ranges differ in
 * size.
 */
export function eachMatching(
  budget: Budget,
  ranges: readonly Grid[],
  sources: readonly Scalar[],
  visit: (row: number, col: number) => void,
): CellError | undefined {
  const [first] = ranges;
  if (!first) return undefined;
  if (ranges.some((range) => range.rows !== first.rows || range.cols !== first.cols)) return cellErrors.value;
  const tests = sources.map(criterion);
  budget.spend(ranges.length * 2);
  if (byIndex(budget, ranges, tests, visit)) return undefined;
  const others = (anchor: number, row: number, col: number): boolean => {
    budget.spend(ranges.length >> 1);
    for (let i = 0; i < ranges.length; i++) {
      if (i !== anchor && !(tests[i] as Criterion).test((ranges[i] as Grid).at(row, col))) return false;
    }
    return true;
  };
  const numeric = tests.findIndex(
    (test, i) => test.bounds !== undefined && ranges[i] instanceof RangeRef && ranges[i]?.cols === 1,
  );
  const bounds = tests[numeric]?.bounds;
  const range = ranges[numeric];
  if (bounds && range instanceof RangeRef) {
    const { top, left, bottom } = range;
    const test = tests[numeric] as Criterion;
    const sheet = range.sheet as SheetHost;
    budget.spend(Math.max(0, Math.min(bottom, sheet.lastRow) - top));
    sheet.eachNumberBetween(left, top, bottom, bounds, (row) => {
      if (test.test(sheet.read(row, left)) && others(numeric, row - top, 0)) visit(row - top, 0);
    });
    return undefined;
  }
  const anchor = tests.findIndex((test) => !test.blank);
  if (anchor >= 0) {
    // Blank cells cannot match the criterion `tests[anchor]`, so visit only the filled cells of `ranges[anchor]`, and
    // test the other criteria at their positions.
    const test = tests[anchor] as Criterion;
    (ranges[anchor] as Grid).eachFilled((value, row, col) => {
      if (test.test(value) && others(anchor, row, col)) visit(row, col);
    });
    return undefined;
  }
  budget.spend(Math.min(first.rows * first.cols, 50_000_000));
  for (let row = 0; row < first.rows; row++) {
    for (let col = 0; col < first.cols; col++) if (others(-1, row, col)) visit(row, col);
  }
  return undefined;
}

/**
 * Evaluates equality criteria with column indexes: intersects their row lists, then tests the remaining criteria.
 * Returns false if no index applies.
 */
function byIndex(
  budget: Budget,
  ranges: readonly Grid[],
  tests: readonly Criterion[],
  visit: (row: number, col: number) => void,
): boolean {
  const lists: { rows: Int32Array; top: number }[] = [];
  const rest: number[] = [];
  for (let i = 0; i < ranges.length; i++) {
    const range = ranges[i];
    const equals = tests[i]?.equals;
    const indexed = equals !== undefined && range instanceof RangeRef && range.cols === 1 && range.rows >= 64;
    const rows = indexed ? (range.sheet as SheetHost).postings(range.left, range.top, range.bottom, equals) : undefined;
    if (rows && range instanceof RangeRef) lists.push({ rows, top: range.top });
    else rest.push(i);
  }
  lists.sort((a, b) => a.rows.length - b.rows.length);
  const [shortest] = lists;
  if (!shortest) return false;
  budget.spend(shortest.rows.length * (1 + rest.length));
  let { rows, top } = shortest;
  for (let i = 1; i < lists.length; i++) {
    const other = lists[i] as { rows: Int32Array; top: number };
    rows = intersectRows(rows, top, other.rows, other.top);
    top = 0;
  }
  for (let n = 0; n < rows.length; n++) {
    const at = (rows[n] as number) - top;
    let fits = true;
    for (let i = 0; fits && i < rest.length; i++) {
      const index = rest[i] as number;
      fits = (tests[index] as Criterion).test((ranges[index] as Grid).at(at, 0));
    }
    if (fits) visit(at, 0);
  }
  return true;
}

/**
 * Intersects two sorted lists of sheet rows that belong to different ranges. Rows match if they have the same distance
 * from the top of their range (`aTop`, `bTop`). The result lists these distances.
 */
function intersectRows(a: Int32Array, aTop: number, b: Int32Array, bTop: number): Int32Array {
  const common = new Int32Array(a.length);
  const shift = bTop - aTop;
  let count = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    const left = (a[i] as number) + shift;
    const right = b[j] as number;
    if (left === right) {
      common[count++] = left - bTop;
      i++;
      j++;
    } else if (left < right) i++;
    else j++;
  }
  return common.subarray(0, count);
}
