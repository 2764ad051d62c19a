import { dateOfSerial } from '../../base/serial-date.ts';
import type { DatePeriod } from '../objects/range-objects.ts';

/** Returns whether a day lies in a period relative to today. Weeks start on Sunday. */
export function isInPeriod(serial: number, period: DatePeriod, now: number): boolean {
  const day = Math.floor(serial);
  const today = Math.floor(now);
  const week = (of: number): number => Math.floor((of - 1) / 7);
  switch (period) {
    case 'today':
      return day === today;
    case 'yesterday':
      return day === today - 1;
    case 'tomorrow':
      return day === today + 1;
    case 'last_7_days':
      return day <= today && day > today - 7;
    case 'this_week':
      return week(day) === week(today);
    case 'last_week':
      return week(day) === week(today) - 1;
    case 'next_week':
      return week(day) === week(today) + 1;
    default: {
      const from = monthOf(today);
      const of = monthOf(day);
      if (from === undefined || of === undefined) return false;
      return of - from === { last_month: -1, this_month: 0, next_month: 1 }[period];
    }
  }
}

function monthOf(serial: number): number | undefined {
  const parts = dateOfSerial(serial);
  return parts && parts.year * 12 + parts.month;
}
