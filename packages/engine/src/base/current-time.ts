import { dateOfSerial } from './serial-date.ts';

/**
 * Current time as a serial date (days since 1900), needed for dates written without a year. The engine has no clock:
 * each recalculation sets the time recorded with its revision (a stored edit), so that replaying the revision later
 * parses the same dates.
 */
let currentTime = 0;

export function currentYear(): number {
  return dateOfSerial(currentTime)?.year ?? 1900;
}

/** Runs `work` with `now` (a serial date) as the current time. */
export function asOf<Result>(now: number, work: () => Result): Result {
  const before = currentTime;
  currentTime = now;
  try {
    return work();
  } finally {
    currentTime = before;
  }
}
