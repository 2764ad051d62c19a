/** Supplies the time in Unix milliseconds. Tests use their own clock to test expiry, leases and cursors. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
