import type { Clock } from '../../../ports/clock.ts';

/**
 * Delay in milliseconds before a changed document is indexed, so that a document being edited is not read for every
 * cell.
 */
const indexDelayMs = 5_000;
/**
 * Assumed maximum duration of a write in milliseconds. An outbox row that is due within this time may be indexed before
 * the write commits, so the write needs a new row.
 */
const marginMs = 2_000;
const maxEntries = 1000;

/**
 * Tracks which changes of documents are already in the search outbox. The row of a user's first change covers later
 * changes until the row is due. The state is in memory only; another node, or this one after a restart, adds its own
 * row.
 */
export class DelayedChanges {
  readonly #clock: Clock;
  readonly #due = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns those of the users for whom a new outbox row is needed, and when that row is due. */
  missing(id: string, userIds: readonly string[]): { userIds: string[]; at: number } {
    const now = this.#clock.now();
    const missing = [...new Set(userIds)].filter((userId) => this.#dueOf(id, userId) < now + marginMs);
    return { userIds: missing, at: now + indexDelayMs };
  }

  /** Records that outbox rows were added for these users. */
  added(id: string, { userIds, at }: { userIds: readonly string[]; at: number }): void {
    for (const userId of userIds) this.#due.set(`${id} ${userId}`, at);
    if (this.#due.size <= maxEntries) return;
    const now = this.#clock.now();
    for (const [key, due] of this.#due) if (due <= now) this.#due.delete(key);
  }

  /** Returns the users whose outbox row may have been indexed before the write committed. Called after the write. */
  overtaken(id: string, userIds: readonly string[]): string[] {
    const now = this.#clock.now();
    return [...new Set(userIds)].filter((userId) => this.#dueOf(id, userId) <= now);
  }

  #dueOf(id: string, userId: string): number {
    return this.#due.get(`${id} ${userId}`) ?? 0;
  }
}
