import { invalid } from '../errors.ts';
import { formatValue } from '../../../kernel/parse-input.ts';

export interface Locale {
  readonly tag: string;
  readonly order: 'mdy' | 'dmy' | 'ymd';
  readonly decimal: string;
}

export const defaultLocale: Locale = { tag: 'en-US', order: 'mdy', decimal: '.' };

const localeCache = new Map<string, Locale>();
const maxCachedLocales = 200;

export function getLocale(tag: string): Locale {
  const found = localeCache.get(tag);
  if (found) return found;
  let made: Locale;
  try {
    if (Intl.DateTimeFormat.supportedLocalesOf(tag).length === 0) throw new RangeError(tag);
    const parts = new Intl.DateTimeFormat(tag, { timeZone: 'UTC', calendar: 'gregory' }).formatToParts(0);
    const order = parts.flatMap(({ type }) => (type === 'year' || type === 'month' || type === 'day' ? type[0]! : []));
    const decimal = new Intl.NumberFormat(tag).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.';
    const joined = order.join('');
    made = { tag, order: joined === 'dmy' || joined === 'ymd' ? joined : 'mdy', decimal };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw invalid(`locale: must be a language tag such as en-US, en-GB or de-DE (got ${formatValue(tag)})`);
  }
  if (localeCache.size >= maxCachedLocales) localeCache.clear();
  localeCache.set(tag, made);
  return made;
}

const slashDate = /^(\d{1,4})([/.-])(\d{1,2})\2(\d{1,4})(?=$|[ T])(.*)$/s;

export interface ParsedDate {
  /** The date in ISO form, such as 2021-05-13, followed by the time if there is one. */
  readonly text: string;
  /** Number format that displays the date in the way it was typed, without the time. */
  readonly pattern: string;
}

/**
 * Parses a numeric date in the locale's order of day, month and year. Returns undefined if the text is not such a date.
 */
export function parseNumericDate(text: string, { order }: Locale): ParsedDate | undefined {
  const match = slashDate.exec(text);
  if (!match) return undefined;
  const [, first = '', mark = '', second = '', third = '', rest = ''] = match;
  const isYearFirst = first.length === 4;
  if (isYearFirst ? third.length > 2 : first.length > 2 || (third.length !== 2 && third.length !== 4)) return undefined;
  const shape = isYearFirst ? 'ymd' : order === 'dmy' || (mark === '.' && order !== 'ymd') ? 'dmy' : order;
  if (shape === 'ymd' && !isYearFirst && first.length !== 2) return undefined;
  const parts = { [shape[0]!]: first, [shape[1]!]: second, [shape[2]!]: third } as Record<'y' | 'm' | 'd', string>;
  const year = parts.y.length === 2 ? (Number(parts.y) < 30 ? `20${parts.y}` : `19${parts.y}`) : parts.y;
  const letters = (part: string): string => {
    const length = parts[part as 'y' | 'm' | 'd'].length;
    return part === 'y' ? 'y'.repeat(length) : part.repeat(isPadded(parts, part) ? 2 : 1);
  };
  return {
    text: `${year}-${parts.m}-${parts.d}${rest}`,
    pattern: [...shape].map(letters).join(mark),
  };
}

/**
 * Returns whether the number format must show the day or month (`part`) with two digits. It must if this part was typed
 * with a leading zero, or if day and month were both typed with two digits and one of them has a leading zero, as in
 * 05/12/2021.
 */
function isPadded(parts: Record<'y' | 'm' | 'd', string>, part: string): boolean {
  return (
    parts[part as 'm' | 'd'].startsWith('0') ||
    (parts.m.length === 2 && parts.d.length === 2 && (parts.m[0] === '0' || parts.d[0] === '0'))
  );
}

/** Returns whether the text looks like a numeric date in any order of day, month and year. */
export function looksLikeDate(text: string): boolean {
  return /^\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}$/.test(text.trim());
}

const commaNumber = /^([-+($€£¥￥\s]*)(\d{1,3}(?:[.\s\u00a0\u202f']\d{3})+|\d+)(?:,(\d+))?([\s)%€£¥￥]*)$/;

/**
 * Converts a number that is typed with a decimal comma, such as 1.234,5, to one with a decimal point, if the locale
 * uses a decimal comma. Returns other texts unchanged.
 */
export function normalizeDecimal(text: string, { decimal }: Locale): string {
  if (decimal !== ',') return text;
  const match = commaNumber.exec(text);
  if (!match) return text;
  const [, before = '', whole = '', fraction, after = ''] = match;
  const digits = whole.replaceAll(/[.\s\u00a0\u202f']/g, '');
  const grouped = digits === whole ? digits : digits.replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return `${before}${grouped}${fraction === undefined ? '' : `.${fraction}`}${after}`.trim();
}
