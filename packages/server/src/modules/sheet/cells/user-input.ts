import { shownText, type Constant } from '@sheaf/engine/internal/document';
import { readInput, isDatePattern, CellError, type Scalar } from '@sheaf/engine';
import { defaultLocale, normalizeDecimal, parseNumericDate, type Locale } from './locale.ts';

export interface ParsedInput {
  readonly content: { readonly value: Constant } | { readonly formula: string };
  /** Number format implied by the notation of the typed value, such as 0% for 5%. */
  readonly pattern?: string;
}

const textPattern = '@';
const dateFormula = /^=\s*(TODAY|DATE|EDATE|EOMONTH|WORKDAY|DATEVALUE)\s*\(/i;
const momentFormula = /^=\s*NOW\s*\(/i;

/** Parses a text typed into a cell whose number format is `pattern`. Dates and numbers follow the locale's notation. */
export function parseUserInput(text: string, pattern: string, locale: Locale = defaultLocale): ParsedInput {
  if (pattern === textPattern && !text.startsWith('=')) return { content: { value: text === '' ? null : text } };
  const date = parseNumericDate(text, locale);
  const input = readInput(date ? date.text : normalizeDecimal(text, locale));
  // Keep the text if its numbers do not form a valid date, such as 13/5/2021 in a locale with the month first.
  if (date && 'value' in input && typeof input.value !== 'number') return { content: { value: text } };
  if ('formula' in input) {
    const found = dateFormula.test(text) ? 'yyyy-mm-dd' : momentFormula.test(text) ? 'yyyy-mm-dd hh:mm' : undefined;
    return { content: input, ...(found === undefined ? {} : { pattern: found }) };
  }
  if (typeof input.value !== 'number') return { content: { value: constantOf(input.value) } };
  const asked = date ? datePattern(date.pattern, text) : patternOf(normalizeDecimal(text, locale).trim());
  // In a cell with a percent format, 5 means 5%.
  if (asked === undefined && pattern.includes('%'))
    return { content: { value: Number((input.value / 100).toPrecision(15)) } };
  return { content: { value: input.value }, ...(asked === undefined ? {} : { pattern: asked }) };
}

function constantOf(value: Scalar): Constant {
  return value instanceof CellError ? { error: value.text } : value;
}

const plain = /^[+-]?[\d.]+(e[+-]?\d+)?$/i;
const currencies = /[$€£¥￥]/;

function datePattern(day: string, text: string): string {
  const time = timePattern(text);
  const shown = /^yyyy-m{1,2}-d{1,2}$/.test(day) ? 'yyyy-mm-dd' : day;
  return time === '' ? shown : `${shown} ${time}`;
}

/**
 * Returns the number format for the time of day in a typed text; empty if it has none. A time of 24 hours or more is a
 * duration, whose format shows all hours, as in 25:10:00.
 */
function timePattern(text: string): string {
  const clock = /(\d+):\d{1,2}(:\d{1,2})?/.exec(text);
  if (!clock) return '';
  if (Number(clock[1]) >= 24) return '[h]:mm:ss';
  return clock[2] === undefined ? 'hh:mm' : 'hh:mm:ss';
}

/**
 * Returns the number format implied by how a number, date or time was typed, such as 0% for 5%; undefined for a plain
 * number.
 */
function patternOf(text: string): string | undefined {
  if (plain.test(text)) return undefined;
  const decimals = /\.(\d+)/.exec(text)?.[1]?.length ?? 0;
  const fraction = decimals > 0 ? `.${'0'.repeat(decimals)}` : '';
  if (text.includes('%')) return `0${fraction}%`;
  const currency = currencies.exec(text)?.[0];
  if (currency !== undefined) return `${currency === '￥' ? '¥' : currency}#,##0${fraction}`;
  if (/^[+-]?[\d,]+(\.\d*)?$/.test(text)) return `#,##0${fraction}`;
  const hasDay = /[-/年]|[a-z]{3}/i.test(text.replace(/[ap]m$/i, ''));
  const time = timePattern(text);
  if (hasDay) return time === '' ? 'yyyy-mm-dd' : `yyyy-mm-dd ${time}`;
  return time === '' ? undefined : time;
}

/** Matches formats of durations, which count hours past 24. */
const elapsed = /\[h+\]/i;

/**
 * Returns the text with which a user begins to edit a cell. Typing this text again gives the same cell content, except
 * that dates and times are rounded to seconds.
 */
export function formatForEditing(value: Scalar, formula: string | undefined, pattern: string): string {
  if (formula !== undefined) return formula;
  if (value === null) return '';
  if (value instanceof CellError) return value.text;
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (typeof value === 'string') {
    if (pattern === textPattern) return value;
    const again = readInput(value);
    return 'value' in again && again.value === value ? value : `'${value}`;
  }
  if (elapsed.test(pattern) && value >= 0) return shownText(value, '[h]:mm:ss');
  if (isDatePattern(pattern)) return dateText(value);
  if (pattern.includes('%')) return `${Number((value * 100).toPrecision(15))}%`;
  return String(value);
}

function dateText(serial: number): string {
  const day = Math.floor(serial);
  const date = day === 0 ? '' : shownText(serial, 'yyyy-mm-dd');
  if (serial === day) return date === '' ? '0' : date;
  const time = shownText(serial, Math.round(serial * 86_400) % 60 === 0 ? 'hh:mm' : 'hh:mm:ss');
  return date === '' ? time : `${date} ${time}`;
}
