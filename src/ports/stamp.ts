/**
 * Who does what, when: every store method that writes takes one, and the store records it, with what it wrote to, as an
 * audit row in the same transaction: once, by the first write. A job's stamp has the operation `job:<kind>`.
 */
export interface Stamp {
  readonly at: number;
  readonly userId: string;
  /** The API key or session used; empty for jobs and the command line on the data folder. */
  readonly keyId: string;
  readonly operation: string;
  readonly requestId: string;
  /** The caller's Idempotency-Key: claimed in the same transaction as the first write. */
  readonly idempotencyKey?: string;
  readonly fingerprint?: string;
}

/** A stamp for what the installation itself does. */
export function systemStamp(at: number, operation: string, userId = ''): Stamp {
  return { at, userId, keyId: '', operation, requestId: '' };
}
