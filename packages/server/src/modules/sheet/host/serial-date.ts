const msPerDay = 86_400_000;
/** Serial number of 1970-01-01 in the 1900 date system. */
const epoch = 25_569;

/** Converts Unix time to a serial date in UTC, so that replaying revisions gives the same result on every machine. */
export function toSerialDate(unixMs: number): number {
  return unixMs / msPerDay + epoch;
}
