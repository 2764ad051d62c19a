import type pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { KeyTaken } from '../../ports/call-store.ts';
import type { Stamp } from '../../ports/stamp.ts';
import { Duplicate, type Database, type Dialect, type Param, type Sql, type WriteOptions } from './database.ts';
import { Incarnation } from './incarnation.ts';
import { AccessLease, grow, keptMs, stillUnaware, tellNodes } from './postgres/access-lease.ts';
import {
  beginGroup,
  beginScript,
  beginSnapshot,
  beginWrite,
  holder,
  noLimitMs,
  openConnections,
  type Connections,
  type Level,
} from './postgres/connections.ts';
import { Departures } from './postgres/departures.ts';
import { isAnswer, isDuplicate, isKeyTaken, isRetryable, raise, translated } from './postgres/errors.ts';
import { LockQueue } from './postgres/lock-queue.ts';
import { GroupBroken, runTogether, type Outcome, type Write } from './postgres/together.ts';
import { RefusedWrites } from './refused-writes.ts';
import { Pipeline, PipelinedSql } from './postgres/transaction.ts';
import {
  auditOf,
  auditStatements,
  claimStatements,
  ended,
  listOf,
  RecordedStamps,
  Strict,
  userOf,
  type Claim,
} from './stamping.ts';

const postgresDialect: Dialect = {
  name: 'postgres',
  text: 'TEXT COLLATE "C"',
  blob: 'BYTEA',
  autoId: 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
  skipLocked: 'FOR UPDATE SKIP LOCKED',
  forUpdate: 'FOR UPDATE',
};

const maxAttempts = 30;
/** Maximum number of writes in one transaction. */
const maxTogether = 64;
/** How often the rest of a failed group is retried as a group. */
const maxRegroupings = 3;
const takeLock = 'SELECT pg_advisory_xact_lock(hashtextextended(?, 0))';
const takeLocks =
  'SELECT pg_advisory_xact_lock(hashtextextended(name, 0)) FROM json_array_elements_text(?::json) AS t(name)';

export async function openPostgres(
  url: string,
  options: { connections?: number; onError?: (error: Error) => void; incarnation?: Incarnation } = {},
): Promise<PostgresDatabase> {
  const incarnation = options.incarnation ?? new Incarnation();
  const connections = await openConnections(url, options.connections ?? 16, incarnation);
  // The pool replaces idle connections that break (server restart); without a listener, the error would end the
  // process.
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
  /** Valid while the event bus renews it. */
  readonly lease: AccessLease;
  readonly #prepared = new Map<string, { name?: string; text: string }>();
  readonly #queue = new LockQueue<Write>((writes) => this.#together(writes), maxTogether);
  /** Write batchers by group name (`together`); the names are few and fixed. */
  readonly #departures = new Map<string, Departures<Write>>();
  #closing: Promise<void> | undefined;
  readonly #underWay = new Set<Promise<unknown>>();
  #recorded = new RecordedStamps();
  readonly #refused = new RefusedWrites();
  #repeats = 0;
  #regroupings = 0;

  constructor({ pool, isPooled }: Connections, incarnation: Incarnation) {
    this.pool = pool;
    this.isPooled = isPooled;
    this.incarnation = incarnation;
    this.lease = new AccessLease(incarnation);
    incarnation.onChange(() => {
      this.lease.forget();
      this.#recorded = new RecordedStamps();
    });
  }

  /** Number of repeated transactions since the start. */
  get repeats(): number {
    return this.#repeats;
  }

  /** Number of times a group of writes had to be split since the start. */
  get regroupings(): number {
    return this.#regroupings;
  }

  async all<Row>(sql: string, ...params: Param[]): Promise<Row[]> {
    return (await this.#tracked(() => this.#query(this.pool, sql, params).catch(raise))).rows as Row[];
  }

  async get<Row>(sql: string, ...params: Param[]): Promise<Row | undefined> {
    return (await this.#tracked(() => this.#query(this.pool, sql, params).catch(raise))).rows[0] as Row | undefined;
  }

  /**
   * Tracks running work, because closing the pool drops requests that wait for a connection; `close` waits for them
   * first.
   */
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
    const stamps = listOf(stamp);
    return this.#tracked(() => this.#refused.watch(this.#write(stamps, body, options), stamps.length > 0));
  }

  refusal(): string | undefined {
    return this.#refused.reason;
  }

  isRecorded(stamp: Stamp): boolean {
    return this.#recorded.has(stamp);
  }

  #write<Result>(
    stamps: readonly Stamp[],
    body: (tx: Sql) => Promise<Result>,
    options: WriteOptions<Result>,
  ): Promise<Result> {
    const locks = locksOf(options);
    const { together, changesAccess } = options;
    if (together === undefined && locks.length === 0) return this.#attempts(stamps, body, options);
    return new Promise<Result>((resolve, reject) => {
      const alone = (): Promise<void> => this.#attempts(stamps, body, options).then(resolve, reject);
      const write = { stamps, body, options, locks, alone, resolve, reject } as unknown as Write;
      if (changesAccess) this.#queue.addAlone(locks, write);
      else if (together === undefined) this.#queue.add(locks, write);
      else this.#departuresOf(together).add(write);
    });
  }

  #departuresOf(name: string): Departures<Write> {
    let departures = this.#departures.get(name);
    if (!departures) {
      departures = new Departures((writes) => this.#together(writes), maxTogether);
      this.#departures.set(name, departures);
    }
    return departures;
  }

  async #attempts<Result>(
    stamps: readonly Stamp[],
    body: (tx: Sql) => Promise<Result>,
    options: WriteOptions<Result>,
  ): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        const { result, claims, access } = await this.#transaction(stamps, body, options);
        this.#recorded.add(stamps, claims);
        if (access !== undefined) await this.#everyNodeKnows(access);
        return result;
      } catch (error) {
        if (!isRetryable(error) || attempt >= maxAttempts) return raise(error);
        this.#repeats += 1;
        await sleep(Math.random() * Math.min(200, 2 ** attempt));
      }
    }
  }

  /**
   * Serializable, unless the write states what it depends on. PostgreSQL's predicate locks cover whole pages, and small
   * tables entirely, so unrelated writes would conflict and repeat (docs/decisions/serializable.md).
   */
  #transaction<Result>(
    stamps: readonly Stamp[],
    body: (tx: Sql) => Promise<Result>,
    options: WriteOptions<Result>,
  ): Promise<{ result: Result; claims: readonly Claim[]; access?: number | undefined }> {
    const locks = locksOf(options);
    return this.#inTransaction(beginWrite(levelOf(options), this.isPooled), async (sql) => {
      for (const lock of locks) await sql.execute(takeLock, lock);
      const { result, claims } = await ended(this.#recorded.unclaimed(stamps), new Strict(sql, userOf(stamps)), body);
      const audit = auditOf(this.#recorded.missing(stamps), result, options.target);
      for (const [text, params] of auditStatements(audit)) await sql.execute(text, ...params);
      const grown = options.changesAccess ? await sql.get<{ version: number }>(grow) : undefined;
      if (grown) await sql.execute(tellNodes);
      for (const [text, params] of claimStatements(claims)) await sql.execute(text, ...params);
      return { result, claims, access: grown?.version };
    });
  }

  /**
   * Runs several writes in one transaction. If a write breaks it, that write runs alone and the others as a group
   * again; if the culprit is unknown or it keeps failing, each runs alone.
   */
  async #together(writes: readonly Write[], tries = maxRegroupings): Promise<void> {
    if (writes.length === 1) return writes[0]!.alone();
    const state = { isEnding: false };
    const locks = [...new Set(writes.flatMap((write) => write.locks))].sort();
    let outcomes: Outcome[];
    try {
      outcomes = await this.#inTransaction(
        beginGroup(this.isPooled),
        async (sql, pipeline) => {
          if (locks.length > 0) await sql.execute(takeLocks, JSON.stringify(locks));
          return runTogether(pipeline, writes, this.#recorded);
        },
        state,
      );
    } catch (error) {
      if (state.isEnding && !isAnswer(error)) {
        // The connection was lost during COMMIT: the outcome is unknown, so the writes are not repeated.
        for (const write of writes) write.reject(translated(error));
        return;
      }
      this.#regroupings += 1;
      return this.#apart(writes, error instanceof GroupBroken ? error.culprits : new Set(), tries);
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

  async #apart(writes: readonly Write[], culprits: ReadonlySet<Write>, tries: number): Promise<void> {
    const others = writes.filter((write) => !culprits.has(write));
    if (culprits.size === 0 || others.length === 0 || tries === 0) {
      for (const write of writes) await write.alone();
      return;
    }
    await this.#together(others, tries - 1);
    for (const write of culprits) await write.alone();
  }

  /** Runs a transaction with pipelined statements: those that need not be awaited are sent together with the last one. */
  #inTransaction<Result>(
    begin: string,
    body: (sql: PipelinedSql, pipeline: Pipeline) => Promise<Result>,
    state: { isEnding: boolean } = { isEnding: false },
    limitMs?: number,
  ): Promise<Result> {
    return this.#connected(async (client) => {
      const hold = holder(client);
      const pipeline = new Pipeline((text, params) => {
        hold();
        return this.#query(client, text, params, limitMs);
      });
      const sql = new PipelinedSql(pipeline);
      hold();
      pipeline.defer(client.query(begin));
      let result: Result;
      try {
        result = await body(sql, pipeline);
        await sql.tallied();
      } catch (error) {
        // If an earlier statement that was not awaited failed, its error is the cause.
        await pipeline.drained();
        throw error instanceof GroupBroken ? error : (pipeline.failure ?? error);
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

  /** Lends a connection from the pool; one that cannot be reset is discarded. */
  async #connected<Result>(body: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
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
    // A replaced database may reach the same version again, so add the incarnation.
    return version === undefined ? undefined : version + this.incarnation.number * 2 ** 32;
  }

  /** Waits until no node uses an authentication cache older than that version: every node has seen it or lost its lease. */
  async #everyNodeKnows(version: number): Promise<void> {
    this.lease.hear(version);
    // After this time, leases of nodes that could not be queried have expired, and renewed leases include the version.
    const end = performance.now() + keptMs;
    for (let pause = 1; performance.now() < end; pause = Math.min(20, pause * 2)) {
      const row = await this.get<{ n: number }>(stillUnaware, version, this.lease.node).catch(() => undefined);
      if (row?.n === 0) return;
      await sleep(pause);
    }
  }

  snapshot<Result>(body: (view: Pick<Sql, 'all' | 'get'>) => Promise<Result>): Promise<Result> {
    return this.#tracked(() =>
      this.#inTransaction(
        beginSnapshot,
        async (view) => {
          // The snapshot is taken by the first statement, not by BEGIN.
          await view.all('SELECT 1');
          return body(view);
        },
        undefined,
        noLimitMs,
      ).catch(raise),
    );
  }

  async script(statements: readonly string[], record: string): Promise<void> {
    const body = async (sql: PipelinedSql): Promise<void> => {
      await sql.execute(takeLock, 'migrate');
      for (const statement of statements) await sql.run(statement);
      await sql.run(record);
    };
    await this.#tracked(() => this.#inTransaction(beginScript, body, undefined, noLimitMs).catch(raise));
  }

  async ping(): Promise<void> {
    await this.pool.query('SELECT 1').catch(raise);
  }

  close(): Promise<void> {
    this.#closing ??= Promise.allSettled(this.#underWay).then(() => this.pool.end());
    return this.#closing;
  }

  async #query(
    on: pg.Pool | pg.PoolClient,
    sql: string,
    params: readonly Param[],
    limitMs?: number,
  ): Promise<pg.QueryResult> {
    let prepared = this.#prepared.get(sql);
    if (!prepared) {
      let index = 0;
      const text = sql.replace(/\?/g, () => `$${++index}`);
      // Through a pooler the next connection may be another one, which does not know the prepared statement.
      prepared = this.isPooled ? { text } : { name: `s${this.#prepared.size}`, text };
      this.#prepared.set(sql, prepared);
    }
    const limit = limitMs === undefined ? {} : { query_timeout: limitMs };
    try {
      return await on.query({ ...prepared, ...limit, values: params as Param[] });
    } catch (error) {
      if (isKeyTaken(error)) throw new KeyTaken(error);
      if (isDuplicate(error)) throw new Duplicate(error);
      throw error;
    }
  }
}

function levelOf(options: WriteOptions<never>): Level {
  if (options.lock !== undefined) return 'READ COMMITTED';
  return options.blind === true ? 'REPEATABLE READ' : 'SERIALIZABLE';
}

/** Lock names, sorted: the same order on all nodes prevents deadlocks. */
function locksOf({ lock }: WriteOptions<never>): readonly string[] {
  if (lock === undefined) return [];
  return typeof lock === 'string' ? [lock] : [...new Set(lock)].sort();
}
