import type { Clock } from '../../../ports/clock.ts';

/** Delay before a changed document is indexed, so that a document being edited is not read for every cell. */
const indexDelayMs = 5_000;
/** Maximum duration of a write that relies on an earlier outbox row. */
const marginMs = 2_000;
const maxEntries = 1000;

/**
 * Tracks which delayed changes of documents are already in the search outbox: the row of a user's first change covers
 * later ones until it is due. Kept in memory only; another node, or this one after a restart, adds its own row.
 */
export class DelayedChanges {
  readonly #clock: Clock;
  readonly #due = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Those of the users whose change needs a new row, and when that row is due. */
  missing(id: string, userIds: readonly string[]): { userIds: string[]; at: number } {
    const now = this.#clock.now();
    const missing = [...new Set(userIds)].filter((userId) => this.#dueOf(id, userId) < now + marginMs);
    return { userIds: missing, at: now + indexDelayMs };
  }

  /** Records the added rows. */
  added(id: string, { userIds, at }: { userIds: readonly string[]; at: number }): void {
    for (const userId of userIds) this.#due.set(`${id} ${userId}`, at);
    if (this.#due.size <= maxEntries) return;
    const now = this.#clock.now();
    for (const [key, due] of this.#due) if (due <= now) this.#due.delete(key);
  }

  /** Called after the write: users whose row may have been indexed before the write was committed. */
  overtaken(id: string, userIds: readonly string[]): string[] {
    const now = this.#clock.now();
    return [...new Set(userIds)].filter((userId) => this.#dueOf(id, userId) <= now);
  }

  #dueOf(id: string, userId: string): number {
    return this.#due.get(`${id} ${userId}`) ?? 0;
  }
}
