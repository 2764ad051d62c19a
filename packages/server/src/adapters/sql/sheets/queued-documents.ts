import type { Clock } from '../../../ports/clock.ts';

/**
 * Delay in milliseconds before a document that is being edited is indexed. Reading and indexing a large document takes a
 * second, so it is not done more than once a minute; a document that is no longer edited is indexed after `settledMs`.
 */
const delayMs = 60_000;
/** Time in milliseconds without edits after which a document is indexed at once, even if `delayMs` has not passed. */
const settledMs = 3_000;
/**
 * Assumed maximum duration of a write in milliseconds. If an outbox row is due within this time, it may be indexed
 * before the write commits, so the write needs a new row.
 */
const marginMs = 2_000;
const maxDocuments = 1000;

/** Users whose change of a document needs a row in the search outbox, and the time at which that row is due. */
interface QueuedChange {
  userIds: readonly string[];
  at: number;
}

interface ChangedDocument {
  editedAt: number;
  /** By user id, the time at which the document's queued row in the search outbox is due for indexing. */
  readonly due: Map<string, number>;
}

/**
 * Tracks which documents (spreadsheets) already have a row in the search outbox (the queue of changes to be indexed),
 * so that not every change adds a row. The row for a user's first change also covers later changes until it is due. The
 * state is only in memory; another node, or this one after a restart, adds its own row.
 */
export class QueuedDocuments {
  readonly #clock: Clock;
  readonly #documents = new Map<string, ChangedDocument>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Returns those of the users for whom a change of the document needs a new row in the search outbox, and the time at
   * which this row is due. Called before the change is written.
   */
  missing(id: string, userIds: readonly string[]): QueuedChange {
    const now = this.#clock.now();
    const document = this.#documents.get(id);
    if (document) document.editedAt = now;
    const missing = [...new Set(userIds)].filter((userId) => (document?.due.get(userId) ?? 0) < now + marginMs);
    return { userIds: missing, at: now + delayMs };
  }

  /** Records that rows were added to the search outbox for these users. */
  added(id: string, { userIds, at }: QueuedChange): void {
    if (userIds.length === 0) return;
    const now = this.#clock.now();
    const document = this.#documents.get(id) ?? { editedAt: now, due: new Map() };
    for (const userId of userIds) document.due.set(userId, at);
    this.#documents.set(id, document);
    if (this.#documents.size <= maxDocuments) return;
    for (const [other, { due }] of this.#documents)
      if ([...due.values()].every((at) => at <= now)) this.#documents.delete(other);
  }

  /**
   * Returns those of the users whose row in the search outbox is already due. Called after the write: such a row may
   * have been indexed before the write was committed, so another row is needed.
   */
  overtaken(id: string, userIds: readonly string[]): string[] {
    const now = this.#clock.now();
    const due = this.#documents.get(id)?.due;
    return [...new Set(userIds)].filter((userId) => (due?.get(userId) ?? 0) <= now);
  }

  /**
   * Stops tracking the documents that were not edited for `settledMs`. Returns those of them with outbox rows that are
   * not due yet; the caller must make these rows due.
   */
  takeSettled(): string[] {
    const now = this.#clock.now();
    const settled: string[] = [];
    for (const [id, { editedAt, due }] of this.#documents) {
      if (now - editedAt < settledMs) continue;
      if ([...due.values()].some((at) => at > now)) settled.push(id);
      this.#documents.delete(id);
    }
    return settled;
  }
}
