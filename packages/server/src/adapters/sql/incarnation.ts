import { reportBackgroundError } from '../../lib/background-tasks.ts';

/**
 * Counts how often the database was replaced by a different one: a standby was promoted or a backup restored. Data read
 * before may no longer exist, so caches must be cleared (docs/decisions/database-failover.md).
 */
export class Incarnation {
  #number = 0;
  #identity: string | undefined;
  readonly #listeners = new Set<() => void>();

  get number(): number {
    return this.#number;
  }

  /**
   * Compares the identity of the database that a new connection reached with that of the previous connection. If they
   * differ, the database was replaced (for example by a restored backup), and caches are cleared. Must be called before
   * data is read over the connection.
   */
  observeIdentity(identity: string): void {
    const before = this.#identity;
    this.#identity = identity;
    if (before !== undefined && before !== identity) this.begin();
  }

  /**
   * Records that the database was replaced (a new incarnation) and calls the listeners, which must clear their caches,
   * because committed data may be missing.
   */
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

  /**
   * Adds a function that is called when the database was replaced and must clear a cache synchronously. Returns a
   * function that removes this listener.
   */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
