import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';

/** Prepared statements of one connection, by their text. Nothing is evicted, so the number of texts must be small. */
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

  /** Call before closing the connection. */
  clear(): void {
    this.#prepared.clear();
  }
}
