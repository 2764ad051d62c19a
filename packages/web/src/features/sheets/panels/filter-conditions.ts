import type { MessageKey } from '../../../i18n/use-translation.ts';

export const conditionLabels = {
  contains: 'contains',
  not_contains: 'notContains',
  begins_with: 'beginsWith',
  ends_with: 'endsWith',
  equal: 'equal',
  not_equal: 'notEqual',
  greater: 'greater',
  greater_or_equal: 'greaterOrEqual',
  less: 'less',
  less_or_equal: 'lessOrEqual',
  between: 'between',
  blank: 'ruleBlank',
  not_blank: 'ruleNotBlank',
} as const satisfies Record<string, MessageKey>;

export type Condition = keyof typeof conditionLabels;

export function operandCount(condition: Condition): 0 | 1 | 2 {
  if (condition === 'blank' || condition === 'not_blank') return 0;
  return condition === 'between' ? 2 : 1;
}

/**
 * Parses the number in a displayed text. Currency signs and digit grouping are ignored, parentheses make the number
 * negative, a percentage is divided by 100, and a date becomes a number of days. Returns undefined for other texts.
 */
function parseDisplayedNumber(text: string): number | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  const [, year, month, day] = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:\D|$)/.exec(trimmed) ?? [];
  if (year !== undefined) return Date.UTC(Number(year), Number(month) - 1, Number(day)) / 86_400_000;
  const isNegative = /^\(.*\)$/.test(trimmed);
  const bare = trimmed.replace(/^\(|\)$/g, '').replace(/[\p{Sc}\s,']/gu, '');
  const [, digits, percent] = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(%?)$/i.exec(bare) ?? [];
  if (digits === undefined) return undefined;
  const number = Number(digits) * (percent === '%' ? 0.01 : 1);
  return isNegative ? -number : number;
}

/**
 * Returns whether a displayed text meets a condition, ignoring case. Conditions such as `greater` compare numbers if
 * both sides are numbers, and texts if neither is; otherwise they are not met. `second` is the upper limit of
 * `between`.
 */
export function meetsCondition(text: string, condition: Condition, first: string, second: string): boolean {
  const shown = text.toLocaleLowerCase();
  const wanted = first.trim().toLocaleLowerCase();
  const order = (other: string): number | undefined => {
    const [a, b] = [parseDisplayedNumber(text), parseDisplayedNumber(other)];
    if (a !== undefined && b !== undefined) return a - b;
    return a === undefined && b === undefined && shown !== ''
      ? shown.localeCompare(other.trim().toLocaleLowerCase())
      : undefined;
  };
  const compared = order(first);
  switch (condition) {
    case 'blank':
      return shown === '';
    case 'not_blank':
      return shown !== '';
    case 'contains':
      return shown.includes(wanted);
    case 'not_contains':
      return !shown.includes(wanted);
    case 'begins_with':
      return shown.startsWith(wanted);
    case 'ends_with':
      return shown.endsWith(wanted);
    case 'equal':
      return compared === 0 || shown === wanted;
    case 'not_equal':
      return compared !== 0 && shown !== wanted;
    case 'greater':
      return compared !== undefined && compared > 0;
    case 'greater_or_equal':
      return compared !== undefined && compared >= 0;
    case 'less':
      return compared !== undefined && compared < 0;
    case 'less_or_equal':
      return compared !== undefined && compared <= 0;
    case 'between': {
      const upper = order(second);
      return compared !== undefined && upper !== undefined && compared >= 0 && upper <= 0;
    }
  }
}
