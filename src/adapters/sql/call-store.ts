import type { CallStore, StoredAnswer } from '../../ports/call-store.ts';
import type { Stamp } from '../../ports/stamp.ts';
import type { Database } from './database.ts';

export class SqlCallStore implements CallStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  isRecorded(stamp: Stamp): boolean {
    return this.#db.isRecorded(stamp);
  }

  async record(stamp: Stamp, target = ''): Promise<void> {
    if (this.#db.isRecorded(stamp)) return;
    await this.#db.write(stamp, async () => undefined, { blind: true, target });
  }

  async findAnswer(userId: string, key: string): Promise<StoredAnswer | undefined> {
    return this.#db.get<StoredAnswer>(
      'SELECT operation, fingerprint, answer, at FROM idempotency WHERE user_id = ? AND key = ?',
      userId,
      key,
    );
  }

  async forgetAnswersBefore(time: number): Promise<number> {
    return this.#db.write(null, (tx) => tx.run('DELETE FROM idempotency WHERE at < ?', time), { blind: true });
  }
}
