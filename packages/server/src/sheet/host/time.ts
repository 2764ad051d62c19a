const msPerDay = 86_400_000;
/** Serial 25569 is 1970-01-01 in the 1900 system. */
const epoch = 25_569;

/** A moment as formulas see it: days, in UTC, so that replay gives the same on every machine. */
export function serialOf(unixMs: number): number {
  return unixMs / msPerDay + epoch;
}
