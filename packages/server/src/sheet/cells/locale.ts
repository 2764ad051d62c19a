import { fail } from '../../operation/errors.ts';
import { show } from '../../operation/parse.ts';

/** How a place writes dates and numbers. */
export interface Locale {
  readonly tag: string;
  readonly order: 'mdy' | 'dmy' | 'ymd';
  readonly decimal: string;
}

export const usual: Locale = { tag: 'en-US', order: 'mdy', decimal: '.' };

const known = new Map<string, Locale>();
const maxKnown = 200;

/** By its tag, as en-GB or de. */
export function localeOf(tag: string): Locale {
  const found = known.get(tag);
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
    throw fail('invalid_parameter', `locale: must be a language tag such as en-US, en-GB or de-DE (got ${show(tag)})`);
  }
  if (known.size >= maxKnown) known.clear();
  known.set(tag, made);
  return made;
}

const slashDate = /^(\d{1,4})([/.-])(\d{1,2})\2(\d{1,4})(?=$|[ T])(.*)$/s;

export interface WrittenDate {
  /** As every reader takes it: 2021-05-13, with the time behind it. */
  readonly text: string;
  /** The number format that shows it as it was written, without the time. */
  readonly pattern: string;
}

/** A date in numbers, read in the order of the place; undefined when the text is none. */
export function writtenDate(text: string, { order }: Locale): WrittenDate | undefined {
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

/** A leading zero in either says that both are written with two digits. */
function isPadded(parts: Record<'y' | 'm' | 'd', string>, part: string): boolean {
  return (
    parts[part as 'm' | 'd'].startsWith('0') ||
    (parts.m.length === 2 && parts.d.length === 2 && (parts.m[0] === '0' || parts.d[0] === '0'))
  );
}

/** Whether a text looks like a date in numbers, whatever the order. */
export function looksLikeDate(text: string): boolean {
  return /^\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}$/.test(text.trim());
}

const commaNumber = /^([-+($€£¥￥\s]*)(\d{1,3}(?:[.\s\u00a0\u202f']\d{3})+|\d+)(?:,(\d+))?([\s)%€£¥￥]*)$/;

/** A number written with a decimal comma, as it is written with a point; other texts as they are. */
export function withDecimalPoint(text: string, { decimal }: Locale): string {
  if (decimal !== ',') return text;
  const match = commaNumber.exec(text);
  if (!match) return text;
  const [, before = '', whole = '', fraction, after = ''] = match;
  const digits = whole.replaceAll(/[.\s\u00a0\u202f']/g, '');
  const grouped = digits === whole ? digits : digits.replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return `${before}${grouped}${fraction === undefined ? '' : `.${fraction}`}${after}`.trim();
}
