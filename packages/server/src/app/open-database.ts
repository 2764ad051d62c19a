import { join, resolve } from 'node:path';
import { InProcessEventBus } from '../adapters/events/in-process-bus.ts';
import type { GaugeSource } from '../adapters/metrics/prometheus.ts';
import type { QueryTranslator } from '../adapters/search/dictionary.ts';
import type { Database } from '../adapters/sql/database.ts';
import { recordLostFrames, type LostFrames } from '../adapters/sql/sqlite/lost-frames.ts';
import { openSqlite, type SqliteOptions } from '../adapters/sql/sqlite/database.ts';
import { ConfigError, type Config } from '../config.ts';
import { runDelayed } from '../lib/background-tasks.ts';
import type { Logger } from '../lib/logger.ts';
import type { Clock } from '../ports/clock.ts';
import type { EventBus } from '../ports/event-bus.ts';
import type { SearchIndex } from '../ports/search-index.ts';
import { workerScriptPath } from '../worker-script.ts';

export interface DatabaseParts {
  readonly database: Database;
  readonly events: EventBus;
  /**
   * Opens the search index. `onRebuildNeeded` is called when the open index was found damaged and was replaced by an
   * empty one.
   */
  readonly openSearch: (onRebuildNeeded?: () => void) => Promise<SearchIndex>;
  /** Clock by which leases expire. All nodes that share the database get the same time from it. */
  readonly leaseClock?: Clock;
  readonly nodes?: () => number;
  /**
   * Returns the schema version that a server must support at least to use this database, as this node last read it from
   * the database.
   */
  readonly neededSchema?: () => number;
  readonly gauges?: readonly GaugeSource[];
  /**
   * Starts the background work that the database needs: with PostgreSQL, renewing the lease of this node; with SQLite,
   * checking the database file. Called once the schema exists.
   */
  readonly begin?: () => Promise<void>;
  /**
   * PostgreSQL only: database with a connection pool of its own for searches, so that they do not wait for other work.
   */
  readonly searchDatabase?: Database;
}

export function openDatabase(config: Config, log: Logger, sqlite: SqliteOptions): Promise<DatabaseParts> {
  return config.SHEAF_DATABASE_URL ? onPostgres(config, config.SHEAF_DATABASE_URL, log) : onSqlite(config, log, sqlite);
}

async function onPostgres(config: Config, url: string, log: Logger): Promise<DatabaseParts> {
  // Load the PostgreSQL code on demand, so that it does not slow down a start with SQLite.
  const { openPostgres } = await import('../adapters/sql/postgres/database.ts');
  const { PostgresEventBus } = await import('../adapters/events/postgres-bus.ts');
  const { PostgresSearchIndex } = await import('../adapters/search/postgres-index.ts');
  const onError = (error: Error): void => log.warn({ err: error }, 'database connection lost');
  const opened: { close(): Promise<void> }[] = [];
  try {
    const database = await openPostgres(url, { connections: config.SHEAF_DATABASE_CONNECTIONS, onError });
    opened.push(database);
    const { incarnation } = database;
    const direct = await directAddress(config, url, database.isPooled);
    const events = new PostgresEventBus(direct, database.pool, log, incarnation);
    await events.connect();
    opened.push(events);
    // Use separate connections for searches, so that slow or many searches do not block reads and writes.
    const searching = await openPostgres(url, { connections: config.SHEAF_SEARCH_CONNECTIONS, onError, incarnation });
    return {
      database,
      events,
      searchDatabase: searching,
      leaseClock: database.lease,
      nodes: () => database.lease.nodes,
      neededSchema: () => database.lease.schema,
      gauges: [
        {
          name: 'sheaf_database_waiting',
          help: 'Calls that wait for a connection.',
          read: () => database.pool.waitingCount,
        },
        { name: 'sheaf_database_connections', help: 'Open connections.', read: () => database.pool.totalCount },
        { name: 'sheaf_database_repeats', help: 'Transactions that were run again.', read: () => database.repeats },
        {
          name: 'sheaf_database_regroupings',
          help: 'Groups of writes that had to go apart.',
          read: () => database.batchSplits,
        },
        {
          name: 'sheaf_event_connection',
          help: 'Whether live events arrive: 1, or 0.',
          read: () => (events.isConnected ? 1 : 0),
        },
        {
          name: 'sheaf_access_lease',
          help: 'Whether callers can be answered by what is remembered: 1, or 0 when the database is asked each time.',
          read: () => (database.lease.isAvailable ? 1 : 0),
        },
      ],
      begin: () => events.startRenewing(database.lease),
      openSearch: async () =>
        PostgresSearchIndex.open({
          database: searching,
          worker: workerScriptPath('search'),
          translator: await openDictionary(config, log),
        }),
    };
  } catch (error) {
    for (const one of opened.reverse()) await one.close();
    throw error;
  }
}

/**
 * Returns the database URL to use for LISTEN, with which PostgreSQL sends notifications to this process. A connection
 * pooler lends connections to other clients, so LISTEN does not work through one. Throws ConfigError if there is no URL
 * without a pooler.
 */
async function directAddress(config: Config, url: string, isPooled: boolean): Promise<string> {
  const direct = config.SHEAF_DATABASE_DIRECT_URL;
  if (direct === undefined) {
    if (!isPooled) return url;
    throw new ConfigError(
      'SHEAF_DATABASE_DIRECT_URL: is required because SHEAF_DATABASE_URL goes through a connection pooler, which passes no ' +
        'live events on (LISTEN); set it to the address of PostgreSQL itself',
    );
  }
  const { isBehindPooler } = await import('../adapters/sql/postgres/connection-pool.ts');
  if (await isBehindPooler(direct))
    throw new ConfigError(
      'SHEAF_DATABASE_DIRECT_URL: must be the address of PostgreSQL itself, but a connection pooler answers there',
    );
  return direct;
}

async function onSqlite(config: Config, log: Logger, sqlite: SqliteOptions): Promise<DatabaseParts> {
  const folder = resolve(config.SHEAF_DATA);
  const onSyncFailure = (error: unknown): void => {
    log.error({ err: error }, 'the disk failed to sync; exiting, because what is in memory may not be on disk');
    process.exitCode = 1;
    runDelayed('ending after a failed sync', 100, () => process.exit(1));
  };
  const path = join(folder, 'sheaf.db');
  const onDamaged = (detail: string): void =>
    log.error(
      { path, detail },
      'the database file is damaged; writes are refused from now on: run sheaf doctor, and restore the newest backup',
    );
  const onLostFrames = async (lost: LostFrames): Promise<void> => {
    log.warn({ path: `${path}-wal`, ...lost }, 'the log of the database is damaged; what its last frames held is lost');
    await recordLostFrames(lostFramesPath(config), { ...lost, at: Date.now() });
  };
  const database = await openSqlite(path, { onSyncFailure, onDamaged, onLostFrames, ...sqlite });
  const { SqliteSearchIndex } = await import('../adapters/search/sqlite-index.ts');
  const openSearch = async (onRebuildNeeded?: () => void) =>
    SqliteSearchIndex.open({
      path: join(folder, 'search.db'),
      worker: workerScriptPath('search'),
      translator: await openDictionary(config, log),
      onReplaced: (reason) => log.warn({ reason }, 'the search index was replaced and is being rebuilt'),
      onRebuildNeeded,
    });
  return {
    database,
    events: new InProcessEventBus(log),
    openSearch,
    begin: async () => database.checkRegularly(),
  };
}

/**
 * Returns the path of the file that lists losses found when the database was opened: frames of SQLite's write-ahead log
 * that could not be recovered.
 */
export function lostFramesPath(config: Config): string {
  return join(resolve(config.SHEAF_DATA), 'lost-frames.jsonl');
}

async function openDictionary(config: Config, log: Logger): Promise<QueryTranslator | undefined> {
  if (config.SHEAF_DICTIONARY === undefined) return undefined;
  const { Dictionary } = await import('../adapters/search/dictionary.ts');
  return new Dictionary({
    path: resolve(config.SHEAF_DICTIONARY),
    worker: workerScriptPath('dictionary'),
    onError: (error) => log.warn({ err: error }, 'the dictionary (SHEAF_DICTIONARY) cannot be used'),
  });
}
