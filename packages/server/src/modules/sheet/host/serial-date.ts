const msPerDay = 86_400_000;
/** 1970-01-01 as a spreadsheet date, that is, as a number of days in the 1900 date system. */
const epoch = 25_569;

/**
 * Converts Unix time to a spreadsheet date (a number of days). Uses UTC, so that replaying revisions gives the same
 * result on every machine.
 */
export function toSerialDate(unixMs: number): number {
  return unixMs / msPerDay + epoch;
}
