import { serialOfDate } from './serial-date.ts';
import { currentYear } from './current-time.ts';

/** English month names. `monthNumbers` also maps their abbreviations. */
const monthNames = 'january february march april may june july august september october november december'.split(' ');

const monthNumbers = new Map([
  ...monthNames.map((name, index) => [name, index + 1] as const),
  ...monthNames.map((name, index) => [name.slice(0, 3), index + 1] as const),
  ['sept', 9] as const,
]);

function fullYear(text: string): number {
  const year = Number(text);
  if (text.length > 2) return year;
  return year < 30 ? 2000 + year : 1900 + year;
}

function daysInMonth(year: number, month: number): number {
  if (month !== 2) return new Date(Date.UTC(2001, month, 0)).getUTCDate();
  return year === 1900 ? 29 : new Date(Date.UTC(year, 2, 0)).getUTCDate();
}

function checkedDate(year: number, month: number, day: number): number | undefined {
  if (year < 1900 || year > 9999 || month < 1 || month > 12 || day < 1) return undefined;
  if (day > daysInMonth(year, month)) return undefined;
  const serial = serialOfDate(year, month, day);
  return Number.isNaN(serial) ? undefined : serial;
}

/**
 * Parses a month and one number. The number is a day of the current year if the month has such a day; otherwise it is a
 * year, and the result is the first day of the month.
 */
function monthAnd(month: number, number: string): number | undefined {
  const day = Number(number);
  const year = currentYear();
  if (month < 1 || month > 12) return undefined;
  if (number.length <= 2 && day >= 1 && day <= daysInMonth(year, month)) return checkedDate(year, month, day);
  return checkedDate(fullYear(number), month, 1);
}

const gap = String.raw`(?:\s*[-/,]\s*|\s*)`;
const mark = String.raw`(?:\s*[-/,]\s*|\s+)`;
const word = '([a-z]{3,9})';
const number = String.raw`(\d{4}|\d{1,2})`;
const monthFirst = new RegExp(`^${word}${gap}${number}(?:${mark}${number})?$`, 'i');
const numberFirst = new RegExp(`^${number}${gap}${word}(?:${gap}${number})?$`, 'i');

/** Parses dates with a month name: Jan 5, Jan 5 2020, Jan 2020, 5 Jan, 5-Jan-20, 2020 Jan, 2020-JAN-05. */
function namedMonth(text: string): number | undefined {
  let match = monthFirst.exec(text);
  if (match) {
    const [, name = '', first = '', second] = match;
    const month = monthNumbers.get(name.toLowerCase());
    if (month === undefined) return undefined;
    if (second === undefined) return monthAnd(month, first);
    return first.length > 2 ? undefined : checkedDate(fullYear(second), month, Number(first));
  }
  match = numberFirst.exec(text);
  if (!match) return undefined;
  const [, first = '', name = '', second] = match;
  const month = monthNumbers.get(name.toLowerCase());
  if (month === undefined) return undefined;
  if (second === undefined) return monthAnd(month, first);
  if (first.length <= 2) return checkedDate(fullYear(second), month, Number(first));
  return second.length > 2 ? undefined : checkedDate(Number(first), month, Number(second));
}

/** Parses a date without a time to a serial number, as DATEVALUE does. Returns undefined for other text. */
export function parseDate(text: string): number | undefined {
  const named = namedMonth(text);
  if (named !== undefined) return named;
  let match = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/.exec(text);
  if (match) return checkedDate(Number(match[1]), Number(match[3]), Number(match[4]));
  match = /^(\d{1,2})([-/])(\d{1,2})\2(\d{4}|\d{2})$/.exec(text);
  if (match) return checkedDate(fullYear(match[4] ?? ''), Number(match[1]), Number(match[3]));
  match = /^(\d{1,2})[-/](\d{4}|\d{1,2})$/.exec(text);
  if (match) return monthAnd(Number(match[1]), match[2] ?? '');
  match = /^(\d{4})年(\d{1,2})月(\d{1,2})日$/.exec(text);
  if (match) return checkedDate(Number(match[1]), Number(match[2]), Number(match[3]));
  return undefined;
}

/**
 * Parses a time without a date to a fraction of a day, as TIMEVALUE does. Hours above 24 give more than 1. Returns
 * undefined for other text.
 */
export function parseTime(text: string): number | undefined {
  const match = /^(\d{1,4})(?::(\d{1,4}))?(?::(\d{1,4}(?:\.\d+)?))?(?:\s*([ap])m?)?$/i.exec(text);
  if (!match || (match[2] === undefined && match[4] === undefined)) return undefined;
  let hours = Number(match[1]);
  const minutes = Number(match[2] ?? 0);
  const seconds = Number(match[3] ?? 0);
  const half = match[4]?.toLowerCase();
  if (half !== undefined) {
    if (hours > 12 || minutes > 59 || seconds >= 60) return undefined;
    hours = (hours % 12) + (half === 'p' ? 12 : 0);
  } else if (minutes > 59 && hours > 23) return undefined;
  return (hours * 3600 + minutes * 60 + seconds) / 86_400;
}

/** Maximum length of a text that is tried as a date. Every date is shorter. */
const longestDate = 64;

/** Parses a date, a time of day, or both to a serial number. Returns undefined for other text. */
export function parseDateTime(text: string): number | undefined {
  if (text.length > longestDate) return undefined;
  const alone = parseDate(text) ?? parseTime(text);
  if (alone !== undefined) return alone;
  const split = /^(.*[\da-z])(?:T|\s)\s*(\d{1,2}(?::\d{1,2}(?::\d{1,2}(?:\.\d+)?)?)?(?:\s*[ap]m?)?)$/i.exec(text);
  if (!split) return undefined;
  const date = parseDate((split[1] ?? '').trim());
  const clock = parseTime(split[2] ?? '');
  return date === undefined || clock === undefined ? undefined : date + clock;
}
