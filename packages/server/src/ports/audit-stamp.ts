/**
 * Identifies who performs an operation, and when. Every store method that writes takes a stamp. The first write of an
 * operation also adds an audit row with the stamp and the target, in the same transaction. The operation of a job is
 * `job:<kind>`.
 */
export interface Stamp {
  readonly at: number;
  readonly userId: string;
  /** Id of the API key or session used; empty for jobs and for commands that work directly on the data folder. */
  readonly keyId: string;
  readonly operation: string;
  readonly requestId: string;
  /**
   * Idempotency-Key that the caller sent. It is stored with the call's answer in the transaction of the call's main
   * write.
   */
  readonly idempotencyKey?: string;
  readonly fingerprint?: string;
  /** Reason for the write, in the caller's own words. */
  readonly reason?: string | undefined;
  /**
   * Computes the answer to store, as text, from the result of the call's main write. Returns undefined if the write was
   * not the main one. If it throws, the write is rolled back.
   */
  answer?: ((result: unknown) => string | undefined) | undefined;
}

/** Makes a stamp for work that no user requested, such as maintenance. */
export function systemStamp(at: number, operation: string, userId = ''): Stamp {
  return { at, userId, keyId: '', operation, requestId: '' };
}
