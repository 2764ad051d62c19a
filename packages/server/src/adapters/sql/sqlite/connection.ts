import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { Unavailable, NotWritable } from '../../../ports/availability-errors.ts';
import { UniqueViolation } from '../database.ts';
import type { Statement } from '../statement.ts';
import type { DamageRecord } from './damage.ts';
import { StatementCache } from './statement-cache.ts';

const busy = 5;
const locked = 6;
const full = 13;
const readOnly = 8;
const cannotOpen = 14;
/**
 * Extended error codes for a failure to open, resize or map the shared-memory index of the write-ahead log, because no
 * file descriptors or disk space are left.
 */
const sharedMemory = new Set([4618, 4874, 5386]);
const primaryKeyTaken = 1555;
const uniqueTaken = 2067;
const rowIdTaken = 2579;

export class Connection {
  readonly #db: DatabaseSyncInstance;
  readonly #damage: DamageRecord;
  readonly #statements: StatementCache;

  /** If a statement of this connection encounters a damaged page, `damage` records it. */
  constructor(db: DatabaseSyncInstance, damage: DamageRecord) {
    this.#db = db;
    this.#damage = damage;
    this.#statements = new StatementCache(db);
  }

  get inTransaction(): boolean {
    return this.#db.isTransaction;
  }

  all(statement: Statement): unknown[] {
    return this.#call('all', statement) as unknown[];
  }

  get(statement: Statement): unknown {
    return this.#call('get', statement);
  }

  run(statement: Statement): number {
    return Number((this.#call('run', statement) as { changes: number | bigint }).changes);
  }

  /** Runs a statement without creating the result object of `run`, which would cost as much as a small insert. */
  execute(text: string): void {
    this.#call('get', { text, params: [] });
  }

  #call(method: 'all' | 'get' | 'run', { text, params }: Statement): unknown {
    try {
      return this.#statements.prepare(text)[method](...params);
    } catch (error) {
      throw this.#damage.recognize(error) ?? translateError(error);
    }
  }

  close(): void {
    this.#statements.clear();
    this.#db.close();
  }
}

export function openReader(path: string, damage: DamageRecord): Connection {
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  db.exec('PRAGMA cache_size = -32000; PRAGMA mmap_size = 268435456; PRAGMA temp_store = MEMORY');
  return new Connection(db, damage);
}

/** Returns whether the error means that another connection holds a lock on the database. */
export function isLocked(error: unknown): boolean {
  const code = (error as { errcode?: number }).errcode ?? 0;
  return (code & 0xff) === busy || (code & 0xff) === locked;
}

/**
 * Converts errors of SQLite to the error classes that the SQLite and PostgreSQL adapters share, so that callers need
 * not know the database. Returns other errors unchanged.
 */
export function translateError(error: unknown): unknown {
  const code = (error as { errcode?: number }).errcode;
  if (code === primaryKeyTaken || code === uniqueTaken || code === rowIdTaken) return new UniqueViolation(error);
  if (code !== undefined && sharedMemory.has(code)) {
    return new Unavailable('the disk is full, or there are no file descriptors left', error);
  }
  switch (code === undefined ? undefined : code & 0xff) {
    case full:
      return new NotWritable('the disk is full', error);
    case cannotOpen:
      return new Unavailable(
        'a file of the database cannot be opened (its permissions, or no file descriptors left)',
        error,
      );
    case readOnly:
      return new NotWritable('the disk is read-only, or the database file was moved', error);
    case busy:
    case locked:
      return new Unavailable('the database is locked by another process', error);
    default:
      return error;
  }
}
