import type { Stamp } from '../../src/ports/stamp.ts';

/** A stamp for tests; give what matters, the rest is filled in. */
export function stamp(given: Partial<Stamp> = {}): Stamp {
  return {
    at: 1000,
    userId: 'user_1',
    keyId: 'key_1',
    operation: 'test',
    requestId: 'req_1',
    recorded: false,
    ...given,
  };
}
