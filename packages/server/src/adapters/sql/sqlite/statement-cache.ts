import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';

/**
 * Caches the prepared statements of one connection by their text. No statement is evicted, so the number of different
 * texts must be small.
 */
export class StatementCache {
  readonly #db: DatabaseSyncInstance;
  readonly #prepared = new Map<string, StatementSyncInstance>();

  constructor(db: DatabaseSyncInstance) {
    this.#db = db;
  }

  prepare(sql: string): StatementSyncInstance {
    let statement = this.#prepared.get(sql);
    if (!statement) {
      statement = this.#db.prepare(sql);
      this.#prepared.set(sql, statement);
    }
    return statement;
  }

  /** Deletes all prepared statements. Must be called before the connection is closed. */
  clear(): void {
    this.#prepared.clear();
  }
}
