import { fdatasync } from 'node:fs';
import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite';
import { Duplicate, type Database, type Dialect, type Param, type Sql } from './database.ts';
import { GroupSync } from './group-sync.ts';
import { stamped } from './stamping.ts';
import type { Stamp } from '../../ports/stamp.ts';

export const sqliteDialect: Dialect = {
  name: 'sqlite',
  text: 'TEXT',
  blob: 'BLOB',
  autoId: 'INTEGER PRIMARY KEY AUTOINCREMENT',
  skipLocked: '',
};

const checkpointEveryMs = 1000;
/** How many queued writes share one transaction: enough to spread its cost, few enough to keep the first one quick. */
const batchSize = 128;

export interface SqliteOptions {
  /** Replaces the disk's sync; benchmarks slow it down and fault tests make it fail. */
  sync?: (walFd: number) => Promise<void>;
  /** Called when the disk refuses to sync: what is in memory and what is on disk may differ, so the process must end. */
  onSyncFailure?: (error: unknown) => void;
}

/**
 * SQLite with our own group commit. The writer's connection never syncs; instead each write waits for a sync of the
 * write-ahead log in the thread pool, shared by all writes committed before it. Checkpoints, with full syncs, run in a
 * thread of their own. See docs/decisions/group-commit.md for why this loses nothing.
 */
export async function openSqlite(path: string, options: SqliteOptions = {}): Promise<SqliteDatabase> {
  await mkdir(dirname(path), { recursive: true });
  return SqliteDatabase.open(path, options);
}

interface Write {
  stamp: Stamp | null;
  body: (tx: Sql) => Promise<unknown>;
  resolve: (value: never) => void;
  reject: (reason: unknown) => void;
}

export class SqliteDatabase implements Database {
  readonly dialect = sqliteDialect;
  readonly #path: string;
  readonly #writer: Connection;
  readonly #reader: Connection;
  readonly #wal: FileHandle;
  readonly #group: GroupSync;
  readonly #checkpointer: Worker;
  #queue: Write[] = [];
  #draining: Promise<void> | undefined;
  #closed = false;

  static async open(path: string, options: SqliteOptions): Promise<SqliteDatabase> {
    const db = new DatabaseSync(path, { timeout: 5000, enableForeignKeyConstraints: true });
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    // The first write creates the log; it is synced in full, and so is the folder that names it.
    db.exec('CREATE TABLE IF NOT EXISTS sheaf_open (opened_at BIGINT); DELETE FROM sheaf_open; INSERT INTO sheaf_open VALUES (0)');
    await syncFolder(dirname(path));
    db.exec('PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = -16000; PRAGMA temp_store = MEMORY');
    const wal = await open(`${path}-wal`, 'r+');
    return new SqliteDatabase(path, db, wal, options);
  }

  private constructor(path: string, db: DatabaseSyncInstance, wal: FileHandle, options: SqliteOptions) {
    this.#path = path;
    this.#writer = new Connection(db);
    this.#reader = openReader(path);
    this.#wal = wal;
    const sync = options.sync ?? promisify(fdatasync);
    this.#group = new GroupSync(() =>
      sync(wal.fd).catch((error: unknown) => {
        this.#closed = true;
        options.onSyncFailure?.(error);
        throw error;
      }),
    );
    this.#checkpointer = startCheckpointer(path);
  }

  async all<Row>(sql: string, ...params: Param[]): Promise<Row[]> {
    return this.#reader.all(sql, params) as Row[];
  }

  async get<Row>(sql: string, ...params: Param[]): Promise<Row | undefined> {
    return this.#reader.get(sql, params) as Row | undefined;
  }

  write<Result>(stamp: Stamp | null, body: (tx: Sql) => Promise<Result>): Promise<Result> {
    if (this.#closed) return Promise.reject(new Error('the database is closed'));
    return new Promise<Result>((resolve, reject) => {
      this.#queue.push({ stamp, body, resolve: resolve as (value: never) => void, reject });
      this.#draining ??= this.#drain();
    });
  }

  async #drain(): Promise<void> {
    // One turn of the event loop lets writes that arrive together be committed together.
    await new Promise<void>((resolve) => setImmediate(resolve));
    while (this.#queue.length > 0) {
      const batch = this.#queue.splice(0, batchSize);
      const done = await this.#commit(batch);
      if (done.length > 0) this.#acknowledge(done);
      if (this.#queue.length === 0) await new Promise<void>((resolve) => setImmediate(resolve));
    }
    this.#draining = undefined;
  }

  async #commit(batch: Write[]): Promise<{ write: Write; result: unknown }[]> {
    const writer = this.#writer;
    let done: { write: Write; result: unknown }[] = [];
    try {
      writer.run('BEGIN IMMEDIATE', []);
    } catch (error) {
      for (const write of batch) write.reject(error);
      return [];
    }
    const tx = writer.asSql();
    for (const write of batch) {
      try {
        writer.run('SAVEPOINT one', []);
        const result = await stamped(write.stamp, tx, write.body);
        writer.run('RELEASE one', []);
        done.push({ write, result });
      } catch (error) {
        write.reject(error);
        if (!writer.inTransaction) {
          // A full disk rolls the whole transaction back; nothing of it was acknowledged.
          for (const lost of done) lost.write.reject(error);
          done = [];
          writer.run('BEGIN IMMEDIATE', []);
        } else {
          writer.run('ROLLBACK TO one', []);
          writer.run('RELEASE one', []);
        }
      }
    }
    try {
      writer.run('COMMIT', []);
    } catch (error) {
      if (writer.inTransaction) writer.run('ROLLBACK', []);
      for (const { write } of done) write.reject(error);
      return [];
    }
    return done;
  }

  #acknowledge(done: { write: Write; result: unknown }[]): void {
    this.#group.request().then(
      () => {
        for (const { write, result } of done) {
          if (write.stamp) write.stamp.recorded = true;
          write.resolve(result as never);
        }
      },
      (error: unknown) => {
        for (const { write } of done) write.reject(error);
      },
    );
  }

  async snapshot<Result>(body: (view: Pick<Sql, 'all' | 'get'>) => Promise<Result>): Promise<Result> {
    const view = openReader(this.#path);
    try {
      view.run('BEGIN', []);
      return await body(view.asSql());
    } finally {
      view.close();
    }
  }

  async script(statements: readonly string[], record: string): Promise<void> {
    await this.write(null, async (tx) => {
      for (const statement of statements) await tx.run(statement);
      await tx.run(record);
    });
  }

  async ping(): Promise<void> {
    this.#reader.get('SELECT 1', []);
  }

  async close(): Promise<void> {
    if (!this.#closed) {
      await this.#draining;
      this.#closed = true;
      await this.#group.request();
    }
    await stopCheckpointer(this.#checkpointer);
    this.#reader.close();
    await this.#wal.close();
    this.#writer.close();
  }
}

/** A connection with its prepared statements. */
class Connection {
  readonly #db: DatabaseSyncInstance;
  readonly #statements = new Map<string, StatementSyncInstance>();

  constructor(db: DatabaseSyncInstance) {
    this.#db = db;
  }

  get inTransaction(): boolean {
    return this.#db.isTransaction;
  }

  #prepare(sql: string): StatementSyncInstance {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#db.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  all(sql: string, params: Param[]): unknown[] {
    return this.#prepare(sql).all(...params);
  }

  get(sql: string, params: Param[]): unknown {
    return this.#prepare(sql).get(...params);
  }

  run(sql: string, params: Param[]): number {
    try {
      return Number(this.#prepare(sql).run(...params).changes);
    } catch (error) {
      if (error instanceof Error && /UNIQUE constraint|PRIMARY KEY constraint/.test(error.message)) throw new Duplicate(error);
      throw error;
    }
  }

  asSql(): Sql {
    return {
      all: async <Row>(sql: string, ...params: Param[]) => this.all(sql, params) as Row[],
      get: async <Row>(sql: string, ...params: Param[]) => this.get(sql, params) as Row | undefined,
      run: async (sql: string, ...params: Param[]) => this.run(sql, params),
    };
  }

  close(): void {
    this.#statements.clear();
    this.#db.close();
  }
}

function openReader(path: string): Connection {
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  db.exec('PRAGMA cache_size = -32000; PRAGMA mmap_size = 268435456; PRAGMA temp_store = MEMORY');
  return new Connection(db);
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Plain script text: it must run from a bundle as well as from the sources. */
const checkpointerScript = `
const { parentPort, workerData } = require('node:worker_threads');
const { DatabaseSync } = require(workerData.driver);
const db = new DatabaseSync(workerData.path, { timeout: 1000 });
db.exec('PRAGMA synchronous = FULL');
const checkpoint = db.prepare('PRAGMA wal_checkpoint(PASSIVE)');
const timer = setInterval(() => { try { checkpoint.get(); } catch (error) { if (!/busy|locked/i.test(error.message)) throw error; } }, workerData.everyMs);
parentPort.on('message', () => { clearInterval(timer); db.close(); parentPort.close(); });
`;

function startCheckpointer(path: string): Worker {
  const driver = import.meta.resolve('@photostructure/sqlite');
  const worker = new Worker(checkpointerScript, {
    eval: true,
    workerData: { path, everyMs: checkpointEveryMs, driver: new URL(driver.replace(/index\.mjs$/, 'index.cjs')).pathname },
  });
  worker.unref();
  return worker;
}

async function stopCheckpointer(worker: Worker): Promise<void> {
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  worker.ref();
  worker.postMessage('stop');
  await exited;
}
