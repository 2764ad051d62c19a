import type { Stamp } from './stamp.ts';

/** What a first call with an Idempotency-Key answered. */
export interface StoredAnswer {
  operation: string;
  fingerprint: string;
  /** The answer as JSON; null while the first call runs, or for good if it was cut off after its effect. */
  answer: string | null;
  at: number;
}

/**
 * The memory of calls. The key itself is claimed inside the transaction of the operation's first write (see
 * Stamp), so the effect and the claim are one: no crash can separate them.
 */
export interface CallStore {
  /** Records a stamp, unless a store has done so with its write: an audit row, and the key if there is one. */
  record(stamp: Stamp, target?: string): Promise<void>;
  findAnswer(userId: string, key: string): Promise<StoredAnswer | undefined>;
  saveAnswer(userId: string, key: string, answer: string): Promise<void>;
  forgetAnswersBefore(time: number): Promise<number>;
}

/** Thrown by a store when the stamp's idempotency key is already taken by another call. */
export class KeyTaken extends Error {
  constructor() {
    super('the idempotency key is taken');
    this.name = 'KeyTaken';
  }
}
