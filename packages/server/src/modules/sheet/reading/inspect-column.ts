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

/**
 * Describes a column in one line: letter, heading, type with its range or values, formula with deviations, gaps and
 * errors.
 */
export function describeColumnInLine(
  document: SheetDocument,
  sub: SubSheet,
  table: DetectedTable,
  col: number,
  detail: 0 | 1 | 2,
): string {
  const body = tableBody(table);
  const heading = table.header === undefined ? '' : document.text(sub, table.header, col).trim();
  const facts = collectStatistics(document, sub, body, col);
  const formulas = analyzeColumnFormulas(document, sub, body, col);
  const parts = [typeOf(document, sub, body, col, facts, detail)];
  if (formulas) {
    const all = formulas.count === body.bottom - body.top + 1;
    parts.push(`${formulas.formula}${all ? '' : ` in ${formulas.range}`}`);
    if (formulas.breakCount > 0)
      parts.push(`BREAKS in ${formulas.breakCount}: ${formulas.breaks.slice(0, detail === 2 ? 3 : 1).join('; ')}`);
  }
  const blanks = body.bottom - body.top + 1 - facts.filled;
  if (blanks > 0 && facts.filled > 0) parts.push(`${blanks} blank`);
  if (facts.errors > 0) parts.push(`${facts.errors} errors`);
  return `${columnName(col)}${heading === '' ? '' : ` ${shorten(heading, longestHeading)}`}: ${parts.join(', ')}`;
}

interface ColumnStatistics {
  numbers: number;
  texts: number;
  flags: number;
  errors: number;
  filled: number;
  min: number;
  max: number;
  /** Distinct texts, keyed by their case-folded form; undefined if there are more than `maxDifferent`. */
  different: Map<string, string> | undefined;
}

function collectStatistics(document: SheetDocument, sub: SubSheet, body: Rect, col: number): ColumnStatistics {
  const facts: ColumnStatistics = {
    numbers: 0,
    texts: 0,
    flags: 0,
    errors: 0,
    filled: 0,
    min: Infinity,
    max: -Infinity,
    different: new Map(),
  };
  const ids = new Set<number>();
  const { strings } = document.workbook;
  sub.sheet.cells.eachPiece(col, body.top, body.bottom, ({ tags, nums }, from, to) => {
    charge((to - from + 1) >> 1);
    for (let at = from; at <= to; at++) {
      const tag = tags[at];
      if (tag === numberTag) {
        const num = nums[at]!;
        facts.numbers++;
        if (num < facts.min) facts.min = num;
        if (num > facts.max) facts.max = num;
      } else if (tag === textTag) {
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

function typeOf(
  document: SheetDocument,
  sub: SubSheet,
  body: Rect,
  col: number,
  facts: ColumnStatistics,
  detail: 0 | 1 | 2,
): string {
  if (facts.filled === 0) return 'empty';
  const kinds: string[] = [];
  if (facts.numbers > 0) {
    const pattern = patternOf(document, sub, body, col);
    const span = (value: number): string => shownText(value, pattern);
    kinds.push(`${kindOf(pattern)}${detail > 0 ? ` ${span(facts.min)}…${span(facts.max)}` : ''}`);
  }
  if (facts.texts > 0) kinds.push(textKind(facts, detail));
  if (facts.flags > 0) kinds.push('TRUE/FALSE');
  if (kinds.length <= 1) return kinds[0] ?? 'errors';
  const counts = [facts.numbers, facts.texts, facts.flags].filter((one) => one > 0);
  return `mixed: ${kinds.map((kind, index) => `${counts[index]} ${kind}`).join(', ')}`;
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

/**
 * Returns the number format of the first number among the first rows of a column, or the format of the first row if
 * there is no number.
 */
function patternOf(document: SheetDocument, sub: SubSheet, body: Rect, col: number): string {
  for (let row = body.top; row <= Math.min(body.bottom, body.top + 50); row++)
    if (typeof document.value(sub, row, col) === 'number') return document.numberFormat(sub, row, col);
  return document.numberFormat(sub, body.top, col);
}

/** Returns the type of numbers that have this number format, such as `date`, `percent` or `number in €`. */
function kindOf(pattern: string): string {
  if (isDatePattern(pattern)) return /[yd]/i.test(pattern) ? 'date' : 'time';
  if (pattern.includes('%')) return 'percent';
  const unit = /"([^"]{1,12})"|\[\$([^\]-]{1,6})|([$€£¥￥])/.exec(pattern);
  const found = (unit?.[1] ?? unit?.[2] ?? unit?.[3])?.trim();
  return found ? `number in ${found}` : 'number';
}
