/**
 * Identifies who performs an operation, and when. Store methods that write take a stamp. The first write of an
 * operation also adds a row to the audit log with the stamp and the id of the changed object, in the same transaction.
 * The operation name of a background job is `job:<kind>`.
 */
export interface Stamp {
  readonly at: number;
  readonly userId: string;
  /** Id of the API key or session used; empty for jobs and for commands that work directly on the data folder. */
  readonly keyId: string;
  readonly operation: string;
  readonly requestId: string;
  /**
   * Idempotency-Key that the caller sent. It is stored together with the call's answer in the transaction of the call's
   * main write. If the caller repeats the call with the same key, it gets the stored answer.
   */
  readonly idempotencyKey?: string;
  readonly fingerprint?: string;
  /** Reason for the write, in the caller's own words. */
  readonly reason?: string | undefined;
  /**
   * Computes the answer that is stored with the idempotency key, as text, from the result of the call's main write.
   * Returns undefined if the write was not the main one. If it throws, the write is rolled back.
   */
  answer?: ((result: unknown) => string | undefined) | undefined;
}

/**
 * Makes a stamp for a write that is not part of a user's call, such as a background job or maintenance. `userId` is the
 * user for whom the write is made; '' if there is none.
 */
export function systemStamp(at: number, operation: string, userId = ''): Stamp {
  return { at, userId, keyId: '', operation, requestId: '' };
}
