import type { Stamp } from './audit-stamp.ts';

/** The stored answer of the first call with an Idempotency-Key. */
export interface StoredAnswer {
  operation: string;
  fingerprint: string;
  /** The answer as text. Null only in rows from versions before 0.2.0, which stored the answer after the effect. */
  answer: string | null;
  at: number;
}

/**
 * Idempotency keys and audit rows. Key and answer are stored in the transaction of the operation's effect (see Stamp),
 * so that a crash cannot separate them.
 */
export interface IdempotencyStore {
  /**
   * Whether a store has already recorded the stamp with its write: the audit row and, if there is a key, the key and
   * answer.
   */
  isRecorded(stamp: Stamp): boolean;
  /** Records the stamp of a call that made no write. */
  record(stamp: Stamp, target?: string): Promise<void>;
  findAnswer(userId: string, key: string): Promise<StoredAnswer | undefined>;
  deleteAnswersBefore(time: number): Promise<number>;
}

/** Thrown by a store when the stamp's idempotency key is already taken by another call. */
export class IdempotencyKeyConflict extends Error {
  constructor(cause?: unknown) {
    super('the idempotency key is taken', { cause });
    this.name = 'IdempotencyKeyConflict';
  }
}
