import { fdatasync } from 'node:fs';
import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import {
  UniqueViolation,
  type TransactionBody,
  type Database,
  type Dialect,
  type Param,
  type Sql,
  type Stamps,
  type WriteArguments,
  type WriteOptions,
} from '../database.ts';
import { IdempotencyKeyConflict } from '../../../ports/idempotency-store.ts';
import { runInBackground, runInNextTurn } from '../../../lib/background-tasks.ts';
import { yieldToEventLoop } from '../../../lib/event-loop.ts';
import { WriteHealth } from '../write-health.ts';
import { GroupSync } from './group-sync.ts';
import { Incarnation } from '../incarnation.ts';
import { sql, toStatement, type Statement } from '../statement.ts';
import { syncFolder } from '../../blob/durable-folder.ts';
import { Checkpointer } from './checkpointer.ts';
import { Connection, openReader, translateError } from './connection.ts';
import { DamageRecord } from './damage.ts';
import { FileChecker, type FileCheckSchedule } from './file-checker.ts';
import { findLostFrames, type LostFrames } from './lost-frames.ts';
import { Transaction } from './transaction.ts';
import {
  RecordedStamps,
  auditRecords,
  auditStatements,
  claimStatements,
  runWriteBody,
  toStamps,
  stampUser,
  type IdempotencyClaim,
} from '../audit-recording.ts';
import type { Stamp } from '../../../ports/audit-stamp.ts';
import { Unavailable } from '../../../ports/availability-errors.ts';

const sqliteDialect: Dialect = {
  name: 'sqlite',
  text: 'TEXT',
  blob: 'BLOB',
  autoId: 'INTEGER PRIMARY KEY AUTOINCREMENT',
  skipLocked: '',
  forUpdate: '',
};

/**
 * Maximum number of queued writes per transaction. It is large enough to share the cost of a commit, and small enough
 * for a low latency.
 */
const batchSize = 128;

/** Maximum number of turns of the event loop for which a commit waits for more writes. */
const maxGatheringLength = 8;

export interface SqliteOptions {
  /**
   * Replaces the function that syncs the write-ahead log. Benchmarks use a slower one, and fault tests one that fails.
   */
  sync?: (walFd: number) => Promise<void>;
  /** Called when a sync to disk fails. The process must then end, because it is unknown which writes are on disk. */
  onSyncFailure?: (error: unknown) => void;
  /** Called once when the file is found damaged. All later writes are refused. */
  onDamaged?: (detail: string) => void;
  /**
   * Called before the file is opened if its write-ahead log is damaged and committed writes behind the damage will be
   * lost. SQLite recovers the log only up to the first damaged frame (one page with a header).
   */
  onLostFrames?: (lost: LostFrames) => Promise<void>;
  /** Schedule of the file checks started by `checkRegularly`. Tests use a faster one. */
  fileChecks?: FileCheckSchedule;
}

/**
 * Opens a SQLite database with group commit. A commit does not sync the disk. Instead, a write resolves only after a
 * later sync of the write-ahead log in the thread pool, and all writes that were committed before a sync share it.
 * Checkpoints with full syncs run in a separate thread. docs/decisions/group-commit.md explains why no write is lost.
 */
export async function openSqlite(path: string, options: SqliteOptions = {}): Promise<SqliteDatabase> {
  await mkdir(dirname(path), { recursive: true });
  return SqliteDatabase.open(path, options);
}

interface Write {
  stamps: readonly Stamp[];
  target: WriteOptions<never>['target'];
  body: (tx: Sql) => Promise<unknown>;
  /**
   * Whether the write may change the schema. Such a write always gets its own savepoint, because a schema change does
   * not show in the number of changed rows.
   */
  isScript: boolean;
  resolve: (value: never) => void;
  reject: (reason: unknown) => void;
}

interface CommittedWrite {
  write: Write;
  /** Stamps (each says who makes a write, and when) for which an audit row must be inserted. */
  stamps: readonly Stamp[];
  claims: readonly IdempotencyClaim[];
  result: unknown;
}

export class SqliteDatabase implements Database {
  readonly dialect = sqliteDialect;
  /**
   * Tells listeners when the database was replaced by another one, for example by a restore. This never happens with
   * SQLite, because the file is not replaced while a process serves it.
   */
  readonly incarnation = new Incarnation();
  readonly #path: string;
  readonly #options: SqliteOptions;
  readonly #writer: Connection;
  readonly #reader: Connection;
  readonly #wal: FileHandle;
  readonly #group: GroupSync;
  readonly #checkpointer: Checkpointer;
  readonly #damage: DamageRecord;
  readonly #fileChecker: FileChecker;
  readonly #recorded = new RecordedStamps();
  readonly #writeHealth = new WriteHealth();
  #queue: Write[] = [];
  #draining: Promise<void> | undefined;
  #failure: { reason: unknown } | undefined;
  #closing: Promise<void> | undefined;
  #othersVersion: number | undefined;

  static async open(path: string, options: SqliteOptions): Promise<SqliteDatabase> {
    const damage = new DamageRecord(path, options.onDamaged);
    const lost = options.onLostFrames && (await findLostFrames(`${path}-wal`));
    if (lost) await options.onLostFrames?.(lost);
    const db = new DatabaseSync(path, { timeout: 5000, enableForeignKeyConstraints: true });
    try {
      db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
      // Make a first write, which creates the write-ahead log and is fully synced. Then sync the folder, so that the
      // new file's directory entry survives a power failure.
      db.exec(
        'CREATE TABLE IF NOT EXISTS sheaf_open (opened_at BIGINT); DELETE FROM sheaf_open; INSERT INTO sheaf_open VALUES (0)',
      );
      await syncFolder(dirname(path));
      // Use NORMAL and not OFF. Neither syncs commits, but NORMAL syncs the header of a restarted log and the last
      // checkpoint at closing. Otherwise a power failure could mix old frames with a newer database.
      db.exec('PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = 67108864');
      db.exec('PRAGMA cache_size = -16000; PRAGMA temp_store = MEMORY');
      return new SqliteDatabase(path, db, await open(`${path}-wal`, 'r+'), damage, options);
    } catch (error) {
      db.close();
      throw damage.recognize(error) ?? translateError(error);
    }
  }

  private constructor(
    path: string,
    db: DatabaseSyncInstance,
    wal: FileHandle,
    damage: DamageRecord,
    options: SqliteOptions,
  ) {
    this.#path = path;
    this.#options = options;
    this.#damage = damage;
    this.#writer = new Connection(db, damage);
    this.#reader = openReader(path, damage);
    this.#wal = wal;
    const sync = options.sync ?? promisify(fdatasync);
    this.#group = new GroupSync(() =>
      sync(wal.fd).catch((error: unknown) => {
        this.#fail(error);
        throw this.#failure!.reason;
      }),
    );
    this.#checkpointer = new Checkpointer(path, damage, (error) => this.#fail(error));
    this.#fileChecker = new FileChecker(path, damage, options.fileChecks);
  }

  /**
   * Rejects all further writes after a failed sync and calls `onSyncFailure`. Waiting callers get Unavailable, because
   * it is unknown whether their writes are on disk.
   */
  #fail(error: unknown): void {
    if (this.#failure) return;
    this.#failure = { reason: new Unavailable('the disk failed to sync', error) };
    this.#options.onSyncFailure?.(error);
  }

  async all<Row>(statement: Statement | string, ...params: Param[]): Promise<Row[]> {
    return this.#reader.all(toStatement(statement, params)) as Row[];
  }

  async get<Row>(statement: Statement | string, ...params: Param[]): Promise<Row | undefined> {
    return this.#reader.get(toStatement(statement, params)) as Row | undefined;
  }

  write<Result>(stamp: Stamps, ...[first, second]: WriteArguments<Result>): Promise<Result> {
    const stamps = toStamps(stamp);
    const [options, body] = second ? [first as WriteOptions<Result>, second] : [{}, first as TransactionBody<Result>];
    return this.#writeHealth.track(this.#enqueue(stamps, body, options.target, false), stamps.length > 0);
  }

  writeRefusal(): string | undefined {
    return this.#damage.reason ?? this.#writeHealth.reason;
  }

  damage(): string | undefined {
    return this.#damage.reason;
  }

  /** Checks the whole file shortly after the start and then daily, until the database is closed. */
  checkRegularly(): void {
    this.#fileChecker.start();
  }

  isRecorded(stamp: Stamp): boolean {
    return this.#recorded.has(stamp);
  }

  isAudited(stamp: Stamp): boolean {
    return this.#recorded.isAudited(stamp);
  }

  markRecorded(stamp: Stamp): void {
    this.#recorded.mark(stamp);
  }

  #enqueue<Result>(
    stamps: readonly Stamp[],
    body: TransactionBody<Result>,
    target: WriteOptions<Result>['target'],
    isScript: boolean,
  ): Promise<Result> {
    if (this.#failure) return Promise.reject(this.#failure.reason);
    if (this.#damage.reason !== undefined) return Promise.reject(this.#damage.error());
    if (this.#closing) return Promise.reject(new Error('the database is closed'));
    return new Promise<Result>((resolve, reject) => {
      this.#queue.push({ stamps, body, target, isScript, resolve: resolve as (value: never) => void, reject });
      this.#draining ??= runInBackground('committing', () => this.#drain());
    });
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      // Wait for a running sync. Writes that arrive during it would have to wait for the next sync anyway, so they are
      // committed together. Then wait for further turns of the event loop as long as each brings more writes, because
      // every commit has a fixed cost.
      await this.#group.idle();
      for (let turn = 0, before = 0; turn < maxGatheringLength && this.#queue.length > before; turn++) {
        before = this.#queue.length;
        await yieldToEventLoop();
      }
      const waiting = this.#queue;
      this.#queue = [];
      for (let from = 0; from < waiting.length; from += batchSize) {
        const batch = waiting.slice(from, from + batchSize);
        await this.#checkpointer.writeBarrier;
        if (this.#failure) {
          for (const write of batch) write.reject(this.#failure.reason);
          continue;
        }
        const done = await this.#commit(batch);
        if (done.length > 0) this.#acknowledge(done);
      }
    }
    this.#draining = undefined;
  }

  async #commit(batch: Write[]): Promise<CommittedWrite[]> {
    const careful = batch.some((write) => write.isScript);
    return (careful ? undefined : await this.#commitBatch(batch)) ?? this.#commitApart(batch);
  }

  /**
   * Commits the batch in one transaction without savepoints, because a savepoint copies every page that a write
   * touches. A write that fails before it has changed anything is left out. If a write fails later, or the commit
   * fails, rolls everything back and returns undefined. The caller then runs all writes of the batch again.
   */
  async #commitBatch(batch: Write[]): Promise<CommittedWrite[] | undefined> {
    const writer = this.#writer;
    const done: CommittedWrite[] = [];
    const left: (() => void)[] = [];
    try {
      writer.execute('BEGIN IMMEDIATE');
    } catch (error) {
      for (const write of batch) write.reject(error);
      return done;
    }
    try {
      for (const write of batch) {
        const tx = new Transaction(writer, stampUser(write.stamps));
        try {
          done.push(await this.#run(write, tx));
        } catch (error) {
          // Give up the batch if the write has changed rows, or if SQLite has rolled back the whole transaction, for
          // example because of a full disk.
          if (tx.isChanged || !writer.inTransaction) throw error;
          left.push(() => write.reject(error));
        }
      }
      // If a write encountered a damaged page, fail the whole batch. The caller then repeats the writes one by one, and
      // each is refused.
      this.#damage.throwIfDamaged();
      this.#record(done);
      writer.execute('COMMIT');
    } catch {
      // Roll back. The caller repeats the batch with savepoints to find the write that fails.
      this.#rollbackAll();
      return undefined;
    }
    for (const reject of left) reject();
    this.#checkpointer.count(done.length);
    return done;
  }

  /**
   * Commits the batch in one transaction with a savepoint per write, so that a failed write does not affect the others.
   * Returns the committed writes.
   */
  async #commitApart(batch: Write[]): Promise<CommittedWrite[]> {
    const writer = this.#writer;
    let done: CommittedWrite[] = [];
    const loseAll = (error: unknown): void => {
      for (const { write } of done) write.reject(error);
      done = [];
    };
    for (const write of batch) {
      try {
        this.#damage.throwIfDamaged();
        if (!writer.inTransaction) writer.execute('BEGIN IMMEDIATE');
        writer.execute('SAVEPOINT one');
        const one = await this.#run(write, new Transaction(writer, stampUser(write.stamps)));
        this.#record([one]);
        writer.execute('RELEASE one');
        done.push(one);
      } catch (error) {
        write.reject(error);
        if (!this.#rollbackOne()) loseAll(error);
      }
    }
    if (!writer.inTransaction) return done;
    try {
      writer.execute('COMMIT');
      this.#checkpointer.count(done.length);
    } catch (error) {
      this.#rollbackAll();
      loseAll(error);
    }
    return done;
  }

  async #run(write: Write, tx: Transaction): Promise<CommittedWrite> {
    const { result, claims } = await runWriteBody(this.#recorded.unclaimed(write.stamps), tx, write.body);
    return { write, stamps: this.#recorded.missing(write.stamps), claims, result };
  }

  /** Inserts the audit rows, and the idempotency keys with their answers, into the current transaction. */
  #record(done: readonly CommittedWrite[]): void {
    const records = done.flatMap(({ write, result, stamps }) => auditRecords(stamps, result as never, write.target));
    for (const statement of auditStatements(records)) this.#writer.get(statement);
    try {
      for (const statement of claimStatements(done.flatMap(({ claims }) => claims))) this.#writer.get(statement);
    } catch (error) {
      throw error instanceof UniqueViolation ? new IdempotencyKeyConflict() : error;
    }
  }

  /**
   * Rolls back one write to its savepoint. Returns false if the whole transaction was rolled back instead: by SQLite,
   * for example because of a full disk, or because the savepoint could not be restored.
   */
  #rollbackOne(): boolean {
    if (!this.#writer.inTransaction) return false;
    try {
      this.#writer.execute('ROLLBACK TO one');
      this.#writer.execute('RELEASE one');
      return true;
    } catch (error) {
      if (this.#writer.inTransaction) this.#rollbackAll(error);
      return false;
    }
  }

  #rollbackAll(because?: unknown): void {
    if (!this.#writer.inTransaction) return;
    try {
      this.#writer.execute('ROLLBACK');
    } catch (error) {
      this.#fail(because ?? error);
    }
  }

  #acknowledge(done: CommittedWrite[]): void {
    this.#group.request().then(
      () => {
        for (const { write, claims, result } of done) {
          this.#recorded.add(write.stamps, claims);
          write.resolve(result as never);
        }
      },
      (error: unknown) => {
        for (const { write } of done) write.reject(error);
      },
    );
  }

  /**
   * Returns SQLite's data version, which changes when another connection commits, so that caches notice writes of other
   * processes. It is read on the writer's connection, because that connection's own commits do not change it. It is
   * read at most once per turn of the event loop.
   */
  othersVersion(): number {
    if (this.#othersVersion === undefined) {
      this.#othersVersion = (this.#writer.get(sql`PRAGMA data_version`) as { data_version: number }).data_version;
      runInNextTurn('forgetting the version', () => {
        this.#othersVersion = undefined;
      });
    }
    return this.#othersVersion;
  }

  accessVersion(): number {
    return this.othersVersion();
  }

  async snapshot<Result>(body: (view: Pick<Sql, 'all' | 'get'>) => Promise<Result>): Promise<Result> {
    const view = openReader(this.#path, this.#damage);
    try {
      view.execute('BEGIN');
      // Read a row immediately, because SQLite takes the snapshot at the first read of a transaction, not at BEGIN.
      view.get(sql`SELECT 1 FROM sqlite_schema LIMIT 1`);
      return await body(new Transaction(view, ''));
    } finally {
      // End the transaction explicitly. A closed connection lives until its statements are garbage-collected. Until
      // then, an open transaction would prevent SQLite from reusing the write-ahead log from its beginning.
      if (view.inTransaction) view.execute('ROLLBACK');
      view.close();
    }
  }

  async script(statements: readonly string[], record: string): Promise<void> {
    const body = async (tx: Sql): Promise<void> => {
      for (const statement of statements) await tx.run(statement);
      await tx.run(record);
    };
    await this.#enqueue([], body, '', true);
  }

  async ping(): Promise<void> {
    if (this.#failure) throw this.#failure.reason;
    this.#reader.get(sql`SELECT 1`);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#draining;
    // Sync the writes that are committed but not acknowledged yet. If this sync fails, the callers of these writes get
    // the error, because each waits for a sync too.
    await this.#group.request().catch((error: unknown) => this.#fail(error));
    await this.#checkpointer.stop();
    await this.#fileChecker.stop();
    if (!this.#failure && this.#damage.reason === undefined) this.#emptyLog();
    this.#reader.close();
    await this.#wal.close();
    this.#writer.close();
  }

  /**
   * Copies the write-ahead log into the database file and truncates the log, so that the next start need not read it.
   * SQLite itself does this only when the last connection is closed, and that time depends on garbage collection.
   *
   * Not called after a failed sync, because the state of the log is then unknown. Not called for a damaged file,
   * because the log may contain intact copies of damaged pages.
   */
  #emptyLog(): void {
    try {
      // Do not wait if another process has the file open. The log then remains.
      this.#writer.execute('PRAGMA busy_timeout = 0');
      this.#writer.execute('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch (error) {
      // Ignore a temporary error such as a full disk. The log stays in place with all data, so nothing is lost by
      // closing the database.
      if (!(error instanceof Unavailable)) this.#fail(error);
    }
  }
}
