import type { Stamp } from '../../ports/audit-stamp.ts';
import type { Param, BatchStep, Sql, CounterIncrement, WriteOptions } from './database.ts';
import { BulkInsert, type Rows } from './bulk-insert.ts';
import type { Statement } from './statement.ts';

const newKeys = BulkInsert.into('idempotency', {
  user_id: 'TEXT',
  key: 'TEXT',
  operation: 'TEXT',
  fingerprint: 'TEXT',
  answer: 'TEXT',
  at: 'BIGINT',
});
const newAudits = BulkInsert.into('audit', {
  at: 'BIGINT',
  user_id: 'TEXT',
  key_id: 'TEXT',
  operation: 'TEXT',
  target: 'TEXT',
  request_id: 'TEXT',
  reason: 'TEXT',
});

/**
 * An idempotency key to be stored with the answer of its call. The stamp contains the key. If a client repeats the call
 * with the same key, it gets the stored answer.
 */
export interface IdempotencyClaim {
  readonly stamp: Stamp;
  readonly answer: string;
}

export interface AuditRecord {
  readonly stamp: Stamp;
  readonly target: string;
}

/**
 * Keeps track of which stamps (who did what, and when) are already written to one database. The stamps themselves are
 * not modified.
 */
export class RecordedStamps {
  readonly #recorded = new WeakSet<Stamp>();
  readonly #claimed = new WeakSet<Stamp>();

  /** Returns whether the audit row for the stamp is stored and, if the stamp has an idempotency key, that key too. */
  has(stamp: Stamp): boolean {
    return this.#recorded.has(stamp) && (stamp.idempotencyKey === undefined || this.#claimed.has(stamp));
  }

  add(stamps: readonly Stamp[], claims: readonly IdempotencyClaim[]): void {
    for (const stamp of stamps) this.#recorded.add(stamp);
    for (const { stamp } of claims) this.#claimed.add(stamp);
  }

  isAudited(stamp: Stamp): boolean {
    return this.#recorded.has(stamp);
  }

  mark(stamp: Stamp): void {
    this.#recorded.add(stamp);
    this.#claimed.add(stamp);
  }

  /**
   * Returns the stamps of calls whose idempotency key may not be stored yet. A stamp says who made a write, and when.
   */
  unclaimed(stamps: readonly Stamp[]): readonly Stamp[] {
    return stamps.filter((stamp) => stamp.answer !== undefined && !this.#claimed.has(stamp));
  }

  /** Returns the stamps (each says who made a write, and when) whose audit row is not written yet. */
  missing(stamps: readonly Stamp[]): readonly Stamp[] {
    return stamps.some((stamp) => this.#recorded.has(stamp))
      ? stamps.filter((stamp) => !this.#recorded.has(stamp))
      : stamps;
  }
}

export function toStamps(stamp: Stamp | readonly Stamp[] | null): readonly Stamp[] {
  if (stamp === null) return [];
  return 'operation' in stamp ? [stamp] : stamp;
}

/**
 * Returns the user in a write's first stamp, which says who made the write and when. Returns '' if the write has no
 * stamp.
 */
export function stampUser(stamps: readonly Stamp[]): string {
  return stamps[0]?.userId ?? '';
}

export function auditRecords<Result>(
  stamps: readonly Stamp[],
  result: Result,
  target: WriteOptions<Result>['target'] = '',
): AuditRecord[] {
  const written = typeof target === 'function' ? target(result) : target;
  if (typeof written === 'string') return stamps.map((stamp) => ({ stamp, target: written }));
  const targets = written.length === 0 ? [''] : written;
  return stamps.flatMap((stamp) => targets.map((one) => ({ stamp, target: one })));
}

/** SQL access within one transaction. Statements after the call of `end` are rejected. */
export interface TransactionSql extends Sql {
  /** Applies the increments of counter rows, such as a user's storage, that are still pending. */
  finish(): Promise<void>;
  /**
   * Rejects all later statements. Throws the error of a failed statement, even if the body of the write ignored that
   * error.
   */
  end(): void;
}

/**
 * Runs the body of a write in the transaction `tx`. Returns its result, and the idempotency keys of the `unclaimed`
 * stamps, which the caller must store in the same transaction.
 */
export async function runWriteBody<Result>(
  unclaimed: readonly Stamp[],
  tx: TransactionSql,
  body: (tx: Sql) => Promise<Result>,
): Promise<{ result: Result; claims: readonly IdempotencyClaim[] }> {
  const result = await body(tx);
  await tx.finish();
  tx.end();
  return { result, claims: claimsOf(unclaimed, result) };
}

function claimsOf(stamps: readonly Stamp[], result: unknown): IdempotencyClaim[] {
  const claims: IdempotencyClaim[] = [];
  for (const stamp of stamps) {
    const answer = stamp.answer?.(result);
    if (answer !== undefined && stamp.idempotencyKey !== undefined) claims.push({ stamp, answer });
  }
  return claims;
}

/**
 * Returns the statements that store idempotency keys. Once a key is written, another write with the same key waits
 * until this transaction ends, and then fails with a UniqueViolation. To keep this wait short, run the statements last
 * before the commit.
 */
export function claimStatements(claims: readonly IdempotencyClaim[]): Statement[] {
  return newKeys.statements(claimInserts(claims)[1]);
}

export function claimInserts(claims: readonly IdempotencyClaim[]): readonly [BulkInsert, Rows] {
  const rows = claims.map(({ stamp, answer }) => [
    stamp.userId,
    stamp.idempotencyKey!,
    stamp.operation,
    stamp.fingerprint ?? '',
    answer,
    stamp.at,
  ]);
  return [newKeys, rows];
}

export function auditStatements(records: readonly AuditRecord[]): Statement[] {
  return newAudits.statements(auditInserts(records)[1]);
}

export function auditInserts(records: readonly AuditRecord[]): readonly [BulkInsert, Rows] {
  const rows = records.map(({ stamp, target }) => [
    stamp.at,
    stamp.userId,
    stamp.keyId,
    stamp.operation,
    target,
    stamp.requestId,
    stamp.reason ?? '',
  ]);
  return [newAudits, rows];
}

/**
 * Rejects statements after a failed statement or after the end of the transaction. PostgreSQL does so by itself, but
 * SQLite does not. Without this class, a write that ignores an error would commit on SQLite and fail on PostgreSQL.
 */
export class StrictTransaction {
  readonly userId: string;
  #failure: { reason: unknown } | undefined;
  #ended = false;

  constructor(userId: string) {
    this.userId = userId;
  }

  /**
   * Ends the transaction: rejects all later statements. If a statement failed, throws its error, even if the caller
   * ignored that error.
   */
  end(): void {
    this.#ended = true;
    if (this.#failure) throw this.#failure.reason;
  }

  guard<Result>(statement: () => Result | Promise<Result>): Promise<Result> {
    if (this.#ended) return Promise.reject(new Error('the transaction has ended'));
    if (this.#failure) return Promise.reject(this.#failure.reason as Error);
    const fail = (error: unknown): Promise<never> => {
      this.#failure ??= { reason: error };
      return Promise.reject(error as Error);
    };
    try {
      const result = statement();
      return result instanceof Promise ? result.catch(fail) : Promise.resolve(result);
    } catch (error) {
      return fail(error);
    }
  }
}

export class StrictSql extends StrictTransaction implements TransactionSql {
  readonly #sql: Sql;

  constructor(sql: Sql, userId: string) {
    super(userId);
    this.#sql = sql;
  }

  all<Row>(statement: Statement | string, ...params: Param[]): Promise<Row[]> {
    return this.guard(() => this.#sql.all<Row>(statement, ...params));
  }

  get<Row>(statement: Statement | string, ...params: Param[]): Promise<Row | undefined> {
    return this.guard(() => this.#sql.get<Row>(statement, ...params));
  }

  run(statement: Statement | string, ...params: Param[]): Promise<number> {
    return this.guard(() => this.#sql.run(statement, ...params));
  }

  execute(statement: Statement | string, ...params: Param[]): Promise<void> {
    return this.guard(() => this.#sql.execute(statement, ...params));
  }

  add(table: BulkInsert, rows: readonly (readonly Param[])[]): Promise<void> {
    return this.guard(() => this.#sql.add(table, rows));
  }

  increment(increment: CounterIncrement): Promise<void> {
    return this.guard(() => this.#sql.increment(increment));
  }

  batched<Input, Output>(step: BatchStep<Input, Output>, input: Input): Promise<Output> {
    return this.guard(() => this.#sql.batched(step, input));
  }

  /** Does nothing, because the connection applies pending counter increments itself before the commit. */
  async finish(): Promise<void> {}
}
