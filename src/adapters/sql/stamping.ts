import { KeyTaken } from '../../ports/call-store.ts';
import type { Stamp } from '../../ports/stamp.ts';
import type { Param, Sql } from './database.ts';

const claimKey = `INSERT INTO idempotency (user_id, key, operation, fingerprint, answer, at) VALUES (?, ?, ?, ?, NULL, ?)
  ON CONFLICT (user_id, key) DO NOTHING`;
const auditColumns = 'INSERT INTO audit (at, user_id, key_id, operation, target, request_id) VALUES ';
const auditRow = '(?, ?, ?, ?, ?, ?)';
const addAudit = auditColumns + auditRow;
/** How many rows one statement adds: its cost is shared, and few texts need to be prepared. */
const rowsAtOnce = [64, 16, 4, 1];
const addAudits = rowsAtOnce.map((count) => auditColumns + Array.from({ length: count }, () => auditRow).join(', '));

function auditValues(stamp: Stamp): Param[] {
  return [stamp.at, stamp.userId, stamp.keyId, stamp.operation, stamp.target ?? '', stamp.requestId];
}

/** A transaction's statements; after `end` they are refused. */
export interface EndingSql extends Sql {
  /** Throws what a statement failed with, even if the body swallowed it. */
  end(): void;
}

/** Runs a write's body together with what its stamp asks for: the key claimed first, the audit row last. */
export async function stamped<Result>(
  stamp: Stamp | null,
  sql: Sql,
  body: (tx: Sql) => Promise<Result>,
): Promise<Result> {
  const result = await claimed(stamp, new Strict(sql), body);
  if (stamp !== null && !stamp.recorded) await sql.execute(addAudit, ...auditValues(stamp));
  return result;
}

/** The same without the audit row, which the caller adds to the transaction by `addAuditRows`. */
export async function claimed<Result>(
  stamp: Stamp | null,
  tx: EndingSql,
  body: (tx: Sql) => Promise<Result>,
): Promise<Result> {
  if (stamp !== null && !stamp.recorded && stamp.idempotencyKey !== undefined) {
    const isFirst = await tx.run(
      claimKey,
      stamp.userId,
      stamp.idempotencyKey,
      stamp.operation,
      stamp.fingerprint ?? '',
      stamp.at,
    );
    if (isFirst === 0) throw new KeyTaken();
  }
  const result = await body(tx);
  tx.end();
  return result;
}

export function addAuditRows(stamps: readonly Stamp[], execute: (sql: string, params: Param[]) => void): void {
  let next = 0;
  for (const [index, count] of rowsAtOnce.entries()) {
    for (; next + count <= stamps.length; next += count) {
      const params: Param[] = [];
      for (let i = next; i < next + count; i++) params.push(...auditValues(stamps[i]!));
      execute(addAudits[index]!, params);
    }
  }
}

/**
 * After a failed statement PostgreSQL refuses the rest of a transaction, SQLite does not: here both do, so that a body
 * which swallows an error cannot commit on the one and vanish on the other. Statements after the end are refused too.
 */
class Strict implements EndingSql {
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

  execute(sql: string, ...params: Param[]): Promise<void> {
    return this.#guard(() => this.#sql.execute(sql, ...params));
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
