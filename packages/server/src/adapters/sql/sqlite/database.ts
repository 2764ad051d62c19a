import { fdatasync } from 'node:fs';
import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { Duplicate, type Database, type Dialect, type Param, type Sql, type WriteOptions } from '../database.ts';
import { KeyTaken } from '../../../ports/call-store.ts';
import { inBackground, nextTurn } from '../../../lib/background.ts';
import { RefusedWrites } from '../refused-writes.ts';
import { GroupSync } from './group-sync.ts';
import { Incarnation } from '../incarnation.ts';
import { Checkpointer } from './checkpointer.ts';
import { Connection, openReader, translated } from './connection.ts';
import { Transaction } from './transaction.ts';
import {
  RecordedStamps,
  auditOf,
  auditStatements,
  claimStatements,
  ended,
  listOf,
  userOf,
  type Claim,
} from '../stamping.ts';
import type { Stamp } from '../../../ports/stamp.ts';
import { Unavailable } from '../../../ports/unavailable.ts';

const sqliteDialect: Dialect = {
  name: 'sqlite',
  text: 'TEXT',
  blob: 'BLOB',
  autoId: 'INTEGER PRIMARY KEY AUTOINCREMENT',
  skipLocked: '',
  forUpdate: '',
};

/** How many queued writes share one transaction: enough to spread its cost, few enough to keep the first one quick. */
const batchSize = 128;

/** Turns of the event loop that a write waits for others at most. */
const maxGatheringLength = 8;

export interface SqliteOptions {
  /** Replaces the disk's sync; benchmarks slow it down and fault tests make it fail. */
  sync?: (walFd: number) => Promise<void>;
  /** Called when the disk refuses to sync: what is in memory and what is on disk may differ, so the process must end. */
  onSyncFailure?: (error: unknown) => void;
}

/**
 * SQLite with our own group commit. A commit does not sync; instead each write waits for a sync of the write-ahead log
 * in the thread pool, shared by all writes committed before it. Checkpoints, with full syncs, run in a thread of their
 * own. See docs/decisions/group-commit.md for why this loses nothing.
 */
export async function openSqlite(path: string, options: SqliteOptions = {}): Promise<SqliteDatabase> {
  await mkdir(dirname(path), { recursive: true });
  return SqliteDatabase.open(path, options);
}

interface Write {
  stamps: readonly Stamp[];
  target: WriteOptions<never>['target'];
  body: (tx: Sql) => Promise<unknown>;
  /** Changes the schema, which no count of changed rows tells. */
  isScript: boolean;
  resolve: (value: never) => void;
  reject: (reason: unknown) => void;
}

interface Done {
  write: Write;
  /** Those of its stamps that are recorded with it. */
  stamps: readonly Stamp[];
  claims: readonly Claim[];
  result: unknown;
}

export class SqliteDatabase implements Database {
  readonly dialect = sqliteDialect;
  /** The only one: nobody replaces the file under the process that serves it. */
  readonly incarnation = new Incarnation();
  readonly #path: string;
  readonly #options: SqliteOptions;
  readonly #writer: Connection;
  readonly #reader: Connection;
  readonly #wal: FileHandle;
  readonly #group: GroupSync;
  readonly #checkpointer: Checkpointer;
  readonly #recorded = new RecordedStamps();
  readonly #refused = new RefusedWrites();
  #queue: Write[] = [];
  #draining: Promise<void> | undefined;
  #failure: { reason: unknown } | undefined;
  #closing: Promise<void> | undefined;
  #othersVersion: number | undefined;

  static async open(path: string, options: SqliteOptions): Promise<SqliteDatabase> {
    const db = new DatabaseSync(path, { timeout: 5000, enableForeignKeyConstraints: true });
    try {
      db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
      // The first write creates the log; it is synced in full, and so is the folder that names it.
      db.exec(
        'CREATE TABLE IF NOT EXISTS sheaf_open (opened_at BIGINT); DELETE FROM sheaf_open; INSERT INTO sheaf_open VALUES (0)',
      );
      await syncFolder(dirname(path));
      // NORMAL, not OFF: commits do not sync with either, but only NORMAL syncs the head of a log that starts anew and
      // the last checkpoint at closing. Without these a power cut could mix old frames with a newer database.
      db.exec('PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = 67108864');
      db.exec('PRAGMA cache_size = -16000; PRAGMA temp_store = MEMORY');
      return new SqliteDatabase(path, db, await open(`${path}-wal`, 'r+'), options);
    } catch (error) {
      db.close();
      throw translated(error);
    }
  }

  private constructor(path: string, db: DatabaseSyncInstance, wal: FileHandle, options: SqliteOptions) {
    this.#path = path;
    this.#options = options;
    this.#writer = new Connection(db);
    this.#reader = openReader(path);
    this.#wal = wal;
    const sync = options.sync ?? promisify(fdatasync);
    this.#group = new GroupSync(() =>
      sync(wal.fd).catch((error: unknown) => {
        this.#fail(error);
        throw this.#failure!.reason;
      }),
    );
    this.#checkpointer = new Checkpointer(path, (error) => this.#fail(error));
  }

  /**
   * From here on nothing can be promised: no write is taken any more, and the owner is told to end the process. Whoever
   * waits hears that it may succeed later, after the next start; whether it is there already nobody can say.
   */
  #fail(error: unknown): void {
    if (this.#failure) return;
    this.#failure = { reason: new Unavailable('the disk failed to sync', error) };
    this.#options.onSyncFailure?.(error);
  }

  async all<Row>(sql: string, ...params: Param[]): Promise<Row[]> {
    return this.#reader.all(sql, params) as Row[];
  }

  async get<Row>(sql: string, ...params: Param[]): Promise<Row | undefined> {
    return this.#reader.get(sql, params) as Row | undefined;
  }

  write<Result>(
    stamp: Stamp | readonly Stamp[] | null,
    body: (tx: Sql) => Promise<Result>,
    options?: WriteOptions<Result>,
  ): Promise<Result> {
    const stamps = listOf(stamp);
    return this.#refused.watch(this.#enqueue(stamps, body, options?.target, false), stamps.length > 0);
  }

  refusal(): string | undefined {
    return this.#refused.reason;
  }

  isRecorded(stamp: Stamp): boolean {
    return this.#recorded.has(stamp);
  }

  #enqueue<Result>(
    stamps: readonly Stamp[],
    body: (tx: Sql) => Promise<Result>,
    target: WriteOptions<Result>['target'],
    isScript: boolean,
  ): Promise<Result> {
    if (this.#failure) return Promise.reject(this.#failure.reason);
    if (this.#closing) return Promise.reject(new Error('the database is closed'));
    return new Promise<Result>((resolve, reject) => {
      this.#queue.push({ stamps, body, target, isScript, resolve: resolve as (value: never) => void, reject });
      this.#draining ??= inBackground('committing', () => this.#drain());
    });
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      // What arrives during a sync would have to wait for the next one anyway: it is committed together then. More turns
      // of the event loop bring in what arrives at the same time, as long as every turn does: a commit has a price of its own.
      await this.#group.idle();
      for (let turn = 0, before = 0; turn < maxGatheringLength && this.#queue.length > before; turn++) {
        before = this.#queue.length;
        await new Promise<void>((resolve) => setImmediate(resolve));
      }
      const waiting = this.#queue;
      this.#queue = [];
      for (let from = 0; from < waiting.length; from += batchSize) {
        const batch = waiting.slice(from, from + batchSize);
        await this.#checkpointer.held;
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

  async #commit(batch: Write[]): Promise<Done[]> {
    const careful = batch.some((write) => write.isScript);
    return (careful ? undefined : await this.#commitTogether(batch)) ?? this.#commitApart(batch);
  }

  /**
   * One transaction without savepoints: these copy every page a write touches, which costs more than most writes. A
   * write that fails before it has changed anything is left out. If one fails later, or the transaction does, all of it
   * is undone and the answer is undefined: bodies may run again.
   */
  async #commitTogether(batch: Write[]): Promise<Done[] | undefined> {
    const writer = this.#writer;
    const done: Done[] = [];
    const left: (() => void)[] = [];
    try {
      writer.execute('BEGIN IMMEDIATE');
    } catch (error) {
      for (const write of batch) write.reject(error);
      return done;
    }
    try {
      for (const write of batch) {
        const tx = new Transaction(writer, userOf(write.stamps));
        try {
          done.push(await this.#run(write, tx));
        } catch (error) {
          // A full disk, for instance, makes SQLite roll all of it back.
          if (tx.isChanged || !writer.inTransaction) throw error;
          left.push(() => write.reject(error));
        }
      }
      this.#record(done);
      writer.execute('COMMIT');
    } catch {
      // The careful way finds out whose fault it is.
      this.#undoAll();
      return undefined;
    }
    for (const reject of left) reject();
    this.#checkpointer.count(done.length);
    return done;
  }

  /** One transaction with a savepoint for each write: one that fails takes nothing of the others with it. */
  async #commitApart(batch: Write[]): Promise<Done[]> {
    const writer = this.#writer;
    let done: Done[] = [];
    const loseAll = (error: unknown): void => {
      for (const { write } of done) write.reject(error);
      done = [];
    };
    for (const write of batch) {
      try {
        if (!writer.inTransaction) writer.execute('BEGIN IMMEDIATE');
        writer.execute('SAVEPOINT one');
        const one = await this.#run(write, new Transaction(writer, userOf(write.stamps)));
        this.#record([one]);
        writer.execute('RELEASE one');
        done.push(one);
      } catch (error) {
        write.reject(error);
        if (!this.#undoOne()) loseAll(error);
      }
    }
    if (!writer.inTransaction) return done;
    try {
      writer.execute('COMMIT');
      this.#checkpointer.count(done.length);
    } catch (error) {
      this.#undoAll();
      loseAll(error);
    }
    return done;
  }

  async #run(write: Write, tx: Transaction): Promise<Done> {
    const { result, claims } = await ended(this.#recorded.unclaimed(write.stamps), tx, write.body);
    return { write, stamps: this.#recorded.missing(write.stamps), claims, result };
  }

  /** Adds the audit rows of what is done, and the keys with their answers. */
  #record(done: readonly Done[]): void {
    const records = done.flatMap(({ write, result, stamps }) => auditOf(stamps, result as never, write.target));
    for (const [text, params] of auditStatements(records)) this.#writer.execute(text, params);
    try {
      for (const [text, params] of claimStatements(done.flatMap(({ claims }) => claims)))
        this.#writer.execute(text, params);
    } catch (error) {
      throw error instanceof Duplicate ? new KeyTaken() : error;
    }
  }

  /** False when the whole transaction is gone: a full disk, for instance, makes SQLite roll all of it back. */
  #undoOne(): boolean {
    if (!this.#writer.inTransaction) return false;
    try {
      this.#writer.execute('ROLLBACK TO one');
      this.#writer.execute('RELEASE one');
      return true;
    } catch (error) {
      if (this.#writer.inTransaction) this.#undoAll(error);
      return false;
    }
  }

  #undoAll(because?: unknown): void {
    if (!this.#writer.inTransaction) return;
    try {
      this.#writer.execute('ROLLBACK');
    } catch (error) {
      this.#fail(because ?? error);
    }
  }

  #acknowledge(done: Done[]): void {
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

  /** Asked on the writer's connection, whose own commits do not count, and once in a turn of the event loop. */
  othersVersion(): number {
    if (this.#othersVersion === undefined) {
      this.#othersVersion = (this.#writer.get('PRAGMA data_version', []) as { data_version: number }).data_version;
      nextTurn('forgetting the version', () => {
        this.#othersVersion = undefined;
      });
    }
    return this.#othersVersion;
  }

  accessVersion(): number {
    return this.othersVersion();
  }

  async snapshot<Result>(body: (view: Pick<Sql, 'all' | 'get'>) => Promise<Result>): Promise<Result> {
    const view = openReader(this.#path);
    try {
      view.execute('BEGIN');
      // The view is fixed by the first read, not by BEGIN.
      view.get('SELECT 1 FROM sqlite_schema LIMIT 1', []);
      return await body(new Transaction(view, ''));
    } finally {
      // A closed connection lives on until its statements are collected, and the log could not start anew before that.
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
    this.#reader.get('SELECT 1', []);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#draining;
    // What is committed but not yet acknowledged is synced first; its writers are told the outcome either way.
    await this.#group.request().catch((error: unknown) => this.#fail(error));
    await this.#checkpointer.stop();
    if (!this.#failure) this.#emptyLog();
    this.#reader.close();
    await this.#wal.close();
    this.#writer.close();
  }

  /**
   * Leaves a whole database file and no log that the next start would have to read. SQLite does it by itself only when the
   * last connection is gone, which collected statements decide, too late. Not after a failed sync: nothing is known of the log then.
   */
  #emptyLog(): void {
    try {
      // Who else has it open keeps the log; that is nothing to wait for.
      this.#writer.execute('PRAGMA busy_timeout = 0');
      this.#writer.execute('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch (error) {
      // The log keeps everything: a full disk, for instance, must not make a clean end fail.
      if (!(error instanceof Unavailable)) this.#fail(error);
    }
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
