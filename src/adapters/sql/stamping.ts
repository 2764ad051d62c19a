import { KeyTaken } from '../../ports/call-store.ts';
import type { Stamp } from '../../ports/stamp.ts';
import type { Param, Sql } from './database.ts';

const claimKey = `INSERT INTO idempotency (user_id, key, operation, fingerprint, answer, at) VALUES (?, ?, ?, ?, NULL, ?)
  ON CONFLICT (user_id, key) DO NOTHING`;
const addAudit = 'INSERT INTO audit (at, user_id, key_id, operation, target, request_id) VALUES (?, ?, ?, ?, ?, ?)';

/** Runs a write's body together with what its stamp asks for: the key claimed first, the audit row last. */
export async function stamped<Result>(stamp: Stamp | null, sql: Sql, body: (tx: Sql) => Promise<Result>): Promise<Result> {
  const tx = new Strict(sql);
  const record = stamp !== null && !stamp.recorded;
  if (record && stamp.idempotencyKey !== undefined) {
    const claimed = await tx.run(claimKey, stamp.userId, stamp.idempotencyKey, stamp.operation, stamp.fingerprint ?? '', stamp.at);
    if (claimed === 0) throw new KeyTaken();
  }
  const result = await body(tx);
  if (record) await tx.run(addAudit, stamp.at, stamp.userId, stamp.keyId, stamp.operation, stamp.target ?? '', stamp.requestId);
  tx.end();
  return result;
}

/**
 * After a failed statement PostgreSQL refuses the rest of a transaction, SQLite does not: here both do, so that a body
 * which swallows an error cannot commit on the one and vanish on the other. Statements after the end are refused too.
 */
class Strict implements Sql {
  readonly #sql: Sql;
  #failure: { reason: unknown } | undefined;
  #ended = false;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  all<Row>(sql: string, ...params: Param[]): Promise<Row[]> {
    return this.#guard(() => this.#sql.all<Row>(sql, ...params));
  }

  get<Row>(sql: string, ...params: Param[]): Promise<Row | undefined> {
    return this.#guard(() => this.#sql.get<Row>(sql, ...params));
  }

  run(sql: string, ...params: Param[]): Promise<number> {
    return this.#guard(() => this.#sql.run(sql, ...params));
  }

  end(): void {
    this.#ended = true;
    if (this.#failure) throw this.#failure.reason;
  }

  async #guard<Result>(statement: () => Promise<Result>): Promise<Result> {
    if (this.#ended) throw new Error('the transaction has ended');
    if (this.#failure) throw this.#failure.reason;
    try {
      return await statement();
    } catch (error) {
      this.#failure = { reason: error };
      throw error;
    }
  }
}
