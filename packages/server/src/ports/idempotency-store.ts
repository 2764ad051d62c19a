import type { Stamp } from './audit-stamp.ts';

/** Answer that was stored for the first call with an Idempotency-Key. */
export interface StoredAnswer {
  operation: string;
  fingerprint: string;
  /**
   * Answer as text. It is null only in rows of versions before 0.2.0, which stored the answer separately after the
   * write.
   */
  answer: string | null;
  at: number;
}

/**
 * Stores idempotency keys and rows of the audit log. If a client repeats a call with the same idempotency key, it gets
 * the stored answer. A key and its answer are stored in the same transaction as the operation's main write, so that a
 * crash cannot separate them.
 */
export interface IdempotencyStore {
  /**
   * Returns true if the audit row of the operation with this stamp is stored and, for a call with an idempotency key,
   * the key with its answer too.
   */
  isRecorded(stamp: Stamp): boolean;
  /**
   * Returns whether the operation's audit row is stored, with or without its idempotency key. `stamp` identifies the
   * operation.
   */
  isAudited(stamp: Stamp): boolean;
  /**
   * Remembers that the operation's audit row and idempotency key are stored. Called after another node, to which the
   * call was forwarded, has stored them.
   */
  markRecorded(stamp: Stamp): void;
  /** Writes the audit row of a call that made no other write. Other calls store their audit row with their write. */
  record(stamp: Stamp, target?: string): Promise<void>;
  findAnswer(userId: string, key: string): Promise<StoredAnswer | undefined>;
  deleteAnswersBefore(time: number): Promise<number>;
}

/** Thrown by a store when another call has already used the operation's idempotency key. */
export class IdempotencyKeyConflict extends Error {
  constructor(cause?: unknown) {
    super('the idempotency key is taken', { cause });
    this.name = 'IdempotencyKeyConflict';
  }
}
