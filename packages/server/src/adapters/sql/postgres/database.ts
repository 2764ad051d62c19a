import type pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { IdempotencyKeyConflict } from '../../../ports/idempotency-store.ts';
import type { Stamp } from '../../../ports/audit-stamp.ts';
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
import { Incarnation } from '../incarnation.ts';
import { toStatement, type Statement } from '../statement.ts';
import { AccessLease, bumpVersion, storedLeaseMs, countStaleNodes, notifyNodes } from './access-lease.ts';
import {
  beginGroup,
  beginScript,
  beginSnapshot,
  beginWrite,
  corkWrites,
  noLimitMs,
  openConnectionPool,
  type ConnectionPool,
  type IsolationLevel,
} from './connection-pool.ts';
import { WriteBatcher } from './write-batcher.ts';
import {
  isServerError,
  isDuplicate,
  isIdempotencyKeyConflict,
  isRetryable,
  throwTranslated,
  translateError,
} from './errors.ts';
import { LockQueue, locksOf } from './lock-queue.ts';
import { GroupFailed, runGroup, type WriteOutcome, type GroupedWrite } from './group-transaction.ts';
import { WriteHealth } from '../write-health.ts';
import { Pipeline, PipelinedSql } from './pipeline.ts';
import {
  auditRecords,
  auditStatements,
  claimStatements,
  runWriteBody,
  toStamps,
  RecordedStamps,
  StrictSql,
  stampUser,
  type IdempotencyClaim,
} from '../audit-recording.ts';

const postgresDialect: Dialect = {
  name: 'postgres',
  text: 'TEXT COLLATE "C"',
  blob: 'BYTEA',
  autoId: 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
  skipLocked: 'FOR UPDATE SKIP LOCKED',
  forUpdate: 'FOR UPDATE',
};

const maxAttempts = 30;
const maxGroupSize = 64;
/**
 * Maximum number of times that a failed group of writes (one transaction) is repeated without the writes that made it
 * fail. After that, each write runs alone.
 */
const maxGroupRetries = 3;
const takeLock = 'SELECT pg_advisory_xact_lock(hashtextextended(?, 0))';
const takeLocks =
  'SELECT pg_advisory_xact_lock(hashtextextended(name, 0)) FROM json_array_elements_text(?::json) AS t(name)';

export async function openPostgres(
  url: string,
  options: { connections?: number; onError?: (error: Error) => void; incarnation?: Incarnation } = {},
): Promise<PostgresDatabase> {
  const incarnation = options.incarnation ?? new Incarnation();
  const connections = await openConnectionPool(url, options.connections ?? 16, incarnation);
  // Handle errors of idle connections, for example after a server restart. Without a listener they would end the
  // process. The pool replaces the connection.
  connections.pool.on('error', (error) => options.onError?.(error));
  const database = new PostgresDatabase(connections, incarnation);
  try {
    await database.ping();
  } catch (error) {
    await connections.pool.end();
    throw error;
  }
  return database;
}

export class PostgresDatabase implements Database {
  readonly dialect = postgresDialect;
  readonly pool: pg.Pool;
  readonly isPooled: boolean;
  readonly incarnation: Incarnation;
  /**
   * This node's lease, the permission to use its cache of authentication results. The event bus
   * (adapters/events/postgres-bus.ts) renews it.
   */
  readonly lease: AccessLease;
  readonly #prepared = new Map<string, { name?: string; text: string }>();
  readonly #queue = new LockQueue<GroupedWrite>((writes) => this.#runGroup(writes), maxGroupSize);
  /** Write batchers by the value of the write option `batch`. There are few values, so none is removed. */
  readonly #batchers = new Map<string, WriteBatcher<GroupedWrite>>();
  #closing: Promise<void> | undefined;
  readonly #running = new Set<Promise<unknown>>();
  #recorded = new RecordedStamps();
  readonly #writeHealth = new WriteHealth();
  #repeats = 0;
  #batchSplits = 0;

  constructor({ pool, isPooled }: ConnectionPool, incarnation: Incarnation) {
    this.pool = pool;
    this.isPooled = isPooled;
    this.incarnation = incarnation;
    this.lease = new AccessLease(incarnation);
    incarnation.onChange(() => {
      this.lease.reset();
      this.#recorded = new RecordedStamps();
    });
  }

  /** Number of transactions since the start that were repeated after a conflict. */
  get repeats(): number {
    return this.#repeats;
  }

  /** Number of times since the start that a group of writes was split because it failed. */
  get batchSplits(): number {
    return this.#batchSplits;
  }

  async all<Row>(statement: Statement | string, ...params: Param[]): Promise<Row[]> {
    const found = this.#tracked(() => this.#query(this.pool, toStatement(statement, params)).catch(throwTranslated));
    return (await found).rows as Row[];
  }

  async get<Row>(statement: Statement | string, ...params: Param[]): Promise<Row | undefined> {
    return (await this.all<Row>(statement, ...params))[0];
  }

  /**
   * Runs work and registers it until it ends. `close` first waits for all registered work, because closing the pool
   * drops requests that wait for a connection.
   */
  #tracked<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#closing) return Promise.reject(new Error('the database is closed'));
    const promise = work();
    this.#running.add(promise);
    const forget = (): void => {
      this.#running.delete(promise);
    };
    promise.then(forget, forget);
    return promise;
  }

  write<Result>(stamp: Stamps, ...[first, second]: WriteArguments<Result>): Promise<Result> {
    const stamps = toStamps(stamp);
    const [options, body] = second ? [first as WriteOptions<Result>, second] : [{}, first as TransactionBody<Result>];
    return this.#tracked(() => this.#writeHealth.track(this.#write(stamps, body, options), stamps.length > 0));
  }

  /**
   * Reports no damage of the database file (undefined). This check is only needed for SQLite, because a PostgreSQL
   * server checks its own files.
   */
  damage(): undefined {}

  writeRefusal(): string | undefined {
    return this.#writeHealth.reason;
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

  #write<Result>(
    stamps: readonly Stamp[],
    body: TransactionBody<Result>,
    options: WriteOptions<Result>,
  ): Promise<Result> {
    const locks = locksOf(options);
    const { batch, changesAccess } = options;
    if (batch === undefined && locks.length === 0) return this.#writeWithRetries(stamps, body, options);
    return new Promise<Result>((resolve, reject) => {
      const alone = (): Promise<void> => this.#writeWithRetries(stamps, body, options).then(resolve, reject);
      const write = { stamps, body, options, locks, alone, resolve, reject } as unknown as GroupedWrite;
      if (changesAccess) this.#queue.addAlone(locks, write);
      else if (batch === undefined) this.#queue.add(locks, write);
      else this.#batcherOf(batch).add(write);
    });
  }

  #batcherOf(name: string): WriteBatcher<GroupedWrite> {
    let batcher = this.#batchers.get(name);
    if (!batcher) {
      batcher = new WriteBatcher((writes) => this.#runGroup(writes), maxGroupSize);
      this.#batchers.set(name, batcher);
    }
    return batcher;
  }

  async #writeWithRetries<Result>(
    stamps: readonly Stamp[],
    body: TransactionBody<Result>,
    options: WriteOptions<Result>,
  ): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        const { result, claims, access } = await this.#transaction(stamps, body, options);
        this.#recorded.add(stamps, claims);
        if (access !== undefined) await this.#waitForNodes(access);
        return result;
      } catch (error) {
        if (!isRetryable(error) || attempt >= maxAttempts) return throwTranslated(error);
        this.#repeats += 1;
        await sleep(Math.random() * Math.min(200, 2 ** attempt));
      }
    }
  }

  /**
   * Runs a write in its own transaction. The transaction is serializable unless the options name a lock or a lower
   * isolation level. Stores name a lock or a level where they can, because even unrelated serializable writes conflict:
   * PostgreSQL's predicate locks cover whole pages, and small tables entirely
   * (docs/decisions/transaction-isolation.md).
   */
  #transaction<Result>(
    stamps: readonly Stamp[],
    body: TransactionBody<Result>,
    options: WriteOptions<Result>,
  ): Promise<{ result: Result; claims: readonly IdempotencyClaim[]; access?: number | undefined }> {
    const locks = locksOf(options);
    return this.#inTransaction(beginWrite(levelOf(options), this.isPooled), async (sql) => {
      for (const lock of locks) await sql.execute(takeLock, lock);
      const { result, claims } = await runWriteBody(
        this.#recorded.unclaimed(stamps),
        new StrictSql(sql, stampUser(stamps)),
        body,
      );
      const audit = auditRecords(this.#recorded.missing(stamps), result, options.target);
      for (const statement of auditStatements(audit)) await sql.execute(statement);
      const grown = options.changesAccess ? await sql.get<{ version: number }>(bumpVersion) : undefined;
      if (grown) await sql.execute(notifyNodes);
      for (const statement of claimStatements(claims)) await sql.execute(statement);
      return { result, claims, access: grown?.version };
    });
  }

  /**
   * Runs several writes in one transaction. If one of them makes it fail, that write runs alone and the others run
   * again as a group. If the failing write is unknown or the group keeps failing, each write runs alone.
   */
  async #runGroup(writes: readonly GroupedWrite[], tries = maxGroupRetries): Promise<void> {
    if (writes.length === 1) return writes[0]!.alone();
    const state = { isEnding: false };
    const locks = [...new Set(writes.flatMap((write) => write.locks))].sort();
    let outcomes: WriteOutcome[];
    try {
      outcomes = await this.#inTransaction(
        beginGroup(this.isPooled),
        async (sql, pipeline) => {
          if (locks.length > 0) await sql.execute(takeLocks, JSON.stringify(locks));
          return runGroup(pipeline, writes, this.#recorded);
        },
        state,
      );
    } catch (error) {
      if (state.isEnding && !isServerError(error)) {
        // Reject the writes and do not repeat them. The connection was lost during COMMIT, so it is unknown whether
        // they are committed.
        for (const write of writes) write.reject(translateError(error));
        return;
      }
      this.#batchSplits += 1;
      return this.#runApart(writes, error instanceof GroupFailed ? error.culprits : new Set(), tries);
    }
    for (const [index, write] of writes.entries()) {
      const outcome = outcomes[index]!;
      if ('error' in outcome) {
        write.reject(outcome.error);
        continue;
      }
      this.#recorded.add(write.stamps, outcome.claims);
      write.resolve(outcome.result);
    }
  }

  async #runApart(writes: readonly GroupedWrite[], culprits: ReadonlySet<GroupedWrite>, tries: number): Promise<void> {
    const others = writes.filter((write) => !culprits.has(write));
    if (culprits.size === 0 || others.length === 0 || tries === 0) {
      for (const write of writes) await write.alone();
      return;
    }
    await this.#runGroup(others, tries - 1);
    for (const write of culprits) await write.alone();
  }

  /**
   * Runs a transaction with pipelined statements. A statement whose result is not awaited is sent together with later
   * ones.
   */
  #inTransaction<Result>(
    begin: string,
    body: (sql: PipelinedSql, pipeline: Pipeline) => Promise<Result>,
    state: { isEnding: boolean } = { isEnding: false },
    limitMs?: number,
  ): Promise<Result> {
    return this.#connected(async (client) => {
      const hold = corkWrites(client);
      const pipeline = new Pipeline((statement) => {
        hold();
        return this.#query(client, statement, limitMs);
      });
      const sql = new PipelinedSql(pipeline);
      hold();
      pipeline.defer(client.query(begin));
      let result: Result;
      try {
        result = await body(sql, pipeline);
        await sql.incrementsApplied();
      } catch (error) {
        // Wait for earlier statements that were not awaited, because one of them may have failed first.
        await pipeline.drained();
        throw error instanceof GroupFailed ? error : (pipeline.failure ?? error);
      }
      state.isEnding = true;
      hold();
      const committed = client.query('COMMIT');
      pipeline.defer(committed);
      await pipeline.settle();
      if ((await committed).command !== 'COMMIT') throw new Error('the database rolled a transaction back');
      return result;
    });
  }

  /**
   * Runs `body` with a connection from the pool. If `body` throws, rolls back. If the connection failed or could not be
   * rolled back, it is discarded instead of returned to the pool.
   */
  async #connected<Result>(body: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    // Handle connection errors. Without a listener, a connection that the server drops between two statements would end
    // the process.
    const onError = (error: Error): void => {
      broken = error;
    };
    client.on('error', onError);
    try {
      return await body(client);
    } catch (error) {
      await client.query('ROLLBACK').catch(onError);
      throw error;
    } finally {
      client.off('error', onError);
      client.release(broken);
    }
  }

  othersVersion(): undefined {
    return undefined;
  }

  accessVersion(): number | undefined {
    const version = this.lease.version();
    // Include the incarnation number, which changes when the database is replaced, because a restored database may
    // reach the same version number again.
    return version === undefined ? undefined : version + this.incarnation.number * 2 ** 32;
  }

  /** Waits until every node has seen `version` or lost its lease. No node then uses an older authentication cache. */
  async #waitForNodes(version: number): Promise<void> {
    this.lease.observeVersion(version);
    // Wait at most for the duration of a lease. By then, every lease granted before the version was raised has expired,
    // and every node that has renewed its lease since knows the version.
    const end = performance.now() + storedLeaseMs;
    for (let pause = 1; performance.now() < end; pause = Math.min(20, pause * 2)) {
      const row = await this.get<{ n: number }>(countStaleNodes, version, this.lease.node).catch(() => undefined);
      if (row?.n === 0) return;
      await sleep(pause);
    }
  }

  snapshot<Result>(body: (view: Pick<Sql, 'all' | 'get'>) => Promise<Result>): Promise<Result> {
    return this.#tracked(() =>
      this.#inTransaction(
        beginSnapshot,
        async (view) => {
          // Run a statement at once, so that the snapshot shows the data as of now. PostgreSQL takes it at the first
          // statement of a transaction, not at BEGIN.
          await view.all('SELECT 1');
          return body(view);
        },
        undefined,
        noLimitMs,
      ).catch(throwTranslated),
    );
  }

  async script(statements: readonly string[], record: string): Promise<void> {
    const body = async (sql: PipelinedSql): Promise<void> => {
      await sql.execute(takeLock, 'migrate');
      for (const statement of statements) await sql.run(statement);
      await sql.run(record);
    };
    await this.#tracked(() => this.#inTransaction(beginScript, body, undefined, noLimitMs).catch(throwTranslated));
  }

  async ping(): Promise<void> {
    await this.pool.query('SELECT 1').catch(throwTranslated);
  }

  close(): Promise<void> {
    this.#closing ??= Promise.allSettled(this.#running).then(() => this.pool.end());
    return this.#closing;
  }

  async #query(
    on: pg.Pool | pg.PoolClient,
    { text: sql, params }: Statement,
    limitMs?: number,
  ): Promise<pg.QueryResult> {
    let prepared = this.#prepared.get(sql);
    if (!prepared) {
      let index = 0;
      const text = sql.replace(/\?/g, () => `$${++index}`);
      // Do not name prepared statements behind a pooler. The next transaction may use a different server connection,
      // which does not know the statement.
      prepared = this.isPooled ? { text } : { name: `s${this.#prepared.size}`, text };
      this.#prepared.set(sql, prepared);
    }
    const limit = limitMs === undefined ? {} : { query_timeout: limitMs };
    try {
      return await on.query({ ...prepared, ...limit, values: params as Param[] });
    } catch (error) {
      if (isIdempotencyKeyConflict(error)) throw new IdempotencyKeyConflict(error);
      if (isDuplicate(error)) throw new UniqueViolation(error);
      throw error;
    }
  }
}

function levelOf(options: WriteOptions<never>): IsolationLevel {
  if (options.lock !== undefined) return 'READ COMMITTED';
  return options.isolation === 'repeatable read' ? 'REPEATABLE READ' : 'SERIALIZABLE';
}
