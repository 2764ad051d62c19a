import type { Stamp } from '../../ports/audit-stamp.ts';
import type { Incarnation } from './incarnation.ts';
import type { BulkInsert } from './bulk-insert.ts';
import type { Statement } from './statement.ts';

export type Param = string | number | null | Uint8Array;

/**
 * Runs statements: a template of the tag `sql`, or a text with `?` placeholders and its values. Their text must be
 * constant, so that both databases prepare each one once.
 */
export interface Sql {
  /** User of the write's first stamp, '' without a stamp; null in a step shared by several writes. */
  readonly userId: string | null;
  all<Row>(statement: Statement | string, ...params: Param[]): Promise<Row[]>;
  get<Row>(statement: Statement | string, ...params: Param[]): Promise<Row | undefined>;
  /** Returns the number of changed rows. */
  run(statement: Statement | string, ...params: Param[]): Promise<number>;
  /** Like `run` without the number of rows, which is cheaper. */
  execute(statement: Statement | string, ...params: Param[]): Promise<void>;
  /** Inserts rows that no other write reads before the commit. */
  add(table: BulkInsert, rows: readonly (readonly Param[])[]): Promise<void>;
  /** Adds to a counter row that many writes share. Applied at the end of the write, which fails if it is refused. */
  increment(increment: CounterIncrement): Promise<void>;
  /** Runs a step once for all writes of the transaction that reach it at the same time. */
  batched<Input, Output>(step: BatchStep<Input, Output>, input: Input): Promise<Output>;
}

/**
 * A step for one write or several of the same transaction (an upload becomes an item, a text is stored). Returns one
 * output per input. A refusal must be an output as well, because an exception fails all writes.
 */
export type BatchStep<Input, Output> = (sql: Sql, inputs: readonly Input[]) => Promise<readonly Output[]>;

/**
 * An increment of a counter row that many writes share (an owner's bytes, a notebook's notes). Increments of one
 * transaction are summed, and rows are written in the order of their names, which prevents deadlocks.
 */
export interface CounterIncrement {
  readonly name: string;
  readonly by: readonly number[];
  /** Throws if the increment is not allowed. */
  apply(sql: Sql, by: readonly number[]): Promise<void>;
}

export interface WriteOptions<Result = unknown> {
  /** Target of the audit row: an id, or a function of the body's result. */
  target?: string | ((result: Result) => string);
  /**
   * Writes with the same lock name are queued, instead of conflicting and retrying (one note, one base). Everything
   * that the body's decisions depend on must be protected by these locks or be read with `forUpdate`. Bodies that share
   * a lock may run concurrently: each changes shared rows by a single statement and depends on what that returns.
   */
  lock?: string | readonly string[] | { readonly shared: string };
  /** Isolation of a write without a lock that depends only on rows it changes itself; otherwise it is serializable. */
  isolation?: 'repeatable read';
  /** Concurrent writes of the same batch share one transaction (PostgreSQL), even if their locks differ. */
  batch?: string;
  /** The write may revoke access: it resolves once every node knows (docs/decisions/authentication-cache.md). */
  changesAccess?: boolean;
}

export type Stamps = Stamp | readonly Stamp[] | null;
export type Body<Result> = (tx: Sql) => Promise<Result>;
export type WriteArguments<Result> = [Body<Result>] | [WriteOptions<Result>, Body<Result>];

/**
 * Database access for the stores. Reads see committed data. `write` runs its body as one transaction: serializable,
 * unless the options state what it depends on. It adds the audit row of every stamp that has none yet. Its changes become
 * visible all at once, to every reader, and are durable when its promise resolves; until then other bodies of the same
 * transaction may see them. A body may run more than once, so it must do nothing but SQL.
 */
export interface Database {
  readonly dialect: Dialect;
  /** Identifies the database that was read; caches must be cleared when it changes. */
  readonly incarnation: Incarnation;
  all<Row>(statement: Statement | string, ...params: Param[]): Promise<Row[]>;
  get<Row>(statement: Statement | string, ...params: Param[]): Promise<Row | undefined>;
  write<Result>(stamp: Stamps, ...optionsAndBody: WriteArguments<Result>): Promise<Result>;
  /** Whether a write has recorded the stamp: its audit row and its idempotency key. */
  isRecorded(stamp: Stamp): boolean;
  /** Changes whenever another process has committed; undefined if that would take a network request. */
  othersVersion(): number | undefined;
  /** Changes whenever access may have been revoked; undefined while this process would not learn of it. */
  accessVersion(): number | undefined;
  /** Why the last write was refused although the database answers; undefined if it was not. */
  writeRefusal(): string | undefined;
  /** One consistent view over many reads (backup). */
  snapshot<Result>(body: (view: Pick<Sql, 'all' | 'get'>) => Promise<Result>): Promise<Result>;
  /** Runs a migration script of several statements; only `migrate` uses it. */
  script(statements: readonly string[], record: string): Promise<void>;
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** The SQL differences between the two databases. In both, integers are BIGINT, flags 0 or 1, and JSON is text. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres';
  /** Text type that compares by code point, not by locale. */
  readonly text: string;
  readonly blob: string;
  readonly autoId: string;
  /** Suffix for the sub-select that claims jobs. */
  readonly skipLocked: string;
  /** Suffix for reads of rows that the write depends on and that others change under another lock. */
  readonly forUpdate: string;
}

/** Thrown on a unique constraint violation. */
export class UniqueViolation extends Error {
  constructor(cause: unknown) {
    super('the row exists already', { cause });
    this.name = 'UniqueViolation';
  }
}
