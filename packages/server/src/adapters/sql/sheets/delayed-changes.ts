import type { Clock } from '../../../ports/clock.ts';

/**
 * Delay in milliseconds before a changed document is indexed, so that a document being edited is not read for every
 * cell.
 */
const minDelayMs = 5_000;
/** Maximum of the delay, which doubles as long as edits go on: reading a large document again takes a second. */
const maxDelayMs = 20_000;
/**
 * Assumed maximum duration of a write in milliseconds. An outbox row that is due within this time may be indexed before
 * the write commits, so the write needs a new row.
 */
const marginMs = 2_000;
const maxEntries = 1000;

/** Users whose change of a document gets an outbox row, and when that row is due. */
interface QueuedChange {
  userIds: readonly string[];
  at: number;
  delayMs: number;
}

/**
 * Tracks which changes of documents are already in the search outbox. The row of a user's first change covers later
 * changes until the row is due. The state is in memory only; another node, or this one after a restart, adds its own
 * row.
 */
export class DelayedChanges {
  readonly #clock: Clock;
  readonly #due = new Map<string, { at: number; delayMs: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns those of the users for whom a new outbox row is needed, and when that row is due. */
  missing(id: string, userIds: readonly string[]): QueuedChange {
    const now = this.#clock.now();
    const missing = [...new Set(userIds)].filter((userId) => this.#dueOf(id, userId) < now + marginMs);
    let delayMs = minDelayMs;
    for (const userId of missing) {
      const last = this.#due.get(`${id} ${userId}`);
      const isEditedOn = last && now - last.at < last.delayMs;
      if (isEditedOn) delayMs = Math.max(delayMs, Math.min(2 * last.delayMs, maxDelayMs));
    }
    return { userIds: missing, at: now + delayMs, delayMs };
  }

  /** Records that outbox rows were added for these users. */
  added(id: string, { userIds, at, delayMs }: QueuedChange): void {
    for (const userId of userIds) this.#due.set(`${id} ${userId}`, { at, delayMs });
    if (this.#due.size <= maxEntries) return;
    const now = this.#clock.now();
    for (const [key, due] of this.#due) if (due.at <= now) this.#due.delete(key);
  }

  /** Returns the users whose outbox row may have been indexed before the write committed. Called after the write. */
  overtaken(id: string, userIds: readonly string[]): string[] {
    const now = this.#clock.now();
    return [...new Set(userIds)].filter((userId) => this.#dueOf(id, userId) <= now);
  }

  #dueOf(id: string, userId: string): number {
    return this.#due.get(`${id} ${userId}`)?.at ?? 0;
  }
}
