import pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { Duplicate, type Database, type Dialect, type Param, type Sql, type WriteOptions } from './database.ts';
import { stamped } from './stamping.ts';
import type { Stamp } from '../../ports/stamp.ts';

export const postgresDialect: Dialect = {
  name: 'postgres',
  text: 'TEXT COLLATE "C"',
  blob: 'BYTEA',
  autoId: 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
  skipLocked: 'FOR UPDATE SKIP LOCKED',
};

const int8 = 20;
const maxAttempts = 30;
/** Serialization failure and deadlock: the transaction did nothing, run it again. */
const retryable = new Set(['40001', '40P01']);
const uniqueViolation = '23505';

export async function openPostgres(url: string, options: { connections?: number; onError?: (error: Error) => void } = {}): Promise<PostgresDatabase> {
  const types = new pg.TypeOverrides();
  types.setTypeParser(int8, Number);
  const pool = new pg.Pool({ connectionString: url, max: options.connections ?? 16, types, application_name: 'sheaf' });
  // A connection that breaks while idle (a restart of the server) is replaced by the pool; it must not end the process.
  pool.on('error', (error) => options.onError?.(error));
  const database = new PostgresDatabase(pool);
  await database.ping();
  return database;
}

export class PostgresDatabase implements Database {
  readonly dialect = postgresDialect;
  readonly pool: pg.Pool;
  readonly #prepared = new Map<string, { name: string; text: string }>();
  readonly #locks = new Map<string, Promise<unknown>>();

  constructor(pool: pg.Pool) {
    this.pool = pool;
  }

  async all<Row>(sql: string, ...params: Param[]): Promise<Row[]> {
    return (await this.#query(this.pool, sql, params)).rows as Row[];
  }

  async get<Row>(sql: string, ...params: Param[]): Promise<Row | undefined> {
    return (await this.#query(this.pool, sql, params)).rows[0] as Row | undefined;
  }

  async write<Result>(stamp: Stamp | null, body: (tx: Sql) => Promise<Result>, options: WriteOptions = {}): Promise<Result> {
    const result = options.lock
      ? await this.#queued(options.lock, () => this.#attempts(stamp, body, options.lock))
      : await this.#attempts(stamp, body, undefined);
    if (stamp) stamp.recorded = true;
    return result;
  }

  async #attempts<Result>(stamp: Stamp | null, body: (tx: Sql) => Promise<Result>, lock: string | undefined): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#transaction(stamp, body, lock);
      } catch (error) {
        const code = (error as { code?: string }).code ?? '';
        if (!retryable.has(code) || attempt >= maxAttempts) throw error;
        await sleep(Math.random() * Math.min(200, 2 ** attempt));
      }
    }
  }

  async #transaction<Result>(stamp: Stamp | null, body: (tx: Sql) => Promise<Result>, lock: string | undefined): Promise<Result> {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    try {
      // Taken before BEGIN: a serializable transaction sees the database as of its first statement.
      if (lock) await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [lock]);
      await client.query('BEGIN ISOLATION LEVEL SERIALIZABLE');
      try {
        const result = await stamped(stamp, this.#asSql(client), body);
        await client.query('COMMIT');
        return result;
      } catch (error) {
        await client.query('ROLLBACK').catch((rollbackError: Error) => {
          broken = rollbackError;
        });
        throw error;
      }
    } finally {
      if (lock && !broken) {
        await client.query('SELECT pg_advisory_unlock(hashtextextended($1, 0))', [lock]).catch((error: Error) => {
          broken = error;
        });
      }
      client.release(broken);
    }
  }

  /** Queues in this process first, so that waiting writers hold no connection. */
  async #queued<Result>(lock: string, body: () => Promise<Result>): Promise<Result> {
    const before = this.#locks.get(lock) ?? Promise.resolve();
    const turn = before.then(body, body);
    const settled = turn.then(
      () => undefined,
      () => undefined,
    );
    this.#locks.set(lock, settled);
    void settled.then(() => {
      if (this.#locks.get(lock) === settled) this.#locks.delete(lock);
    });
    return turn;
  }

  async snapshot<Result>(body: (view: Pick<Sql, 'all' | 'get'>) => Promise<Result>): Promise<Result> {
    const client = await this.pool.connect();
    try {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      return await body(this.#asSql(client));
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  }

  async script(statements: readonly string[], record: string): Promise<void> {
    await this.write(
      null,
      async (tx) => {
        for (const statement of statements) await tx.run(statement);
        await tx.run(record);
      },
      { lock: 'migrate' },
    );
  }

  async ping(): Promise<void> {
    await this.pool.query('SELECT 1');
  }

  async close(): Promise<void> {
    await this.pool.end();
  }

  #asSql(client: pg.PoolClient): Sql {
    return {
      all: async <Row>(sql: string, ...params: Param[]) => (await this.#query(client, sql, params)).rows as Row[],
      get: async <Row>(sql: string, ...params: Param[]) => (await this.#query(client, sql, params)).rows[0] as Row | undefined,
      run: async (sql, ...params) => (await this.#query(client, sql, params)).rowCount ?? 0,
    };
  }

  async #query(on: pg.Pool | pg.PoolClient, sql: string, params: Param[]): Promise<pg.QueryResult> {
    let prepared = this.#prepared.get(sql);
    if (!prepared) {
      let index = 0;
      prepared = { name: `s${this.#prepared.size}`, text: sql.replace(/\?/g, () => `$${++index}`) };
      this.#prepared.set(sql, prepared);
    }
    try {
      return await on.query({ ...prepared, values: params });
    } catch (error) {
      if ((error as { code?: string }).code === uniqueViolation) throw new Duplicate(error);
      throw error;
    }
  }
}
