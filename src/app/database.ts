import { join, resolve } from 'node:path';
import { InProcessEventBus } from '../adapters/events/in-process.ts';
import type { Database } from '../adapters/sql/database.ts';
import { openSqlite, type SqliteOptions } from '../adapters/sql/sqlite/database.ts';
import type { Config } from '../config.ts';
import { later } from '../lib/background.ts';
import type { Log } from '../lib/log.ts';
import type { EventBus } from '../ports/event-bus.ts';
import type { SearchIndex } from '../ports/search-index.ts';
import { workerScript } from '../worker-script.ts';

/** What differs by database. */
export interface DatabaseParts {
  readonly database: Database;
  readonly events: EventBus;
  readonly openSearch: () => Promise<SearchIndex>;
}

export function openDatabase(config: Config, log: Log, sqlite: SqliteOptions): Promise<DatabaseParts> {
  return config.SHEAF_DATABASE_URL ? onPostgres(config.SHEAF_DATABASE_URL, log) : onSqlite(config, log, sqlite);
}

async function onPostgres(url: string, log: Log): Promise<DatabaseParts> {
  // Loaded only when used: an embedded start should not pay for it.
  const { openPostgres } = await import('../adapters/sql/postgres.ts');
  const { PostgresEventBus } = await import('../adapters/events/postgres.ts');
  const database = await openPostgres(url, {
    onError: (error) => log.warn({ err: error }, 'database connection lost'),
  });
  const events = new PostgresEventBus(url, database.pool, log);
  await events.connect();
  const { PostgresSearchIndex } = await import('../adapters/search/postgres.ts');
  return {
    database,
    events,
    openSearch: () => PostgresSearchIndex.open({ database, worker: workerScript('search') }),
  };
}

async function onSqlite(config: Config, log: Log, sqlite: SqliteOptions): Promise<DatabaseParts> {
  const folder = resolve(config.SHEAF_DATA);
  const onSyncFailure = (error: unknown): void => {
    log.error({ err: error }, 'the disk failed to sync; exiting, because what is in memory may not be on disk');
    process.exitCode = 1;
    later('ending after a failed sync', 100, () => process.exit(1));
  };
  const database = await openSqlite(join(folder, 'sheaf.db'), { onSyncFailure, ...sqlite });
  const { SqliteSearchIndex } = await import('../adapters/search/sqlite.ts');
  const openSearch = () =>
    SqliteSearchIndex.open({
      path: join(folder, 'search.db'),
      worker: workerScript('search'),
      onReplaced: (reason) => log.warn({ reason }, 'the search index was replaced and is being rebuilt'),
    });
  return { database, events: new InProcessEventBus(log), openSearch };
}
