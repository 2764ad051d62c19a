import type { CallStore, StoredAnswer } from '../../ports/call-store.ts';
import type { Stamp } from '../../ports/stamp.ts';
import type { Database } from './database.ts';

export class SqlCallStore implements CallStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
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

  async saveAnswer(userId: string, key: string, answer: string): Promise<void> {
    const save = 'UPDATE idempotency SET answer = ? WHERE user_id = ? AND key = ?';
    await this.#db.write(null, (tx) => tx.run(save, answer, userId, key), { blind: true });
  }

  async forgetAnswersBefore(time: number): Promise<number> {
    return this.#db.write(null, (tx) => tx.run('DELETE FROM idempotency WHERE at < ?', time), { blind: true });
  }
}
