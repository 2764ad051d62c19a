import type { Stamp } from './stamp.ts';

/** What a first call with an Idempotency-Key answered. */
export interface StoredAnswer {
  operation: string;
  fingerprint: string;
  /** The answer as text. Null only in rows of servers before 0.2.0, which stored it after the effect. */
  answer: string | null;
  at: number;
}

/**
 * The memory of calls. Key and answer are stored inside the transaction of the operation's effect (see Stamp), so that
 * no crash can separate them.
 */
export interface CallStore {
  /** Whether a store has recorded the stamp with its write: the audit row, and the key with its answer if there is a key. */
  isRecorded(stamp: Stamp): boolean;
  /** Records a stamp that no store has recorded. */
  record(stamp: Stamp, target?: string): Promise<void>;
  findAnswer(userId: string, key: string): Promise<StoredAnswer | undefined>;
  forgetAnswersBefore(time: number): Promise<number>;
}

/** Thrown by a store when the stamp's idempotency key is already taken by another call. */
export class KeyTaken extends Error {
  constructor(cause?: unknown) {
    super('the idempotency key is taken', { cause });
    this.name = 'KeyTaken';
  }
}
