import type { CallStore, StoredAnswer } from '../../ports/call-store.ts';
import type { Stamp } from '../../ports/stamp.ts';
import { AskedTogether } from '../../lib/asked-together.ts';
import type { Database } from './database.ts';
import { inChunks } from './wiki/rows.ts';

/** A character that user ids cannot contain. */
const separator = '\n';

export class SqlCallStore implements CallStore {
  readonly #db: Database;
  /** Batches lookups: every call with an idempotency key makes one, and many arrive at the same time. */
  readonly #asked: AskedTogether<{ id: string; stored: StoredAnswer }>;

  constructor(db: Database) {
    this.#db = db;
    this.#asked = new AskedTogether((ids) => this.#find(ids));
  }

  isRecorded(stamp: Stamp): boolean {
    return this.#db.isRecorded(stamp);
  }

  async record(stamp: Stamp, target = ''): Promise<void> {
    if (this.#db.isRecorded(stamp)) return;
    await this.#db.write(stamp, async () => undefined, { blind: true, target });
  }

  async findAnswer(userId: string, key: string): Promise<StoredAnswer | undefined> {
    return (await this.#asked.get(`${userId}${separator}${key}`))?.stored;
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
    const rows = await inChunks<StoredAnswer & { key: string }>(keys, (list, chunk) =>
      this.#db.all(
        `SELECT key, operation, fingerprint, answer, at FROM idempotency WHERE user_id = ? AND key IN (${list})`,
        userId,
        ...chunk,
      ),
    );
    return rows.map(({ key, ...stored }) => ({ id: `${userId}${separator}${key}`, stored }));
  }

  async forgetAnswersBefore(time: number): Promise<number> {
    return this.#db.write(null, (tx) => tx.run('DELETE FROM idempotency WHERE at < ?', time), { blind: true });
  }
}
