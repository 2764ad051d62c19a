import type { Stamp } from '@sheaf/server/ports/stamp.ts';

/** A stamp for tests; give what matters, the rest is filled in. No store may write into it. */
export function stamp(given: Partial<Stamp> = {}): Stamp {
  return Object.freeze({
    at: 1000,
    userId: 'user_1',
    keyId: 'key_1',
    operation: 'test',
    requestId: 'req_1',
    ...given,
  });
}
