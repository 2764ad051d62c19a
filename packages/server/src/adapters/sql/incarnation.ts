import { reportFailure } from '../../lib/background.ts';

/**
 * Counts how often the database turned out to be another one than this process has read from: a standby was promoted, or an
 * earlier state restored. What was read before may never have been, so whoever keeps any of it forgets it
 * (docs/decisions/incarnation.md).
 */
export class Incarnation {
  #number = 0;
  #identity: string | undefined;
  readonly #listeners = new Set<() => void>();

  get number(): number {
    return this.#number;
  }

  /** A connection was made to the database of that identity. Nothing is read over it before this returns. */
  met(identity: string): void {
    const before = this.#identity;
    this.#identity = identity;
    if (before !== undefined && before !== identity) this.begin();
  }

  /** Something that was committed is not there any more. */
  begin(): void {
    this.#number += 1;
    for (const listener of this.#listeners) {
      try {
        listener();
      } catch (error) {
        reportFailure('forgetting what the database said', error);
      }
    }
  }

  /** The listener forgets before anybody reads from the new one. Returns how to stop. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
