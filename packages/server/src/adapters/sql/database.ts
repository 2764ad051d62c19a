import type { Stamp } from '../../ports/audit-stamp.ts';
import type { Incarnation } from './incarnation.ts';
import type { BulkInsert } from './bulk-insert.ts';
import type { Statement } from './statement.ts';

export type Param = string | number | null | Uint8Array;

/**
 * Runs SQL statements. A statement is a template of the tag `sql`, or a text with `?` placeholders and its values. The
 * text must be constant, so that the database prepares each statement only once.
 */
export interface Sql {
  /**
   * Id of the user who makes the write. It is '' for a write without an audit stamp, and null in a step shared by
   * several writes.
   */
  readonly userId: string | null;
  all<Row>(statement: Statement | string, ...params: Param[]): Promise<Row[]>;
  get<Row>(statement: Statement | string, ...params: Param[]): Promise<Row | undefined>;
  /** Returns the number of changed rows. */
  run(statement: Statement | string, ...params: Param[]): Promise<number>;
  /** Runs a statement without returning the number of changed rows, which is cheaper than `run`. */
  execute(statement: Statement | string, ...params: Param[]): Promise<void>;
  /**
   * Inserts rows into a table. They may be inserted together with rows of other writes, after all these writes have
   * run, so no write of the same transaction may depend on them.
   */
  add(table: BulkInsert, rows: readonly (readonly Param[])[]): Promise<void>;
  /**
   * Adds to a counter row that many writes share, such as the bytes that a user stores. The row may be changed only at
   * the end of the write. If the increment is not permitted, for example because of a quota, the whole write fails.
   */
  increment(increment: CounterIncrement): Promise<void>;
  /**
   * Runs a step of this write. If several writes that share a transaction reach the step at the same time, it runs only
   * once for all of them. Returns the step's output for `input`.
   */
  batched<Input, Output>(step: BatchStep<Input, Output>, input: Input): Promise<Output>;
}

/**
 * A step of a write, such as storing a text, that runs once for several writes of one transaction. Returns one output
 * per input. A step must report a refusal as an output, because an exception fails all of these writes.
 */
export type BatchStep<Input, Output> = (sql: Sql, inputs: readonly Input[]) => Promise<readonly Output[]>;

/**
 * Returned by a `BatchStep` for an input for which it changed no rows. If the write with this input then fails, the
 * other writes of the same transaction can still be committed.
 */
export const unchanged = Symbol('unchanged');

/**
 * An increment of a counter row that many writes share, such as a user's stored bytes or a notebook's number of notes.
 * The increments of one transaction are summed, and rows are written in the order of their names to prevent deadlocks.
 */
export interface CounterIncrement {
  readonly name: string;
  readonly by: readonly number[];
  /**
   * Writes the summed increment to its row. Throws if the increment is not permitted, for example because of a quota.
   */
  apply(sql: Sql, by: readonly number[]): Promise<void>;
}

export interface WriteOptions<Result = unknown> {
  /**
   * Id of the changed object, which is written to the audit log. Several ids give one audit row each. A function
   * computes the ids from the result of the write.
   */
  target?: string | readonly string[] | ((result: Result) => string | readonly string[]);
  /**
   * Name of the object that the write changes, such as a note or a knowledge base. Writes with the same lock name run
   * one after another instead of conflicting. All data on which the decisions of the write depend must be protected by
   * these locks or be read with `forUpdate`.
   *
   * Writes with a `shared` lock may run concurrently. Each of them must change a shared row by a single statement and
   * depend only on that statement's result.
   */
  lock?: string | readonly string[] | { readonly shared: string };
  /**
   * Isolation level. Set it for a write that has no lock and depends only on rows that it changes itself. Without this
   * field, such a write is serializable.
   */
  isolation?: 'repeatable read';
  /**
   * Name of a batch. On PostgreSQL, concurrent writes with the same batch name share one transaction, even if their
   * locks differ.
   */
  batch?: string;
  /**
   * Set if the write may revoke access. The write then resolves only when every node knows of the change
   * (docs/decisions/authentication-cache.md).
   */
  changesAccess?: boolean;
}

export type Stamps = Stamp | readonly Stamp[] | null;
export type TransactionBody<Result> = (tx: Sql) => Promise<Result>;
export type WriteArguments<Result> = [TransactionBody<Result>] | [WriteOptions<Result>, TransactionBody<Result>];

/**
 * Gives the stores access to the database. Reads see committed data.
 *
 * `write` runs its body (a function) as one transaction, and adds a row to the audit log for every stamp (who does
 * what, and when) that has none yet. Unless the options name a lock or an isolation level, the transaction is
 * serializable. When the promise resolves, the changes are durable and visible to all readers. Before that, only other
 * writes that share the transaction may see them.
 *
 * A body may run more than once, so it must do nothing but SQL.
 */
export interface Database {
  readonly dialect: Dialect;
  /**
   * Counts how often the database was replaced by another one, for example restored from a backup. Caches must then be
   * cleared.
   */
  readonly incarnation: Incarnation;
  all<Row>(statement: Statement | string, ...params: Param[]): Promise<Row[]>;
  get<Row>(statement: Statement | string, ...params: Param[]): Promise<Row | undefined>;
  write<Result>(stamp: Stamps, ...optionsAndBody: WriteArguments<Result>): Promise<Result>;
  /**
   * Returns whether the operation's audit row is stored and, if the call has an idempotency key, that key too. `stamp`
   * identifies the operation.
   */
  isRecorded(stamp: Stamp): boolean;
  /** Returns whether the operation's audit row is stored. `stamp` identifies the operation. */
  isAudited(stamp: Stamp): boolean;
  /**
   * Records that another node has stored the operation's audit row and idempotency key, so that this node does not
   * store them again.
   */
  markRecorded(stamp: Stamp): void;
  /**
   * Returns a number that changes whenever another process has committed a write. Returns undefined if a network
   * request would be needed to read the number.
   */
  othersVersion(): number | undefined;
  /**
   * Returns a number that changes whenever access may have been revoked. Returns undefined while this process cannot
   * learn of revocations by other processes.
   */
  accessVersion(): number | undefined;
  /**
   * Returns the reason why the database refused the last write although it responds, for example a full disk. Returns
   * undefined if the last write succeeded.
   */
  writeRefusal(): string | undefined;
  /**
   * Returns a message for the administrator if the database file was found damaged. Returns undefined if no damage was
   * found.
   */
  damage(): string | undefined;
  /** Runs `body` with one consistent view of the data for all its reads. Used for backups. */
  snapshot<Result>(body: (view: Pick<Sql, 'all' | 'get'>) => Promise<Result>): Promise<Result>;
  /** Runs a migration script of several statements; only `migrate` uses it. */
  script(statements: readonly string[], record: string): Promise<void>;
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** SQL that differs between SQLite and PostgreSQL. In both, integers are BIGINT, flags are 0 or 1, and JSON is text. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres';
  /** SQL type of text columns. Its values compare by code point, not by locale. */
  readonly text: string;
  readonly blob: string;
  readonly autoId: string;
  /** Suffix of a SELECT that claims queued rows, such as jobs. It skips rows that another claim has locked. */
  readonly skipLocked: string;
  /**
   * Suffix of a SELECT that locks the selected rows until the transaction ends, for writes that depend on rows which
   * other writes may change while holding a different lock.
   */
  readonly forUpdate: string;
}

export class UniqueViolation extends Error {
  constructor(cause: unknown) {
    super('the row exists already', { cause });
    this.name = 'UniqueViolation';
  }
}
