import pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { inBackground } from '../../lib/background.ts';
import { Unavailable } from '../../ports/unavailable.ts';
import { Duplicate, type Database, type Dialect, type Param, type Sql, type WriteOptions } from './database.ts';
import { RecordedStamps, listOf, stamped } from './stamping.ts';
import type { Stamp } from '../../ports/stamp.ts';

export const postgresDialect: Dialect = {
  name: 'postgres',
  text: 'TEXT COLLATE "C"',
  blob: 'BYTEA',
  autoId: 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
  skipLocked: 'FOR UPDATE SKIP LOCKED',
};

const int8 = 20;
/** What SUM of integers gives. */
const numeric = 1700;
const maxAttempts = 30;
const connectMs = 10_000;
/** Serialization failure and deadlock: the transaction did nothing, run it again. */
const retryable = new Set(['40001', '40P01']);
const uniqueViolation = '23505';
/** Connection lost, server starting or stopping, out of connections, memory or disk, and contention past all attempts. */
const passing =
  /^(08...|57P0.|53...|40001|40P01|ECONN.*|EPIPE|ETIMEDOUT|EAI_AGAIN|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|EMFILE|ENFILE)$/;
const passingMessage =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

export async function openPostgres(
  url: string,
  options: { connections?: number; onError?: (error: Error) => void } = {},
): Promise<PostgresDatabase> {
  const types = new pg.TypeOverrides();
  types.setTypeParser(int8, Number);
  types.setTypeParser(numeric, Number);
  const pool = new pg.Pool({
    connectionString: url,
    max: options.connections ?? 16,
    types,
    application_name: 'sheaf',
    connectionTimeoutMillis: connectMs,
  });
  // A connection that breaks while idle (a restart of the server) is replaced by the pool; it must not end the process.
  pool.on('error', (error) => options.onError?.(error));
  const database = new PostgresDatabase(pool);
  try {
    await database.ping();
  } catch (error) {
    await pool.end();
    throw error;
  }
  return database;
}

export class PostgresDatabase implements Database {
  readonly dialect = postgresDialect;
  readonly pool: pg.Pool;
  readonly #prepared = new Map<string, { name: string; text: string }>();
  readonly #locks = new Map<string, Promise<unknown>>();
  #closing: Promise<void> | undefined;
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #recorded = new RecordedStamps();

  constructor(pool: pg.Pool) {
    this.pool = pool;
  }

  async all<Row>(sql: string, ...params: Param[]): Promise<Row[]> {
    return (await this.#tracked(() => this.#query(this.pool, sql, params).catch(raise))).rows as Row[];
  }

  async get<Row>(sql: string, ...params: Param[]): Promise<Row | undefined> {
    return (await this.#tracked(() => this.#query(this.pool, sql, params).catch(raise))).rows[0] as Row | undefined;
  }

  /** Closing the pool forgets who still waits for a connection, so closing must wait for them first. */
  #tracked<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#closing) return Promise.reject(new Error('the database is closed'));
    const promise = work();
    this.#underWay.add(promise);
    const forget = (): void => {
      this.#underWay.delete(promise);
    };
    promise.then(forget, forget);
    return promise;
  }

  write<Result>(
    stamp: Stamp | readonly Stamp[] | null,
    body: (tx: Sql) => Promise<Result>,
    options: WriteOptions<Result> = {},
  ): Promise<Result> {
    return this.#tracked(() => this.#write(listOf(stamp), body, options));
  }

  isRecorded(stamp: Stamp): boolean {
    return this.#recorded.has(stamp);
  }

  async #write<Result>(
    stamps: readonly Stamp[],
    body: (tx: Sql) => Promise<Result>,
    options: WriteOptions<Result>,
  ): Promise<Result> {
    const result = options.lock
      ? await this.#queued(options.lock, () => this.#attempts(stamps, body, options))
      : await this.#attempts(stamps, body, options);
    this.#recorded.add(stamps);
    return result;
  }

  async #attempts<Result>(
    stamps: readonly Stamp[],
    body: (tx: Sql) => Promise<Result>,
    options: WriteOptions<Result>,
  ): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#transaction(stamps, body, options);
      } catch (error) {
        if (!retryable.has(codeOf(error)) || attempt >= maxAttempts) return raise(error);
        await sleep(Math.random() * Math.min(200, 2 ** attempt));
      }
    }
  }

  /**
   * Serializable, unless the write says what it decides by. PostgreSQL locks what a serializable transaction reads by the
   * page, and small tables as a whole: strangers would fail and repeat because of each other (docs/decisions/serializable.md).
   */
  #transaction<Result>(
    stamps: readonly Stamp[],
    body: (tx: Sql) => Promise<Result>,
    { lock, blind, target }: WriteOptions<Result>,
  ): Promise<Result> {
    const level = lock !== undefined || blind === true ? 'REPEATABLE READ' : 'SERIALIZABLE';
    return this.#connected(
      async (client) => {
        // Taken before BEGIN: such a transaction sees the database as of its first statement.
        if (lock) await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [lock]);
        await client.query(`BEGIN ISOLATION LEVEL ${level}`);
        const result = await stamped(this.#recorded.missing(stamps), this.#asSql(client), body, target);
        await client.query('COMMIT');
        return result;
      },
      async (client) => {
        await client.query('ROLLBACK');
      },
      async (client) => {
        if (lock) await client.query('SELECT pg_advisory_unlock(hashtextextended($1, 0))', [lock]);
      },
    );
  }

  /** Lends a connection. One that cannot be brought back to a clean state is thrown away. */
  async #connected<Result>(
    body: (client: pg.PoolClient) => Promise<Result>,
    undo: (client: pg.PoolClient) => Promise<void>,
    always: (client: pg.PoolClient) => Promise<void>,
  ): Promise<Result> {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    // Without a listener, a connection that the server drops between two statements would end the process.
    const onError = (error: Error): void => {
      broken = error;
    };
    client.on('error', onError);
    try {
      return await body(client);
    } catch (error) {
      await undo(client).catch(onError);
      throw error;
    } finally {
      await always(client).catch(onError);
      client.off('error', onError);
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
    inBackground('leaving the queue of a lock', async () => {
      await settled;
      if (this.#locks.get(lock) === settled) this.#locks.delete(lock);
    });
    return turn;
  }

  othersVersion(): undefined {
    return undefined;
  }

  snapshot<Result>(body: (view: Pick<Sql, 'all' | 'get'>) => Promise<Result>): Promise<Result> {
    return this.#tracked(() =>
      this.#connected(
        async (client) => {
          await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
          // The view is fixed by the first statement, not by BEGIN.
          await client.query('SELECT 1');
          return body(this.#asSql(client));
        },
        async () => undefined,
        async (client) => {
          await client.query('ROLLBACK');
        },
      ).catch(raise),
    );
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
    await this.pool.query('SELECT 1').catch(raise);
  }

  close(): Promise<void> {
    this.#closing ??= Promise.allSettled(this.#underWay).then(() => this.pool.end());
    return this.#closing;
  }

  #asSql(client: pg.PoolClient): Sql {
    return {
      all: async <Row>(sql: string, ...params: Param[]) => (await this.#query(client, sql, params)).rows as Row[],
      get: async <Row>(sql: string, ...params: Param[]) =>
        (await this.#query(client, sql, params)).rows[0] as Row | undefined,
      run: async (sql, ...params) => (await this.#query(client, sql, params)).rowCount ?? 0,
      execute: async (sql, ...params) => void (await this.#query(client, sql, params)),
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
      if (codeOf(error) === uniqueViolation) throw new Duplicate(error);
      throw error;
    }
  }
}

function codeOf(error: unknown): string {
  return (error as { code?: string }).code ?? '';
}

/** Trouble that passes, by its own name; anything else as it is. */
function raise(error: unknown): never {
  const message = error instanceof Error ? error.message : '';
  if (passing.test(codeOf(error)) || passingMessage.test(message))
    throw new Unavailable(`the database cannot answer now: ${message}`, error);
  throw error;
}
