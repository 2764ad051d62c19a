import type { IdempotencyStore, StoredAnswer } from '../../ports/idempotency-store.ts';
import type { Stamp } from '../../ports/audit-stamp.ts';
import { BatchLoader } from '../../lib/batch-loader.ts';
import type { Database } from './database.ts';
import { queryInChunks, sql } from './statement.ts';

/** Separates the user id and the idempotency key in a lookup. User ids cannot contain this character. */
const separator = '\n';

export class SqlIdempotencyStore implements IdempotencyStore {
  readonly #db: Database;
  /** Batches the lookups of concurrent calls, because every call with an idempotency key makes one. */
  readonly #loader: BatchLoader<{ id: string; stored: StoredAnswer }>;

  constructor(db: Database) {
    this.#db = db;
    this.#loader = new BatchLoader((ids) => this.#find(ids));
  }

  isRecorded(stamp: Stamp): boolean {
    return this.#db.isRecorded(stamp);
  }

  isAudited(stamp: Stamp): boolean {
    return this.#db.isAudited(stamp);
  }

  markRecorded(stamp: Stamp): void {
    this.#db.markRecorded(stamp);
  }

  async record(stamp: Stamp, target = ''): Promise<void> {
    if (this.#db.isRecorded(stamp)) return;
    await this.#db.write(stamp, { isolation: 'repeatable read', target }, async () => undefined);
  }

  async findAnswer(userId: string, key: string): Promise<StoredAnswer | undefined> {
    return (await this.#loader.load(`${userId}${separator}${key}`))?.stored;
  }

  async #find(ids: readonly string[]): Promise<{ id: string; stored: StoredAnswer }[]> {
    const keys = new Map<string, string[]>();
    for (const id of ids) {
      const end = id.indexOf(separator);
      const userId = id.slice(0, end);
      const ofUser = keys.get(userId);
      if (ofUser) ofUser.push(id.slice(end + 1));
      else keys.set(userId, [id.slice(end + 1)]);
    }
    const found = await Promise.all(Array.from(keys, ([userId, ofUser]) => this.#ofUser(userId, ofUser)));
    return found.flat();
  }

  async #ofUser(userId: string, keys: readonly string[]): Promise<{ id: string; stored: StoredAnswer }[]> {
    const rows = await queryInChunks<StoredAnswer & { key: string }>(keys, (list) =>
      this.#db.all(sql`SELECT key, operation, fingerprint, answer, at FROM idempotency WHERE user_id = ${userId}
        AND key IN (${list})`),
    );
    return rows.map(({ key, ...stored }) => ({ id: `${userId}${separator}${key}`, stored }));
  }

  async deleteAnswersBefore(time: number): Promise<number> {
    return this.#db.write(
      null,
      {
        isolation: 'repeatable read',
      },
      (tx) => tx.run(sql`DELETE FROM idempotency WHERE at < ${time}`),
    );
  }
}
