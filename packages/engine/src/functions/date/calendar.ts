import { lastSerial, dateOfSerial, type DateParts } from '../../base/serial-date.ts';
import { cellErrors } from '../../base/values.ts';

/** Calendar arithmetic of the 1900 system, in which 29 February 1900 exists. Serials are whole days. */

export function isLeapYear(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 || year === 1900;
}

const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;
const daysBeforeMonth: number[] = [0];
for (const length of monthLengths) daysBeforeMonth.push((daysBeforeMonth.at(-1) as number) + length);

export function daysInMonth(year: number, month: number): number {
  return month === 2 && isLeapYear(year) ? 29 : (monthLengths[month - 1] as number);
}

/** Days before 1 January of the year; 1900 has 366 days. */
function daysBeforeYear(year: number): number {
  if (year === 1900) return 0;
  const full = year - 1;
  const leaps = Math.floor(full / 4) - Math.floor(full / 100) + Math.floor(full / 400) - 460;
  return (year - 1900) * 365 + leaps + 1;
}

/** Serial number of a day; month and day may be out of range and carry over. Negative or past 9999 if out of range. */
export function serialAt(year: number, month: number, day: number): number {
  const months = year * 12 + month - 1;
  const y = Math.floor(months / 12);
  const m = months - y * 12;
  if (y < 1900) return -1;
  if (y > 9999) return lastSerial + 1 + day;
  return daysBeforeYear(y) + (daysBeforeMonth[m] as number) + (m > 1 && isLeapYear(y) ? 1 : 0) + day;
}

/** Returns the serial number, or throws #NUM! if it is not a date. */
export function checkedSerial(serial: number): number {
  if (!(serial >= 0 && serial <= lastSerial)) throw cellErrors.num;
  return serial;
}

/** Year, month and day of a serial number; throws #NUM! outside 1900 to 9999. */
export function partsOf(serial: number): DateParts {
  const parts = dateOfSerial(serial);
  if (parts === undefined) throw cellErrors.num;
  return parts;
}

/** The same day `months` later, or the last day of a shorter month. */
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

/** 0 for Sunday to 6 for Saturday, as Excel counts: serial 1 is a Sunday. */
export function weekdayOf(serial: number): number {
  return (Math.floor(serial) + 6) % 7;
}
