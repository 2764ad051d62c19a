import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';

/** The prepared statements of one connection, by their text. Texts must be few: none is forgotten while the connection is open. */
export class Statements {
  readonly #db: DatabaseSyncInstance;
  readonly #prepared = new Map<string, StatementSyncInstance>();

  constructor(db: DatabaseSyncInstance) {
    this.#db = db;
  }

  of(sql: string): StatementSyncInstance {
    let statement = this.#prepared.get(sql);
    if (!statement) {
      statement = this.#db.prepare(sql);
      this.#prepared.set(sql, statement);
    }
    return statement;
  }

  /** Before the connection is closed. */
  clear(): void {
    this.#prepared.clear();
  }
}
