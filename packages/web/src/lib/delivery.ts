import { SheafError } from '@sheaf/client';
import { randomId } from './random-id.ts';
import { UnreachableError } from './unreachable-error.ts';

/** Request timeout, longer than the server spends on any edit: past it the server counts as unreachable. */
export const requestTimeoutMs = 60_000;
export const unauthenticatedStatus = 401;
const rateLimitedStatus = 429;
/** The server remembers idempotency keys for a day. After this age a retry could apply the edit a second time. */
const maxKeyAgeMs = 20 * 60 * 60 * 1000;

/** What identifies all attempts to send the same edit. */
export interface DeliveryKey {
  /** The idempotency key of every attempt. */
  readonly key: string;
  /** Time of the first attempt, in Unix milliseconds. */
  readonly at: number;
}

export const newDeliveryKey = (): DeliveryKey => ({ key: randomId(), at: Date.now() });

export function isKeyExpired(at: number, now = Date.now()): boolean {
  return now - at > maxKeyAgeMs;
}

/**
 * What to do after a failure. `away`: retry without limit. `unsure`: retry a limited number of times. `refused`: never
 * retry.
 */
export type FailureKind = 'away' | 'unsure' | 'refused';

/** `busyCodes`: error codes of a busy or failing server, for which a retry may succeed. */
export function classifyFailure(error: unknown, busyCodes: readonly number[]): FailureKind {
  if (error instanceof UnreachableError) return 'away';
  if (!(error instanceof SheafError)) return 'refused';
  if (error.status === unauthenticatedStatus || error.status === rateLimitedStatus) return 'away';
  return busyCodes.includes(error.code) ? 'unsure' : 'refused';
}
