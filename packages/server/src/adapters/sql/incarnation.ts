import { reportBackgroundError } from '../../lib/background-tasks.ts';

/**
 * Counts how often the database turned out to be a different one: a standby was promoted, or a backup restored. Data
 * read before may no longer exist, so caches must be cleared (docs/decisions/database-failover.md).
 */
export class Incarnation {
  #number = 0;
  #identity: string | undefined;
  readonly #listeners = new Set<() => void>();

  get number(): number {
    return this.#number;
  }

  /** Called for each new connection with the database's identity, before anything is read over it. */
  observeIdentity(identity: string): void {
    const before = this.#identity;
    this.#identity = identity;
    if (before !== undefined && before !== identity) this.begin();
  }

  /** Starts a new incarnation: committed data may be missing. */
  begin(): void {
    this.#number += 1;
    for (const listener of this.#listeners) {
      try {
        listener();
      } catch (error) {
        reportBackgroundError('forgetting what the database said', error);
      }
    }
  }

  /** The listener must clear its cache synchronously. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
