import type { Clock } from '../../../ports/clock.ts';

/** How long changes of a document gather before search reads it again: one under work is not read for every cell. */
const gatherMs = 5_000;
/** How long a write may take that relies on a row of an earlier one. */
const marginMs = 2_000;
const maxKnown = 1000;

/**
 * Which changes of documents are on the search outbox already, to be indexed after a while: the row of the first change of a
 * user stands for those that follow until it is due. Kept in memory: another node, or this one after a restart, adds a row of its own.
 */
export class GatheredChanges {
  readonly #clock: Clock;
  readonly #due = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Of these users, those whose change needs a row, and when that is due. */
  missing(id: string, userIds: readonly string[]): { userIds: string[]; at: number } {
    const now = this.#clock.now();
    const missing = [...new Set(userIds)].filter((userId) => this.#dueOf(id, userId) < now + marginMs);
    return { userIds: missing, at: now + gatherMs };
  }

  /** They were added. */
  added(id: string, { userIds, at }: { userIds: readonly string[]; at: number }): void {
    for (const userId of userIds) this.#due.set(`${id} ${userId}`, at);
    if (this.#due.size <= maxKnown) return;
    const now = this.#clock.now();
    for (const [key, due] of this.#due) if (due <= now) this.#due.delete(key);
  }

  /** After the write: those whose row may have been indexed before it was over. */
  overtaken(id: string, userIds: readonly string[]): string[] {
    const now = this.#clock.now();
    return [...new Set(userIds)].filter((userId) => this.#dueOf(id, userId) <= now);
  }

  #dueOf(id: string, userId: string): number {
    return this.#due.get(`${id} ${userId}`) ?? 0;
  }
}
