import { lastSerial, dateOfSerial, type DateParts } from '../../base/serial-date.ts';
import { cellErrors } from '../../base/values.ts';

/** Returns whether a year is a leap year in the 1900 date system, in which 29 February 1900 exists. */
export function isLeapYear(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 || year === 1900;
}

const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;
const daysBeforeMonth: number[] = [0];
for (const length of monthLengths) daysBeforeMonth.push((daysBeforeMonth.at(-1) as number) + length);

export function daysInMonth(year: number, month: number): number {
  return month === 2 && isLeapYear(year) ? 29 : (monthLengths[month - 1] as number);
}

/** Returns the number of days from 1 January 1900 to 1 January of the year. The year 1900 counts 366 days. */
function daysBeforeYear(year: number): number {
  if (year === 1900) return 0;
  const full = year - 1;
  const leaps = Math.floor(full / 4) - Math.floor(full / 100) + Math.floor(full / 400) - 460;
  return (year - 1900) * 365 + leaps + 1;
}

/**
 * Returns the serial number of a day. Month and day may be out of range and carry over. The result is negative before
 * 1900 and above `lastSerial` after 9999.
 */
export function serialAt(year: number, month: number, day: number): number {
  const months = year * 12 + month - 1;
  const y = Math.floor(months / 12);
  const m = months - y * 12;
  if (y < 1900) return -1;
  if (y > 9999) return lastSerial + 1 + day;
  return daysBeforeYear(y) + (daysBeforeMonth[m] as number) + (m > 1 && isLeapYear(y) ? 1 : 0) + day;
}

/** Returns the serial number of a date unchanged. Throws #NUM! if it is out of range. */
export function checkedSerial(serial: number): number {
  if (!(serial >= 0 && serial <= lastSerial)) throw cellErrors.num;
  return serial;
}

/** Returns year, month and day of a serial number. Throws #NUM! outside the years 1900 to 9999. */
export function partsOf(serial: number): DateParts {
  const parts = dateOfSerial(serial);
  if (parts === undefined) throw cellErrors.num;
  return parts;
}

/** Returns the same day `months` later, or the last day of a shorter month. */
export function addMonths(serial: number, months: number): number {
  const { year, month, day } = partsOf(serial);
  const first = year * 12 + month - 1 + months;
  const [y, m] = [Math.floor(first / 12), (((first % 12) + 12) % 12) + 1];
  if (y < 1900 || y > 9999) throw cellErrors.num;
  return checkedSerial(serialAt(y, m, Math.min(day, daysInMonth(y, m))));
}

export function endOfMonth(serial: number, months: number): number {
  const { year, month } = partsOf(serial);
  const first = year * 12 + month - 1 + months;
  const [y, m] = [Math.floor(first / 12), (((first % 12) + 12) % 12) + 1];
  if (y < 1900 || y > 9999) throw cellErrors.num;
  return serialAt(y, m, daysInMonth(y, m));
}

export function isEndOfMonth({ year, month, day }: DateParts): boolean {
  return day === daysInMonth(year, month);
}

/** Returns 0 for Sunday to 6 for Saturday. As in Excel, serial 1 is a Sunday. */
export function weekdayOf(serial: number): number {
  return (Math.floor(serial) + 6) % 7;
}
