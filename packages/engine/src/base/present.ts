import { dateOfSerial } from './dates.ts';

/**
 * The moment of the work under way, a serial date, for dates that are written without their year. The engine is
 * synchronous and has no clock: a recalculation takes the moment of its revision, so that replay reads the same dates.
 */
let present = 0;

export function presentYear(): number {
  return dateOfSerial(present)?.year ?? 1900;
}

/** Runs work as of a moment. */
export function asOf<Result>(now: number, work: () => Result): Result {
  const before = present;
  present = now;
  try {
    return work();
  } finally {
    present = before;
  }
}
