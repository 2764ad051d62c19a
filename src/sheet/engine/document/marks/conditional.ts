import type { Rect } from '../../base/address.ts';
import { charge } from '../../base/budget.ts';
import { compareScalars, foldText } from '../../base/compare.ts';
import { CellError, type Scalar } from '../../base/values.ts';
import type { RecalcOptions } from '../../workbook/workbook.ts';
import type { SheetDocument } from '../document.ts';
import type { Comparison, ConditionalFormat } from '../objects/marks.ts';
import { meets, rectOf } from '../objects/rect.ts';
import type { Style } from '../objects/styles.ts';
import type { SubSheet } from '../objects/sub-sheet.ts';
import { isInPeriod } from './date-periods.ts';
import { MarkFormulas } from './formulas.ts';
import { statisticsOf } from './statistics.ts';
import { stepsOf, type Scaled } from './steps.ts';

/** What the rules of a sub-sheet make of a cell, over its own style. */
export interface ComputedFormat {
  readonly row: number;
  readonly col: number;
  readonly style?: Style;
  /** How much of the cell the bar fills, 0 to 1, and its color. */
  readonly bar?: { readonly share: number; readonly color: string };
  /** Which icon of which set, from the lowest. */
  readonly icon?: { readonly set: string; readonly index: number };
  readonly hidesValue?: true;
}

type Made = Omit<ComputedFormat, 'row' | 'col'>;
type Matcher = (value: Scalar, row: number, col: number) => Made | undefined;

/** The cells of a rectangle that rules say something of, row by row. */
export function computedFormats(
  document: SheetDocument,
  sub: SubSheet,
  rect: Rect,
  options: RecalcOptions = {},
): ComputedFormat[] {
  const rules = sub.formats.filter(({ regions }) => regions.some((region) => meets(rectOf(region), rect)));
  if (rules.length === 0) return [];
  const formulas = new MarkFormulas(document, sub, options);
  const now = options.now ?? document.clock.now;
  const width = rect.right - rect.left + 1;
  const found = new Map<number, Made>();
  const stopped = new Set<number>();
  let highest = -1;
  let isInOrder = true;
  for (const rule of rules) {
    const match = matcherOf(sub, rule, formulas, now);
    for (const [top, left, bottom, right] of rule.regions) {
      const [first, last] = [Math.max(top, rect.top), Math.min(bottom, rect.bottom)];
      for (let row = first; row <= last; row++) {
        charge(right - left + 1);
        for (let col = Math.max(left, rect.left); col <= Math.min(right, rect.right); col++) {
          const key = (row - rect.top) * width + col - rect.left;
          if (stopped.size > 0 && stopped.has(key)) continue;
          const made = match(sub.sheet.read(row, col), row, col);
          if (!made) continue;
          const before = found.get(key);
          if (!before && key < highest) isInOrder = false;
          highest = Math.max(highest, key);
          found.set(key, before ? together(before, made) : made);
          if (rule.stop) stopped.add(key);
        }
      }
    }
  }
  const keys = isInOrder ? found.keys() : [...found.keys()].sort((a, b) => a - b);
  const list: ComputedFormat[] = [];
  for (const key of keys) {
    const made = found.get(key) as Made;
    list.push(Object.assign({ row: rect.top + Math.floor(key / width), col: rect.left + (key % width) }, made));
  }
  return list;
}

/** What the first says holds. */
function together(first: Made, second: Made): Made {
  return {
    ...second,
    ...first,
    ...(first.style || second.style ? { style: { ...second.style, ...first.style } } : {}),
  };
}

function matcherOf(sub: SubSheet, rule: ConditionalFormat, formulas: MarkFormulas, now: number): Matcher {
  const made: Made = rule.style ? { style: rule.style } : {};
  const when = (test: (value: Scalar, row: number, col: number) => boolean): Matcher => {
    return (value, row, col) => (test(value, row, col) ? made : undefined);
  };
  switch (rule.kind) {
    case 'cell':
      return when((value, row, col) => {
        const [first, second] = [0, 1].map((i) => (rule.formulas?.[i] ? formulas.at(rule, i, row, col) : null));
        return isCompared(value, rule.test as Comparison, first ?? null, second ?? null);
      });
    case 'text':
      return when((value, row, col) => {
        const text = formulas.at(rule, 0, row, col);
        if (value instanceof CellError || text instanceof CellError) return false;
        return isText(foldText(textOf(value)), rule.test ?? 'contains', foldText(textOf(text)));
      });
    case 'date':
      return when((value) => typeof value === 'number' && isInPeriod(value, rule.period ?? 'today', now));
    case 'duplicate':
    case 'unique': {
      const statistics = statisticsOf(sub, rule);
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
    case 'formula':
      return when((_, row, col) => isTrue(formulas.at(rule, 0, row, col)));
    case 'top':
      return when(topTest(sub, rule));
    case 'average':
      return when(averageTest(sub, rule));
    default:
      return scaled(rule, stepsOf(sub, rule, formulas));
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

/** By the order of the comparison operators; what is compared with an error is not so. */
export function isCompared(value: Scalar, test: Comparison, first: Scalar, second: Scalar): boolean {
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
  const { sorted } = statisticsOf(sub, rule);
  const count = percent ? Math.max(1, Math.floor((sorted.length * rank) / 100)) : rank;
  if (sorted.length === 0) return () => false;
  const limit = below
    ? (sorted[Math.min(count, sorted.length) - 1] as number)
    : (sorted[Math.max(0, sorted.length - count)] as number);
  return (value) => typeof value === 'number' && (below ? value <= limit : value >= limit);
}

function averageTest(sub: SubSheet, rule: ConditionalFormat): (value: Scalar) => boolean {
  const statistics = statisticsOf(sub, rule);
  const { below, equal, deviations = 0 } = rule;
  const away = deviations === 0 ? 0 : deviations * statistics.deviation;
  const limit = statistics.mean + (below ? -away : away);
  return (value) => {
    if (typeof value !== 'number') return false;
    return (equal && value === limit) || (below ? value < limit : value > limit);
  };
}

function scaled(rule: ConditionalFormat, steps: Scaled): Matcher {
  const hides = rule.hidesValue ? { hidesValue: true as const } : {};
  return (value) => {
    if (typeof value !== 'number' || steps.isEmpty) return undefined;
    if (rule.kind === 'scale') return { style: { bgColor: steps.color(value) } };
    if (rule.kind === 'bar') return { bar: { share: steps.share(value), color: rule.color ?? 'FF638EC6' }, ...hides };
    return {
      icon: { set: rule.icons ?? '3TrafficLights1', index: steps.index(value, rule.reverse === true) },
      ...hides,
    };
  };
}
