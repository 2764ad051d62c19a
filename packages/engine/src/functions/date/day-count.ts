import type { DateParts } from '../../base/serial-date.ts';
import { cellErrors } from '../../base/values.ts';
import { isEndOfMonth, isLeapYear, partsOf, serialAt } from './calendar.ts';

/** Day count basis: 0 US 30/360, 1 actual/actual, 2 actual/360, 3 actual/365, 4 European 30/360. */
export type Basis = 0 | 1 | 2 | 3 | 4;

/** Truncates the argument to a day count basis. Throws #NUM! if there is no such basis. */
export function basisOf(value: number): Basis {
  const basis = Math.trunc(value);
  if (basis < 0 || basis > 4) throw cellErrors.num;
  return basis as Basis;
}

function span360(from: DateParts, fromDay: number, to: DateParts, toDay: number): number {
  return (to.year - from.year) * 360 + (to.month - from.month) * 30 + toDay - fromDay;
}

function isEndOfFebruary(parts: DateParts): boolean {
  return parts.month === 2 && isEndOfMonth(parts);
}

/**
 * Counts the days between two dates by the rule US 30/360 of bonds and YEARFRAC, in which every month has 30 days. A
 * start on the last day of February counts as the 30th. An end on the last day of February counts as the 30th only if
 * the start does, too.
 */
function days30US(start: number, end: number): number {
  const from = partsOf(start);
  const to = partsOf(end);
  let fromDay = from.day;
  let toDay = to.day;
  if (isEndOfFebruary(from)) {
    if (isEndOfFebruary(to)) toDay = 30;
    fromDay = 30;
  }
  if (toDay === 31 && fromDay >= 30) toDay = 30;
  if (fromDay === 31) fromDay = 30;
  return span360(from, fromDay, to, toDay);
}

export function days30European(start: number, end: number): number {
  const from = partsOf(start);
  const to = partsOf(end);
  return span360(from, Math.min(from.day, 30), to, Math.min(to.day, 30));
}

/** Counts days by the US method of DAYS360. The last day of February counts as the 30th only at the start date. */
export function days360(start: number, end: number): number {
  const from = partsOf(start);
  const to = partsOf(end);
  const fromDay = isEndOfMonth(from) ? 30 : from.day;
  const toDay = to.day === 31 && fromDay === 30 ? 30 : to.day;
  return span360(from, fromDay, to, toDay);
}

/** Returns the days between two serial numbers; start must be before end. */
export function dayCount(start: number, end: number, basis: Basis): number {
  if (basis === 0) return days30US(start, end);
  return basis === 4 ? days30European(start, end) : end - start;
}

/** Returns the days per year of a basis; 365 for actual/actual. */
function yearLength(basis: Basis): number {
  return basis === 1 || basis === 3 ? 365 : 360;
}

function atMostOneYear(from: DateParts, to: DateParts): boolean {
  if (from.year === to.year) return true;
  if (from.year + 1 !== to.year) return false;
  return from.month > to.month || (from.month === to.month && from.day >= to.day);
}

/**
 * Returns the length of a year for the basis actual/actual: 365 or 366 for a period of at most one year, otherwise the
 * average length of the calendar years that the period touches.
 */
function actualYear(start: number, end: number): number {
  const from = partsOf(start);
  const to = partsOf(end);
  if (atMostOneYear(from, to)) {
    if (from.year === to.year) return isLeapYear(from.year) ? 366 : 365;
    const leapDay = isLeapYear(from.year)
      ? serialAt(from.year, 2, 29)
      : isLeapYear(to.year)
        ? serialAt(to.year, 2, 29)
        : -1;
    return leapDay >= start && leapDay <= end ? 366 : 365;
  }
  const years = to.year - from.year + 1;
  return (serialAt(to.year + 1, 1, 1) - serialAt(from.year, 1, 1)) / years;
}

/** Implements YEARFRAC: returns the period between two dates, in either order, in years. */
export function yearFraction(first: number, second: number, basis: Basis): number {
  const start = Math.min(first, second);
  const end = Math.max(first, second);
  if (basis === 1) return start === end ? 0 : (end - start) / actualYear(start, end);
  return dayCount(start, end, basis) / yearLength(basis);
}
