import { numberOf } from '../../coerce.ts';
import { CellError, ERRORS } from '../../values.ts';
import type { Grid, Scalar } from '../../values.ts';
import type { Call } from '../call.ts';
import { define } from '../define.ts';
import type { FunctionDef } from '../define.ts';
import { strictNumber } from '../strict.ts';
import { checkedSerial, weekdayOf } from './calendar.ts';

/** True for the days off, Sunday first. */
type Weekend = readonly boolean[];

function daysOff(...days: number[]): Weekend {
  return [0, 1, 2, 3, 4, 5, 6].map((day) => days.includes(day));
}

const SATURDAY_SUNDAY = daysOff(6, 0);

function weekendOf(value: Scalar | undefined): Weekend {
  if (value === undefined || value === null) return SATURDAY_SUNDAY;
  if (value instanceof CellError) throw value;
  if (typeof value === 'string') {
    if (!/^[01]{7}$/.test(value)) throw ERRORS.value;
    // Written from Monday to Sunday.
    return [6, 0, 1, 2, 3, 4, 5].map((place) => value[place] === '1');
  }
  const code = Math.trunc(numberOf(value));
  if (code >= 1 && code <= 7) return daysOff((code + 5) % 7, (code + 6) % 7);
  if (code >= 11 && code <= 17) return daysOff(code - 11);
  throw ERRORS.num;
}

/** The holidays that are working days otherwise, each once, in order. */
function holidaysOf(grid: Grid | undefined, weekend: Weekend): number[] {
  const days = new Set<number>();
  grid?.eachFilled((value) => {
    const serial = Math.floor(strictNumber(value));
    checkedSerial(serial);
    if (!weekend[weekdayOf(serial)]) days.add(serial);
  });
  return [...days].sort((a, b) => a - b);
}

function countWorkdays(from: number, to: number, weekend: Weekend, holidays: readonly number[]): number {
  const length = to - from + 1;
  const perWeek = weekend.filter((off) => !off).length;
  const weeks = Math.floor(length / 7);
  let count = weeks * perWeek;
  for (let day = from + weeks * 7; day <= to; day++) if (!weekend[weekdayOf(day)]) count++;
  for (const day of holidays) if (day >= from && day <= to) count--;
  return count;
}

function networkDays(start: number, end: number, weekend: Weekend, grid: Grid | undefined): number {
  const [from, to] = [checkedSerial(Math.floor(start)), checkedSerial(Math.floor(end))];
  const holidays = holidaysOf(grid, weekend);
  if (from <= to) return countWorkdays(from, to, weekend, holidays);
  return -countWorkdays(to, from, weekend, holidays);
}

function workday(call: Call, start: number, amount: number, weekend: Weekend, grid: Grid | undefined): number {
  const from = checkedSerial(Math.floor(start));
  const days = Math.trunc(amount);
  const perWeek = weekend.filter((off) => !off).length;
  if (perWeek === 0) throw ERRORS.value;
  const holidays = new Set(holidaysOf(grid, weekend));
  const step = days < 0 ? -1 : 1;
  let left = Math.abs(days);
  call.budget.spend(Math.min(left, 3_000_000));
  let day = from;
  while (left > 0) {
    day += step;
    checkedSerial(day);
    if (!weekend[weekdayOf(day)] && !holidays.has(day)) left--;
  }
  return day;
}

export const workdayFunctions: readonly FunctionDef[] = [
  define('NETWORKDAYS', 'date', ['any', 'any', 'grid?'], (_call, start, end, holidays) =>
    networkDays(strictNumber(start), strictNumber(end), SATURDAY_SUNDAY, holidays),
  ),
  define('NETWORKDAYS.INTL', 'date', ['any', 'any', 'any?', 'grid?'], (_call, start, end, weekend, holidays) =>
    networkDays(strictNumber(start), strictNumber(end), weekendOf(weekend), holidays),
  ),
  define('WORKDAY', 'date', ['any', 'any', 'grid?'], (call, start, days, holidays) =>
    workday(call, strictNumber(start), strictNumber(days), SATURDAY_SUNDAY, holidays),
  ),
  define('WORKDAY.INTL', 'date', ['any', 'any', 'any?', 'grid?'], (call, start, days, weekend, holidays) =>
    workday(call, strictNumber(start), strictNumber(days), weekendOf(weekend), holidays),
  ),
];
