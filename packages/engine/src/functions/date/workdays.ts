import { numberOf } from '../../base/coerce.ts';
import { CellError, cellErrors, type Grid, type Scalar } from '../../base/values.ts';
import { define, type Definition } from '../define.ts';
import { strictNumber } from '../toolpak-arguments.ts';
import { checkedSerial, weekdayOf } from './calendar.ts';

/** For each weekday from Sunday on: whether it is a day off. */
type Weekend = readonly boolean[];

function daysOff(...days: number[]): Weekend {
  return [0, 1, 2, 3, 4, 5, 6].map((day) => days.includes(day));
}

const saturdaySunday = daysOff(6, 0);

function weekendOf(value: Scalar | undefined): Weekend {
  if (value === undefined || value === null) return saturdaySunday;
  if (value instanceof CellError) throw value;
  if (typeof value === 'string') {
    if (!/^[01]{7}$/.test(value)) throw cellErrors.value;
    // The characters of the weekend text stand for Monday to Sunday; the result starts with Sunday.
    return [6, 0, 1, 2, 3, 4, 5].map((place) => value[place] === '1');
  }
  const code = Math.trunc(numberOf(value));
  if (code >= 1 && code <= 7) return daysOff((code + 5) % 7, (code + 6) % 7);
  if (code >= 11 && code <= 17) return daysOff(code - 11);
  throw cellErrors.num;
}

/** Returns the distinct holidays that do not fall on a weekend. */
function holidaysOf(grid: Grid | undefined, weekend: Weekend): number[] {
  const days = new Set<number>();
  grid?.eachFilled((value) => {
    const serial = Math.floor(strictNumber(value));
    checkedSerial(serial);
    if (!weekend[weekdayOf(serial)]) days.add(serial);
  });
  return [...days];
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

function workday(start: number, amount: number, weekend: Weekend, grid: Grid | undefined): number {
  let day = checkedSerial(Math.floor(start));
  const days = Math.trunc(amount);
  const perWeek = weekend.filter((off) => !off).length;
  if (perWeek === 0) throw cellErrors.value;
  const holidays = holidaysOf(grid, weekend);
  const isHoliday = new Set(holidays);
  const step = days < 0 ? -1 : 1;
  let left = Math.abs(days);
  // Skips whole weeks at once, but leaves at least one day for the loop below. A holiday within the skipped weeks adds
  // one remaining day.
  while (left > perWeek) {
    const weeks = Math.floor((left - 1) / perWeek);
    const target = checkedSerial(day + step * 7 * weeks);
    const [from, to] = step > 0 ? [day + 1, target] : [target, day - 1];
    left -= weeks * perWeek;
    for (const holiday of holidays) if (holiday >= from && holiday <= to) left++;
    day = target;
  }
  while (left > 0) {
    day = checkedSerial(day + step);
    if (!weekend[weekdayOf(day)] && !isHoliday.has(day)) left--;
  }
  return day;
}

export const workdayFunctions: readonly Definition[] = [
  define('NETWORKDAYS', 'any any grid?', (_call, start, end, holidays) =>
    networkDays(strictNumber(start), strictNumber(end), saturdaySunday, holidays),
  ),
  define('NETWORKDAYS.INTL', 'any any any? grid?', (_call, start, end, weekend, holidays) =>
    networkDays(strictNumber(start), strictNumber(end), weekendOf(weekend), holidays),
  ),
  define('WORKDAY', 'any any grid?', (_call, start, days, holidays) =>
    workday(strictNumber(start), strictNumber(days), saturdaySunday, holidays),
  ),
  define('WORKDAY.INTL', 'any any any? grid?', (_call, start, days, weekend, holidays) =>
    workday(strictNumber(start), strictNumber(days), weekendOf(weekend), holidays),
  ),
];
