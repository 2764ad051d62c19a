import {
  blankTag,
  errorTag,
  logicalTag,
  numberTag,
  textTag,
  type SheetDocument,
  type SubSheet,
} from '@sheaf/engine/internal/document';
import { charge, columnName, foldText, isDatePattern, shownText, type Rect } from '@sheaf/engine';
import { analyzeColumnFormulas } from './formula-patterns.ts';
import { shorten } from './shorten.ts';
import { tableBody, type DetectedTable } from './detect-tables.ts';

const maxDifferent = 200;
const shownDifferent = 4;
const longestSample = 24;
const longestHeading = 40;

/** Description of a column in words, with data for comparing it with its neighbors. */
export interface DescribedColumn {
  readonly col: number;
  readonly heading: string;
  /** Text with the column's type, its range of values, its formula with deviations, and its gaps and errors. */
  readonly text: string;
  /**
   * Key that is equal in the columns of a series, such as Jan, Feb, Mar; undefined for a column that belongs to no
   * series.
   */
  readonly seriesKey: string | undefined;
  readonly facts: ColumnStatistics;
  readonly formula: string | undefined;
}

export function describeColumn(
  document: SheetDocument,
  sub: SubSheet,
  table: DetectedTable,
  col: number,
  detail: 0 | 1 | 2,
): DescribedColumn {
  const body = tableBody(table);
  const heading = table.header === undefined ? '' : document.text(sub, table.header, col).trim();
  const facts = collectStatistics(document, sub, body, col);
  const formulas = analyzeColumnFormulas(document, sub, body, col);
  const parts = [typeOf(facts, detail)];
  const rows = body.bottom - body.top + 1;
  if (formulas) {
    parts.push(`${formulas.formula}${formulas.count === rows ? '' : ` in ${formulas.range}`}`);
    if (formulas.breakCount > 0)
      parts.push(`BREAKS in ${formulas.breakCount}: ${formulas.breaks.slice(0, detail === 2 ? 3 : 1).join('; ')}`);
  }
  const blanks = rows - facts.filled;
  if (blanks > 0 && facts.filled > 0) parts.push(`${blanks} blank`);
  if (facts.errors > 0) parts.push(`${facts.errors} errors`);
  const [only, ...others] = facts.kinds.keys();
  const isPlain = only !== undefined && others.length === 0 && facts.texts + facts.flags + facts.errors === 0;
  return {
    col,
    heading,
    text: parts.join(', '),
    seriesKey:
      isPlain && !(formulas && formulas.breakCount > 0)
        ? seriesKey(heading, [only, formulas?.key ?? '', formulas?.count ?? 0, blanks])
        : undefined,
    facts,
    formula: formulas?.formula,
  };
}

const namesInSeries =
  /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)[a-z]*\b|[一二三四五六七八九十]+(?=月|季)/gi;

/**
 * Returns a key that is equal for the columns of a series. Their headings are all missing or differ only in numbers,
 * months or weekdays, and their `facts` are equal. Returns undefined for any other heading.
 */
function seriesKey(heading: string, facts: readonly (string | number)[]): string | undefined {
  const form = heading.toLowerCase().replaceAll(namesInSeries, '@').replaceAll(/\d+/g, '#');
  return form === '' || /[@#]/.test(form) ? JSON.stringify([form, ...facts]) : undefined;
}

/**
 * Columns of a series (their headings differ only in a number, month or weekday) share one line of the description if
 * at least this many of them are adjacent.
 */
const fewestInSeries = 4;

/**
 * Describes each column in one line. Four or more adjacent columns of a series, such as Jan, Feb, Mar and Apr, share
 * one line.
 */
export function describeColumns(columns: readonly DescribedColumn[], detail: 0 | 1 | 2): string[] {
  const lines: string[] = [];
  for (let at = 0; at < columns.length;) {
    const first = columns[at]!;
    let end = at + 1;
    while (first.seriesKey !== undefined && columns[end]?.seriesKey === first.seriesKey) end++;
    if (end - at < fewestInSeries) end = at + 1;
    const series = columns.slice(at, end);
    lines.push(series.length > 1 ? describeSeries(series, detail) : describeOne(first));
    at = end;
  }
  return lines;
}

function describeOne({ col, heading, text }: DescribedColumn): string {
  return `${columnName(col)}${heading === '' ? '' : ` ${shorten(heading, longestHeading)}`}: ${text}`;
}

function describeSeries(columns: readonly DescribedColumn[], detail: 0 | 1 | 2): string {
  const [first, last] = [columns[0]!, columns.at(-1)!];
  const headings = [first, last].map(({ heading }) => shorten(heading, longestHeading));
  const named = headings.every((one) => one === '') ? '' : ` ${headings.join(' … ')}`;
  const [kind, numbers] = [...first.facts.kinds][0]!;
  const all = columns.map(({ facts }) => facts.kinds.get(kind)!);
  const [min, max] = [Math.min(...all.map((one) => one.min)), Math.max(...all.map((one) => one.max))];
  const rest = first.text.split(', ').slice(1).join(', ');
  const type = describeNumbers(kind, { ...numbers, min, max }, detail);
  return `${columnName(first.col)}:${columnName(last.col)}${named}: ${[type, rest].filter(Boolean).join(', ')}, each`;
}

/** Statistics of a column's numbers that have the same type. */
interface NumberStatistics {
  count: number;
  min: number;
  max: number;
  /** Number format of the column's first number of this type. */
  readonly pattern: string;
}

interface ColumnStatistics {
  /**
   * Statistics of the column's numbers by their type, such as `date` or `number in $`. The number format determines
   * the type.
   */
  readonly kinds: Map<string, NumberStatistics>;
  texts: number;
  flags: number;
  errors: number;
  filled: number;
  /** Distinct texts by their case-folded form; undefined if there are more than `maxDifferent`. */
  different: Map<string, string> | undefined;
}

function collectStatistics(document: SheetDocument, sub: SubSheet, body: Rect, col: number): ColumnStatistics {
  const facts: ColumnStatistics = {
    kinds: new Map(),
    texts: 0,
    flags: 0,
    errors: 0,
    filled: 0,
    different: new Map(),
  };
  const ids = new Set<number>();
  const { strings } = document.workbook;
  const formatAt = formatReader(document, sub, body, col);
  sub.sheet.cells.eachPiece(col, body.top, body.bottom, ({ tags, nums }, from, to, start) => {
    charge((to - from + 1) >> 1);
    for (let at = from; at <= to; at++) {
      const tag = tags[at];
      if (tag === numberTag) addNumber(facts.kinds, nums[at]!, formatAt(start + at));
      else if (tag === textTag) {
        facts.texts++;
        if (facts.different && !ids.has(nums[at]!)) {
          ids.add(nums[at]!);
          if (ids.size > maxDifferent) facts.different = undefined;
          else {
            const text = strings.get(nums[at]!);
            const folded = foldText(text);
            if (!facts.different.has(folded)) facts.different.set(folded, text);
          }
        }
      } else if (tag === logicalTag) facts.flags++;
      else if (tag === errorTag) facts.errors++;
      if (tag !== blankTag) facts.filled++;
    }
  });
  return facts;
}

interface NumberFormat {
  readonly pattern: string;
  readonly kind: string;
}

function addNumber(kinds: ColumnStatistics['kinds'], num: number, { kind, pattern }: NumberFormat): void {
  const known = kinds.get(kind);
  if (!known) kinds.set(kind, { count: 1, min: num, max: num, pattern });
  else {
    known.count++;
    if (num < known.min) known.min = num;
    if (num > known.max) known.max = num;
  }
}

/**
 * Returns a function that returns the number format of the column's cell in a row. Callers must pass the rows to that
 * function in ascending order.
 */
function formatReader(document: SheetDocument, sub: SubSheet, body: Rect, col: number): (row: number) => NumberFormat {
  const known = new Map<string, NumberFormat>();
  const formatOf = (pattern: string): NumberFormat => {
    let found = known.get(pattern);
    if (!found) known.set(pattern, (found = { pattern, kind: kindOf(pattern) }));
    return found;
  };
  // If there are pivot tables, read the format of each cell, because formats of pivot labels are not stored as styles.
  if (document.pivotOutputs.size > 0) return (row) => formatOf(document.numberFormat(sub, row, col));
  const runs = sub.styles.list({ ...body, left: col, right: col }).map(([, top, bottom, id]) => ({
    top,
    bottom,
    format: formatOf(document.styles.get(id).numberFormat ?? 'General'),
  }));
  const general = formatOf('General');
  let next = 0;
  return (row) => {
    while (next < runs.length && runs[next]!.bottom < row) next++;
    const run = runs[next];
    return run && run.top <= row ? run.format : general;
  };
}

function typeOf(facts: ColumnStatistics, detail: 0 | 1 | 2): string {
  if (facts.filled === 0) return 'empty';
  const byCount = [...facts.kinds].sort(([, a], [, b]) => b.count - a.count);
  const kinds = byCount.map(([kind, numbers]) => [numbers.count, describeNumbers(kind, numbers, detail)] as const);
  if (facts.texts > 0) kinds.push([facts.texts, textKind(facts, detail)]);
  if (facts.flags > 0) kinds.push([facts.flags, 'TRUE/FALSE']);
  if (kinds.length <= 1) return kinds[0]?.[1] ?? 'errors';
  return `mixed: ${kinds.map(([count, kind]) => `${count} ${kind}`).join(', ')}`;
}

function describeNumbers(kind: string, { min, max, pattern }: NumberStatistics, detail: 0 | 1 | 2): string {
  return detail > 0 ? `${kind} ${shownText(min, pattern)}…${shownText(max, pattern)}` : kind;
}

function textKind({ different, texts }: ColumnStatistics, detail: 0 | 1 | 2): string {
  if (!different) return `text, over ${maxDifferent} different`;
  const samples = [...different.values()]
    .slice(0, detail === 2 ? shownDifferent : 2)
    .map((one) => shorten(one, longestSample));
  const count = different.size === texts ? 'all different' : `${different.size} different`;
  return detail === 0
    ? `text, ${count}`
    : `text, ${count}: ${samples.join(' | ')}${different.size > samples.length ? ' …' : ''}`;
}

/** Returns the type of numbers that have this number format, such as `date`, `percent` or `number in €`. */
function kindOf(pattern: string): string {
  if (isDatePattern(pattern)) return /[yd]/i.test(pattern) ? 'date' : 'time';
  if (pattern.includes('%')) return 'percent';
  const unit = /"([^"]{1,12})"|\[\$([^\]-]{1,6})|([$€£¥￥])/.exec(pattern);
  const found = (unit?.[1] ?? unit?.[2] ?? unit?.[3])?.trim();
  return found ? `number in ${found}` : 'number';
}
