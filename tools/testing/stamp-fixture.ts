import type { Stamp } from '@sheaf/server/ports/audit-stamp.ts';

/**
 * Creates a stamp (who made a change, when and by which operation), with defaults for missing fields. It is frozen, so
 * that a test fails if a store modifies it.
 */
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
