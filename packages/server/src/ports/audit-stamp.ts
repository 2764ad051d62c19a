/**
 * States who does what, and when. Every store method that writes takes a stamp. The first write records it as an audit
 * row, with the target, in its own transaction. A job's stamp has the operation `job:<kind>`.
 */
export interface Stamp {
  readonly at: number;
  readonly userId: string;
  /** Id of the API key or session used; empty for jobs and for the command line on the data folder. */
  readonly keyId: string;
  readonly operation: string;
  readonly requestId: string;
  /**
   * Idempotency-Key of the caller. It is stored with the answer, in the transaction of the write that is the call's
   * effect.
   */
  readonly idempotencyKey?: string;
  readonly fingerprint?: string;
  /**
   * Set for the write that is the call's effect. Returns the answer to store, as text, from the write's result, or
   * undefined if this write turns out not to be the effect. An exception rolls the write back.
   */
  answer?: ((result: unknown) => string | undefined) | undefined;
}

/** Makes a stamp for work that no user requested, such as maintenance. */
export function systemStamp(at: number, operation: string, userId = ''): Stamp {
  return { at, userId, keyId: '', operation, requestId: '' };
}
