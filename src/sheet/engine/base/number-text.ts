import { serialOfDate } from './dates.ts';

/**
 * Numbers as people write them in a cell: `1,234.5`, `(12)`, `$3`, `50%`, `1e3`, `1 1/2`, dates, times.
 * Undefined when the text is not a number. US order of dates, as in an English workbook.
 */
export function numberOfText(raw: string): number | undefined {
  const text = raw.trim();
  if (text === '') return undefined;
  const first = text.charCodeAt(0);
  const maybe = (first >= 48 && first <= 57) || '+-.($€£¥￥%'.includes(text[0] ?? '') || (first >= 65 && first <= 122);
  if (!maybe) return undefined;
  const number = plainNumber(text) ?? decorated(text) ?? fraction(text);
  if (number !== undefined) return number;
  // Spaces around a number or a time do no harm, around a date they do.
  return text === raw ? dateTime(text) : timeOfText(text);
}

const plainNumberPattern = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

function plainNumber(text: string): number | undefined {
  if (!plainNumberPattern.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

const groupedNumber = /^(\d{1,3}(,\d{3,})+|\d+)(\.\d*)?(e[+-]?\d+)?$/i;

function decorated(text: string): number | undefined {
  let rest = text;
  let sign = 1;
  let percent = 0;
  let currency = false;
  let signed = false;
  if (rest.startsWith('(') && rest.endsWith(')')) {
    sign = -1;
    signed = true;
    rest = rest.slice(1, -1).trim();
  }
  for (let changed = true; changed;) {
    changed = false;
    const head = rest[0] ?? '';
    if (!signed && (head === '-' || head === '+')) {
      if (head === '-') sign = -1;
      signed = true;
      changed = true;
    } else if (!currency && '$€£¥￥'.includes(head) && head !== '') {
      currency = true;
      changed = true;
    } else if (percent === 0 && head === '%') {
      percent = 1;
      changed = true;
    }
    if (changed) rest = rest.slice(1).trimStart();
  }
  if (percent === 0 && rest.endsWith('%')) {
    percent = 1;
    rest = rest.slice(0, -1).trimEnd();
  } else if (!currency && /[€£¥￥]$/.test(rest)) {
    rest = rest.slice(0, -1).trimEnd();
  }
  if (!groupedNumber.test(rest) && !plainNumberPattern.test(rest)) return undefined;
  if (/^[+-]/.test(rest)) return undefined;
  const value = Number(rest.replaceAll(',', ''));
  if (!Number.isFinite(value)) return undefined;
  return (sign * value) / (percent ? 100 : 1);
}

function fraction(text: string): number | undefined {
  const match = /^([+-]?)(\d+)\s+(\d+)\/(\d+)$/.exec(text);
  if (!match) return undefined;
  const below = Number(match[4]);
  if (below === 0) return undefined;
  const value = Number(match[2]) + Number(match[3]) / below;
  return match[1] === '-' ? -value : value;
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const monthNames = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

function monthOf(word: string): number {
  const low = word.toLowerCase();
  const short = months.indexOf(low);
  return (short >= 0 ? short : monthNames.indexOf(low)) + 1;
}

function fullYear(text: string): number {
  const year = Number(text);
  if (text.length > 2) return year;
  return year < 30 ? 2000 + year : 1900 + year;
}

function checkedDate(year: number, month: number, day: number): number | undefined {
  if (year < 1900 || year > 9999 || month < 1 || month > 12 || day < 1) return undefined;
  const leap = month === 2 && (year === 1900 || new Date(Date.UTC(year, 2, 0)).getUTCDate() === 29);
  const days = month === 2 ? (leap ? 29 : 28) : new Date(Date.UTC(2001, month, 0)).getUTCDate();
  if (day > days) return undefined;
  const serial = serialOfDate(year, month, day);
  return Number.isNaN(serial) ? undefined : serial;
}

/** The day alone, as in `DATEVALUE`. `year` is used where the text names none. */
export function dateOfText(text: string, year = 1900): number | undefined {
  let match = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/.exec(text);
  if (match) return checkedDate(Number(match[1]), Number(match[3]), Number(match[4]));
  match = /^(\d{1,2})([-/])(\d{1,2})\2(\d{4}|\d{2})$/.exec(text);
  if (match) return checkedDate(fullYear(match[4] ?? ''), Number(match[1]), Number(match[3]));
  match = /^(\d{1,2})([-/ ]?)([a-z]{3,9})[-/ ,]?\s*(\d{4}|\d{2})$/i.exec(text);
  if (match) return checkedDate(fullYear(match[4] ?? ''), monthOf(match[3] ?? ''), Number(match[1]));
  match = /^([a-z]{3,9})[-/ ](\d{1,2})(?:,\s*|[-/ ]\s*)(\d{4}|\d{2})$/i.exec(text);
  if (match) return checkedDate(fullYear(match[3] ?? ''), monthOf(match[1] ?? ''), Number(match[2]));
  match = /^([a-z]{3,9})[-/ ,]\s*(\d{4})$/i.exec(text);
  if (match) return checkedDate(Number(match[2]), monthOf(match[1] ?? ''), 1);
  match = /^(\d{1,2})[-/ ]?([a-z]{3,9})$/i.exec(text);
  if (match) return checkedDate(year, monthOf(match[2] ?? ''), Number(match[1]));
  match = /^(\d{1,2})[-/](\d{1,2})$/.exec(text);
  if (match) return checkedDate(year, Number(match[1]), Number(match[2]));
  match = /^(\d{4})年(\d{1,2})月(\d{1,2})日$/.exec(text);
  if (match) return checkedDate(Number(match[1]), Number(match[2]), Number(match[3]));
  return undefined;
}

/** The time of day alone as a fraction of a day, as in `TIMEVALUE`; may pass 1 for long hours. */
export function timeOfText(text: string): number | undefined {
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

function dateTime(text: string): number | undefined {
  const day = dateOfText(text);
  if (day !== undefined) return day;
  const time = timeOfText(text);
  if (time !== undefined) return time;
  const split = /^(.*\d)[T ]\s*(\d{1,2}(?::\d{1,2}(?::\d{1,2}(?:\.\d+)?)?)?(?:\s*[ap]m?)?)$/i.exec(text);
  if (!split) return undefined;
  const date = dateOfText((split[1] ?? '').trim());
  const clock = timeOfText(split[2] ?? '');
  return date === undefined || clock === undefined ? undefined : date + clock;
}
