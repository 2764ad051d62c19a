import { toLogical } from '../../base/coerce.ts';
import { lastSerial } from '../../base/serial-date.ts';
import { parseDate } from '../../base/parse-date.ts';
import { parseNumber } from '../../base/parse-number.ts';
import { CellError, cellErrors, type Scalar } from '../../base/values.ts';
import { define, type Definition } from '../define.ts';
import { strictNumber, strictOr } from '../toolpak-arguments.ts';
import { addMonths, checkedSerial, daysInMonth, endOfMonth, partsOf, serialAt, weekdayOf } from './calendar.ts';
import { basisOf, days30European, days360, yearFraction } from './day-count.ts';

/** Maximum absolute value of the month argument of DATE; beyond it, the result is #NUM!. */
const maxPart = 32_767;

function date(year: number, month: number, day: number): number | CellError {
  const [y, m, d] = [Math.trunc(year), Math.floor(month), Math.floor(day)];
  if (y < 0 || y >= 10_000 || Math.abs(m) > maxPart || Math.abs(d) > 3_000_000) return cellErrors.num;
  const fullYear = y < 1900 ? y + 1900 : y;
  // A month past the year 9999 gives #NUM!, even if negative days lead back into that year.
  if (fullYear * 12 + m > 9999 * 12 + 12) return cellErrors.num;
  const serial = serialAt(fullYear, m, d);
  return serial < 0 || serial > lastSerial ? cellErrors.num : serial;
}

/** Returns the day of a serial number. A time less than half a second before midnight counts as the next day. */
function roundedDay(serial: number): number {
  return checkedSerial(Math.floor(Math.round(serial * 86_400) / 86_400));
}

function dateValue(text: string): number | CellError {
  const written = text.trim();
  const day = parseDate(written);
  if (day !== undefined) return day;
  // DATEVALUE accepts a date, with or without a time. It rejects plain numbers and times without a date.
  if (!/[-/:\sA-Za-z年]/.test(written)) return cellErrors.value;
  const serial = parseNumber(written);
  return serial === undefined || serial < 1 || /^[-+(]?[\d.,]+(e[+-]?\d+)?[)%]?$/i.test(written)
    ? cellErrors.value
    : Math.floor(serial);
}

function weekNumber(serial: number, firstDay: number): number {
  const { year } = partsOf(serial);
  const newYear = serialAt(year, 1, 1);
  const offset = (weekdayOf(newYear) - firstDay + 7) % 7;
  return Math.floor((serial - newYear + offset) / 7) + 1;
}

/** Returns the ISO 8601 week number: weeks start on Monday, and week 1 contains the first Thursday. */
function isoWeek(serial: number): number {
  const thursday = serial - ((weekdayOf(serial) + 6) % 7) + 3;
  if (thursday < 1) return 52;
  const { year } = partsOf(thursday);
  return Math.floor((thursday - serialAt(year, 1, 1)) / 7) + 1;
}

function dateDif(start: number, end: number, unit: string): number | CellError {
  if (start > end) return cellErrors.num;
  const from = partsOf(start);
  const to = partsOf(end);
  const months = (to.year - from.year) * 12 + to.month - from.month - (to.day < from.day ? 1 : 0);
  switch (unit.toUpperCase()) {
    case 'Y':
      return Math.floor(months / 12);
    case 'M':
      return months;
    case 'D':
      return end - start;
    case 'YM':
      return months % 12;
    case 'MD': {
      if (to.day >= from.day) return to.day - from.day;
      const before = to.month === 1 ? 31 : daysInMonth(to.year, to.month - 1);
      return to.day + before - from.day;
    }
    case 'YD': {
      const sameYear = serialAt(from.year, to.month, to.day);
      return (sameYear >= start ? sameYear : serialAt(from.year + 1, to.month, to.day)) - start;
    }
    default:
      return cellErrors.num;
  }
}

const monday = 1;

function firstDayOfWeek(type: number): number | undefined {
  if (type === 1 || type === 17) return 0;
  if (type === 2) return monday;
  return type >= 11 && type <= 16 ? type - 10 : undefined;
}

function european(method: Scalar | undefined): boolean {
  const flag = method === undefined ? false : toLogical(method);
  if (flag instanceof CellError) throw flag;
  return flag;
}

export const dayFunctions: readonly Definition[] = [
  define('DATE', 'number number number', (_call, year, month, day) => date(year, month, day)),
  define('YEAR', 'number', (_call, serial) => partsOf(serial).year),
  define('MONTH', 'number', (_call, serial) => partsOf(serial).month),
  define('DAY', 'number', (_call, serial) => partsOf(serial).day),
  define('TODAY', '', (call) => Math.floor(call.now), { volatile: true }),
  define('NOW', '', (call) => call.now, { volatile: true }),
  define('DATEVALUE', 'scalar', (_call, text) => (typeof text === 'string' ? dateValue(text) : cellErrors.value)),
  define('DAYS', 'number number', (_call, end, start) => {
    return checkedSerial(Math.floor(end)) - checkedSerial(Math.floor(start));
  }),
  define('DAYS360', 'number number any?', (_call, start, end, method) => {
    const count = european(method) ? days30European : days360;
    return count(roundedDay(start), roundedDay(end));
  }),
  define('YEARFRAC', 'any any any?', (_call, start, end, basis) => {
    const [from, to] = [Math.floor(strictNumber(start)), Math.floor(strictNumber(end))];
    return yearFraction(checkedSerial(from), checkedSerial(to), basisOf(strictOr(basis, 0)));
  }),
  define('EDATE', 'any any', (_call, start, months) => {
    return addMonths(checkedSerial(Math.floor(strictNumber(start))), Math.trunc(strictNumber(months)));
  }),
  define('EOMONTH', 'any any', (_call, start, months) => {
    return endOfMonth(checkedSerial(Math.floor(strictNumber(start))), Math.trunc(strictNumber(months)));
  }),
  define('DATEDIF', 'number number text', (_call, start, end, unit) => {
    return dateDif(checkedSerial(Math.floor(start)), checkedSerial(Math.floor(end)), unit);
  }),
  define('WEEKDAY', 'number number?', (_call, serial, type = 1) => {
    const day = weekdayOf(checkedSerial(Math.floor(serial)));
    const kind = Math.trunc(type);
    if (kind === 3) return (day + 6) % 7;
    const first = firstDayOfWeek(kind);
    return first === undefined ? cellErrors.num : ((day - first + 7) % 7) + 1;
  }),
  define('WEEKNUM', 'any any?', (_call, value, type) => {
    const serial = checkedSerial(Math.floor(strictNumber(value)));
    const kind = Math.trunc(strictOr(type, 1));
    if (kind === 21) return isoWeek(serial);
    const first = firstDayOfWeek(kind);
    return first === undefined ? cellErrors.num : weekNumber(serial, first);
  }),
  define('ISOWEEKNUM', 'number', (_call, serial) => isoWeek(checkedSerial(Math.floor(serial)))),
];
