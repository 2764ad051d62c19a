/** Returns the time in Unix milliseconds. Injected, so that expiry, leases and cursors can be tested. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
