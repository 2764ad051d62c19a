/** Constants of the 1900 date system, in which serial number 60 is 29 February 1900, a day that never existed. */
const dayMs = 86_400_000;
const epoch = Date.UTC(1899, 11, 31);
export const lastSerial = 2_958_465;

export interface DateParts {
  readonly year: number;
  /** Month, 1 to 12. */
  readonly month: number;
  readonly day: number;
}

/**
 * Returns the serial number of a calendar day. Month and day may be out of range and carry over. Returns NaN outside
 * the years 1900 to 9999.
 */
export function serialOfDate(year: number, month: number, day: number): number {
  if (year === 1900 && month === 2 && day === 29) return 60;
  const at = new Date(0);
  at.setUTCFullYear(year, month - 1, day);
  const days = Math.round((at.getTime() - epoch) / dayMs);
  const serial = days >= 60 ? days + 1 : days;
  return serial < 0 || serial > lastSerial ? NaN : serial;
}

/** Returns the calendar day of a serial number: 0 is 1900-01-00, 60 is 1900-02-29. Undefined if out of range. */
export function dateOfSerial(serial: number): DateParts | undefined {
  const whole = Math.floor(serial);
  if (!(whole >= 0 && whole <= lastSerial)) return undefined;
  if (whole === 0) return { year: 1900, month: 1, day: 0 };
  if (whole === 60) return { year: 1900, month: 2, day: 29 };
  const at = new Date(epoch + (whole > 60 ? whole - 1 : whole) * dayMs);
  return { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, day: at.getUTCDate() };
}
