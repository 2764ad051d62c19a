import type { Stamp } from '../../ports/stamp.ts';
import type { Incarnation } from './incarnation.ts';
import type { ManyRows } from './many-rows.ts';

export type Param = string | number | null | Uint8Array;

/** Statements with `?` placeholders; their text is constant, so that both databases prepare it once. */
export interface Sql {
  /** Whose write it is: the user of its first stamp, empty without one; null where several writes share a step. */
  readonly userId: string | null;
  all<Row>(sql: string, ...params: Param[]): Promise<Row[]>;
  get<Row>(sql: string, ...params: Param[]): Promise<Row | undefined>;
  /** How many rows changed. */
  run(sql: string, ...params: Param[]): Promise<number>;
  /** For statements that nobody counts, which is cheaper. */
  execute(sql: string, ...params: Param[]): Promise<void>;
  /** Adds rows that no other write looks at before they are committed: those of writes that go together share statements. */
  add(table: ManyRows, rows: readonly (readonly Param[])[]): Promise<void>;
  /** Adds to a row that many writes add to. Whether it may be is known by the end of the write, which then fails for it. */
  tally(tally: Tally): Promise<void>;
  /** Takes a step that writes which go together take together, by the statements of one. */
  share<Input, Output>(step: SharedStep<Input, Output>, input: Input): Promise<Output>;
}

/**
 * A step that many writes take (an upload becomes an item, a text is stored): for one of them, or for all of a transaction
 * that come to it at the same time. One output for each input; what one of them is refused for is an output too, because an
 * error is everybody's.
 */
export interface SharedStep<Input, Output> {
  take(sql: Sql, inputs: readonly Input[]): Promise<readonly Output[]>;
}

/**
 * What is added to a row that many writes add to (the bytes of an owner, the notes of a notebook). Writes of one transaction
 * are added up, and rows are written in the order of their names: nobody waits for somebody who waits for them.
 */
export interface Tally {
  readonly name: string;
  readonly by: readonly number[];
  /** Throws where it may not be. */
  apply(sql: Sql, by: readonly number[]): Promise<void>;
}

export interface WriteOptions<Result = unknown> {
  /** What the audit row says was written to: an id, or how it follows from the body's result. */
  target?: string | ((result: Result) => string);
  /**
   * Writes with the same name queue up instead of failing and retrying where they would contend (one note, one base). What
   * the body decides by must be covered: by this lock, by all of these, or by rows that it read with `forUpdate`.
   */
  lock?: string | readonly string[];
  /** Writes of one name that wait at the same time go into one transaction (PostgreSQL), whatever locks each of them has. */
  together?: string;
  /**
   * In one transaction, bodies under the same lock that say so need not wait for each other's end: what they have in common
   * each of them changes by one statement, and decides by nothing else of it than what that gives back.
   */
  interleaves?: boolean;
  /** Somebody may no longer be let in after it: it is over when every node knows (docs/decisions/known-callers.md). */
  changesAccess?: boolean;
  /** The body decides by nothing but rows that it changes itself: it needs no protection against others' reads. */
  blind?: boolean;
}

/**
 * What the stores stand on. Reads see what is committed. `write` runs its body as one transaction: serializable, or, where
 * its options say what it decides by, protected by that. It adds the audit row of every stamp that has none yet to it, and
 * resolves when it is durable. A body may run more than once and must do nothing but SQL.
 */
export interface Database {
  readonly dialect: Dialect;
  /** Of which one what was read is; what is kept of it is forgotten when another begins. */
  readonly incarnation: Incarnation;
  all<Row>(sql: string, ...params: Param[]): Promise<Row[]>;
  get<Row>(sql: string, ...params: Param[]): Promise<Row | undefined>;
  write<Result>(
    stamp: Stamp | readonly Stamp[] | null,
    body: (tx: Sql) => Promise<Result>,
    options?: WriteOptions<Result>,
  ): Promise<Result>;
  /** Whether a write has recorded it: its audit row is there, and its idempotency key is taken. */
  isRecorded(stamp: Stamp): boolean;
  /** Changes whenever another process has committed something; undefined where only asking over a network would tell. */
  othersVersion(): number | undefined;
  /** Changes whenever somebody may no longer be let in somewhere; undefined while this process would not hear of it. */
  accessVersion(): number | undefined;
  /** Why writes are refused though the database answers; undefined where the last one was not. */
  refusal(): string | undefined;
  /** One consistent view over many reads (backup). */
  snapshot<Result>(body: (view: Pick<Sql, 'all' | 'get'>) => Promise<Result>): Promise<Result>;
  /** Runs a migration script of several statements; only `migrate` uses it. */
  script(statements: readonly string[], record: string): Promise<void>;
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** All that differs between the two in SQL text. Integers are BIGINT, flags 0 or 1, JSON is text, in both. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres';
  /** Text compared by code point, never by locale. */
  readonly text: string;
  readonly blob: string;
  readonly autoId: string;
  /** Appended to the sub-select that claims jobs. */
  readonly skipLocked: string;
  /** Appended to a read of rows that the write decides by and others change under another lock. */
  readonly forUpdate: string;
}

/** A unique constraint was violated: somebody else was first. */
export class Duplicate extends Error {
  constructor(cause: unknown) {
    super('the row exists already', { cause });
    this.name = 'Duplicate';
  }
}
