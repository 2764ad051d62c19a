import type { Rect } from '../../base/address.ts';
import { charge } from '../../base/budget.ts';
import { compareScalars, foldText } from '../../base/compare.ts';
import { CellError, type Scalar } from '../../base/values.ts';
import type { RecalcOptions } from '../../workbook/workbook-core.ts';
import type { SheetDocument } from '../document.ts';
import type { Comparison, ConditionalFormat } from '../objects/range-objects.ts';
import { meets, rectOf } from '../objects/rect.ts';
import type { Style } from '../objects/styles.ts';
import type { SubSheet } from '../objects/sub-sheet.ts';
import { isInPeriod } from './date-periods.ts';
import { RuleFormulas } from './rule-formulas.ts';
import { ruleStatisticsOf } from './rule-statistics.ts';
import { colorOfCode, thresholdsOf, type Thresholds } from './thresholds.ts';

/** Formatting that conditional formats add to a cell's own style. */
export interface Look {
  readonly style?: Style;
  /** Filled part of the data bar (0 to 1) and its color. */
  readonly bar?: { readonly share: number; readonly color: string };
  /** Name of the icon set, and the zero-based index of the icon in the set. */
  readonly icon?: { readonly set: string; readonly index: number };
  readonly hidesValue?: true;
}

export interface ComputedFormat {
  readonly row: number;
  readonly col: number;
  readonly look: Look;
}

type Matcher = (value: Scalar, row: number, col: number) => Look | undefined;

/**
 * Columns `left` to `right`, to which one conditional format applies, in a strip of adjacent rows in which the same
 * conditional formats apply. `match` returns the formatting of a cell, if any. If `stops` is set, a cell that matches
 * skips later conditional formats.
 */
interface Span {
  readonly left: number;
  readonly right: number;
  readonly match: Matcher;
  readonly stops: boolean;
}

/**
 * Returns the cells of a rectangle to which conditional formats add formatting, row by row, each with that formatting.
 */
export function computedFormats(
  document: SheetDocument,
  sub: SubSheet,
  rect: Rect,
  options: RecalcOptions = {},
): ComputedFormat[] {
  const rules = sub.formats.filter(({ regions }) => regions.some((region) => meets(rectOf(region), rect)));
  if (rules.length === 0) return [];
  const formulas = new RuleFormulas(document, sub, options);
  const now = options.now ?? document.clock.now;
  const matchers = rules.map((rule) => matcherOf(sub, rule, formulas, now));
  const found: ComputedFormat[] = [];
  const cuts = rowsWhereRulesChange(rules, rect);
  for (const [i, top] of cuts.entries()) {
    const spans = rules.flatMap((rule, index) => spansOf(rule, matchers[index] as Matcher, top, rect));
    if (spans.length > 0) addRows(found, sub, spans, top, (cuts[i + 1] ?? rect.bottom + 1) - 1);
  }
  return found;
}

/** Splits the rows into strips in which the same rules apply, and returns the first row of each strip. */
function rowsWhereRulesChange(rules: readonly ConditionalFormat[], { top, bottom }: Rect): number[] {
  const rows = new Set([top]);
  for (const { regions } of rules)
    for (const [first, , last] of regions)
      for (const row of [first, last + 1]) if (row > top && row <= bottom) rows.add(row);
  return [...rows].sort((a, b) => a - b);
}

function spansOf({ regions, stop }: ConditionalFormat, match: Matcher, row: number, rect: Rect): Span[] {
  return regions.flatMap(([top, left, bottom, right]) => {
    if (top > row || bottom < row || left > rect.right || right < rect.left) return [];
    return [{ left: Math.max(left, rect.left), right: Math.min(right, rect.right), match, stops: stop === true }];
  });
}

function addRows(
  found: ComputedFormat[],
  { sheet }: SubSheet,
  spans: readonly Span[],
  top: number,
  bottom: number,
): void {
  const left = Math.min(...spans.map((span) => span.left));
  const right = Math.max(...spans.map((span) => span.right));
  const line: (Look | undefined)[] = Array.from({ length: right - left + 1 }, () => undefined);
  const stopped = new Uint8Array(line.length);
  for (let row = top; row <= bottom; row++) {
    for (const span of spans) {
      charge(span.right - span.left + 1);
      for (let col = span.left; col <= span.right; col++) {
        if (stopped[col - left] === 1) continue;
        const look = span.match(sheet.read(row, col), row, col);
        if (!look) continue;
        const before = line[col - left];
        line[col - left] = before ? mergeFormats(before, look) : look;
        if (span.stops) stopped[col - left] = 1;
      }
    }
    for (let i = 0; i < line.length; i++) {
      const look = line[i];
      if (!look) continue;
      found.push({ row, col: left + i, look });
      line[i] = undefined;
      stopped[i] = 0;
    }
  }
}

/** Merges the formatting of two rules; where both set a property, `first` wins. */
function mergeFormats(first: Look, second: Look): Look {
  if (first === second) return first;
  return {
    ...second,
    ...first,
    ...(first.style || second.style ? { style: { ...second.style, ...first.style } } : {}),
  };
}

function matcherOf(sub: SubSheet, rule: ConditionalFormat, formulas: RuleFormulas, now: number): Matcher {
  const look: Look = rule.style ? { style: rule.style } : {};
  const when = (test: (value: Scalar, row: number, col: number) => boolean): Matcher => {
    return (value, row, col) => (test(value, row, col) ? look : undefined);
  };
  switch (rule.kind) {
    case 'cell': {
      const [first, second] = [0, 1].map((i) => (rule.formulas?.[i] ? formulas.reader(rule, i) : undefined));
      return when((value, row, col) =>
        satisfiesComparison(value, rule.test as Comparison, first?.(row, col) ?? null, second?.(row, col) ?? null),
      );
    }
    case 'text': {
      const wanted = formulas.reader(rule, 0);
      return when((value, row, col) => {
        const text = wanted(row, col);
        if (value instanceof CellError || text instanceof CellError) return false;
        return isText(foldText(textOf(value)), rule.test ?? 'contains', foldText(textOf(text)));
      });
    }
    case 'date':
      return when((value) => typeof value === 'number' && isInPeriod(value, rule.period ?? 'today', now));
    case 'duplicate':
    case 'unique': {
      const statistics = ruleStatisticsOf(sub, rule);
      const wanted = rule.kind === 'duplicate';
      return when((value) => {
        if (value === null || value === '' || value instanceof CellError) return false;
        return statistics.occurrences(value) > 1 === wanted;
      });
    }
    case 'blank':
      return when((value) => isBlank(value));
    case 'not_blank':
      return when((value) => !isBlank(value));
    case 'error':
      return when((value) => value instanceof CellError);
    case 'not_error':
      return when((value) => !(value instanceof CellError));
    case 'formula': {
      const condition = formulas.reader(rule, 0);
      return when((_, row, col) => isTrue(condition(row, col)));
    }
    case 'top':
      return when(topTest(sub, rule));
    case 'average':
      return when(averageTest(sub, rule));
    default:
      return scaled(rule, thresholdsOf(sub, rule, formulas));
  }
}

function isBlank(value: Scalar): boolean {
  return value === null || (typeof value === 'string' && value.trim() === '');
}

function isTrue(value: Scalar): boolean {
  return value === true || (typeof value === 'number' && value !== 0);
}

function textOf(value: Scalar): string {
  return value === null ? '' : typeof value === 'boolean' ? (value ? 'TRUE' : 'FALSE') : String(value);
}

function isText(text: string, test: string, wanted: string): boolean {
  switch (test) {
    case 'not_contains':
      return !text.includes(wanted);
    case 'begins_with':
      return text.startsWith(wanted);
    case 'ends_with':
      return text.endsWith(wanted);
    default:
      return text.includes(wanted);
  }
}

/**
 * Returns whether a value satisfies a comparison with `first`, or with the limits `first` and `second`. Values of
 * different types are ordered as by the comparison operators of formulas. False if an operand is an error.
 */
export function satisfiesComparison(value: Scalar, test: Comparison, first: Scalar, second: Scalar): boolean {
  if (value instanceof CellError || first instanceof CellError || second instanceof CellError) return false;
  const order = compareScalars(value, first);
  switch (test) {
    case 'equal':
      return order === 0;
    case 'not_equal':
      return order !== 0;
    case 'greater':
      return order > 0;
    case 'less':
      return order < 0;
    case 'greater_or_equal':
      return order >= 0;
    case 'less_or_equal':
      return order <= 0;
    default: {
      const [low, high] = compareScalars(first, second) <= 0 ? [first, second] : [second, first];
      const inside = compareScalars(value, low) >= 0 && compareScalars(value, high) <= 0;
      return inside === (test === 'between');
    }
  }
}

function topTest(sub: SubSheet, rule: ConditionalFormat): (value: Scalar) => boolean {
  const { rank = 10, percent, below } = rule;
  const statistics = ruleStatisticsOf(sub, rule);
  if (statistics.count === 0) return () => false;
  const wanted = percent ? Math.max(1, Math.floor((statistics.count * rank) / 100)) : rank;
  const place = Math.min(wanted, statistics.count) - 1;
  const limit = statistics.nth(below ? place : statistics.count - 1 - place);
  return (value) => typeof value === 'number' && (below ? value <= limit : value >= limit);
}

function averageTest(sub: SubSheet, rule: ConditionalFormat): (value: Scalar) => boolean {
  const statistics = ruleStatisticsOf(sub, rule);
  const { below, equal, deviations = 0 } = rule;
  const away = deviations === 0 ? 0 : deviations * statistics.deviation;
  const limit = statistics.mean + (below ? -away : away);
  return (value) => {
    if (typeof value !== 'number') return false;
    return (equal && value === limit) || (below ? value < limit : value > limit);
  };
}

function scaled(rule: ConditionalFormat, steps: Thresholds): Matcher {
  if (steps.isEmpty) return () => undefined;
  const hides = rule.hidesValue ? { hidesValue: true as const } : {};
  if (rule.kind === 'scale')
    return shared(
      (value) => steps.colorCode(value),
      (code) => ({ style: { bgColor: colorOfCode(code) } }),
    );
  if (rule.kind === 'bar')
    return shared(
      (value) => steps.share(value),
      (share) => ({ bar: { share, color: rule.color ?? 'FF638EC6' }, ...hides }),
    );
  return shared(
    (value) => steps.index(value, rule.reverse === true),
    (index) => ({ icon: { set: rule.icons ?? '3TrafficLights1', index }, ...hides }),
  );
}

/**
 * Returns a matcher that caches its formatting: all numbers for which `code` returns the same integer share one Look
 * object. A color scale on 100,000 cells thus needs only a few hundred objects, one per color.
 */
function shared(code: (value: number) => number, lookOf: (code: number) => Look): Matcher {
  const known = new Map<number, Look>();
  return (value) => {
    if (typeof value !== 'number') return undefined;
    const key = code(value);
    let look = known.get(key);
    if (!look) known.set(key, (look = lookOf(key)));
    return look;
  };
}
