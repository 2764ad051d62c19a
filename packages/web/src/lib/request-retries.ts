import { SheafError } from '@sheaf/client';
import { randomId } from './random-id.ts';
import { UnreachableError } from './unreachable-error.ts';

/**
 * Request timeout in milliseconds. It is longer than the server needs for any edit. After a timeout the server counts
 * as unreachable.
 */
export const requestTimeoutMs = 60_000;
export const unauthenticatedStatus = 401;
const rateLimitedStatus = 429;
/**
 * Maximum age in milliseconds of an idempotency key that is reused. The server stores keys for a day; a later retry
 * could apply the edit a second time.
 */
const maxKeyAgeMs = 20 * 60 * 60 * 1000;

/** Idempotency key that is used for all attempts to send the same edit. */
export interface IdempotencyKey {
  readonly key: string;
  /** Creation time in Unix milliseconds. Determines when the key expires. */
  readonly at: number;
}

export const newIdempotencyKey = (): IdempotencyKey => ({ key: randomId(), at: Date.now() });

export function isKeyExpired(at: number, now = Date.now()): boolean {
  return now - at > maxKeyAgeMs;
}

/**
 * How to continue after a failed request. `away`: retry without limit. `unsure`: retry a limited number of times.
 * `refused`: never retry.
 */
export type FailureKind = 'away' | 'unsure' | 'refused';

/**
 * Returns how to continue after an error. `busyCodes` are the error codes of a busy or failing server; a retry after
 * them may succeed.
 */
export function classifyFailure(error: unknown, busyCodes: readonly number[]): FailureKind {
  if (error instanceof UnreachableError) return 'away';
  if (!(error instanceof SheafError)) return 'refused';
  if (error.status === unauthenticatedStatus || error.status === rateLimitedStatus) return 'away';
  return busyCodes.includes(error.code) ? 'unsure' : 'refused';
}
