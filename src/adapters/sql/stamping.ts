import { KeyTaken } from '../../ports/call-store.ts';
import type { Stamp } from '../../ports/stamp.ts';
import type { Param, SharedStep, Sql, Tally, WriteOptions } from './database.ts';
import { ManyRows } from './many-rows.ts';

const claimKey = `INSERT INTO idempotency (user_id, key, operation, fingerprint, answer, at) VALUES (?, ?, ?, ?, NULL, ?)
  ON CONFLICT (user_id, key) DO NOTHING`;
const newAudits = new ManyRows('INSERT INTO audit (at, user_id, key_id, operation, target, request_id) VALUES', 6);

/** A call and what it wrote to. */
export interface AuditRecord {
  readonly stamp: Stamp;
  readonly target: string;
}

function auditValues({ stamp, target }: AuditRecord): Param[] {
  return [stamp.at, stamp.userId, stamp.keyId, stamp.operation, target, stamp.requestId];
}

/** The stamps that one database has recorded. Stamps are as their callers made them: who wants to know asks the database. */
export class RecordedStamps {
  readonly #recorded = new WeakSet<Stamp>();

  has(stamp: Stamp): boolean {
    return this.#recorded.has(stamp);
  }

  add(stamps: readonly Stamp[]): void {
    for (const stamp of stamps) this.#recorded.add(stamp);
  }

  /** Those of a write that are still to be recorded. */
  missing(stamps: readonly Stamp[]): readonly Stamp[] {
    return stamps.some((stamp) => this.#recorded.has(stamp)) ? stamps.filter((stamp) => !this.has(stamp)) : stamps;
  }
}

export function listOf(stamp: Stamp | readonly Stamp[] | null): readonly Stamp[] {
  if (stamp === null) return [];
  return 'operation' in stamp ? [stamp] : stamp;
}

/** Whose write it is. */
export function userOf(stamps: readonly Stamp[]): string {
  return stamps[0]?.userId ?? '';
}

export function auditOf<Result>(
  stamps: readonly Stamp[],
  result: Result,
  target: WriteOptions<Result>['target'] = '',
): AuditRecord[] {
  const written = typeof target === 'string' ? target : target(result);
  return stamps.map((stamp) => ({ stamp, target: written }));
}

/** A transaction's statements; after `end` they are refused. */
export interface EndingSql extends Sql {
  /** Makes what was tallied, where that was not done by then. */
  finish(): Promise<void>;
  /** Throws what a statement failed with, even if the body swallowed it. */
  end(): void;
}

/** Runs a write's body together with what its stamps ask for: the keys claimed first, the audit rows last. */
export async function stamped<Result>(
  stamps: readonly Stamp[],
  userId: string,
  sql: Sql,
  body: (tx: Sql) => Promise<Result>,
  target: WriteOptions<Result>['target'],
): Promise<Result> {
  const result = await claimed(stamps, new Strict(sql, userId), body);
  for (const [text, params] of auditStatements(auditOf(stamps, result, target))) await sql.execute(text, ...params);
  return result;
}

/** The same without the audit rows, which the caller adds to the transaction by `auditStatements`. */
export async function claimed<Result>(
  stamps: readonly Stamp[],
  tx: EndingSql,
  body: (tx: Sql) => Promise<Result>,
): Promise<Result> {
  for (const stamp of stamps) {
    if (stamp.idempotencyKey === undefined) continue;
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
  await tx.finish();
  tx.end();
  return result;
}

export function auditStatements(records: readonly AuditRecord[]): [text: string, params: Param[]][] {
  return newAudits.statements(records.map(auditValues));
}

/**
 * After a failed statement PostgreSQL refuses the rest of a transaction, SQLite does not: here both do, so that a body
 * which swallows an error cannot commit on the one and vanish on the other. Statements after the end are refused too.
 */
export class Strict implements EndingSql {
  readonly #sql: Sql;
  readonly userId: string;
  #failure: { reason: unknown } | undefined;
  #ended = false;

  constructor(sql: Sql, userId: string) {
    this.#sql = sql;
    this.userId = userId;
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

  add(table: ManyRows, rows: readonly (readonly Param[])[]): Promise<void> {
    return this.#guard(() => this.#sql.add(table, rows));
  }

  tally(tally: Tally): Promise<void> {
    return this.#guard(() => this.#sql.tally(tally));
  }

  share<Input, Output>(step: SharedStep<Input, Output>, input: Input): Promise<Output> {
    return this.#guard(() => this.#sql.share(step, input));
  }

  /** The connection makes them itself, before it commits. */
  async finish(): Promise<void> {}

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
