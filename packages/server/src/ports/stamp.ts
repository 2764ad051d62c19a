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
  /** The caller's Idempotency-Key: taken, with the answer, in the transaction of the write that is the call's effect. */
  readonly idempotencyKey?: string;
  readonly fingerprint?: string;
  /**
   * Set for the write that is the call's effect: the answer to store, as text, from the result of the write's body.
   * Undefined: this write was not the effect after all. What it throws undoes the write.
   */
  answer?: ((result: unknown) => string | undefined) | undefined;
}

/** A stamp for what the installation itself does. */
export function systemStamp(at: number, operation: string, userId = ''): Stamp {
  return { at, userId, keyId: '', operation, requestId: '' };
}
