/**
 * Opens the search index that belongs to a kind of test database: one inside PostgreSQL, or a separate SQLite file. The
 * caller must close it.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PostgresSearchIndex } from '@sheaf/server/adapters/search/postgres-index.ts';
import { SqliteSearchIndex } from '@sheaf/server/adapters/search/sqlite-index.ts';
import type { Database } from '@sheaf/server/adapters/sql/database.ts';
import { PostgresDatabase } from '@sheaf/server/adapters/sql/postgres/database.ts';
import type { SearchIndex } from '@sheaf/server/ports/search-index.ts';
import { temporaryFolder } from './temporary-folder.ts';

export const searchWorker = fileURLToPath(new URL('../../dist/workers/search.js', import.meta.url));

export async function openSearchIndex(database: Database): Promise<SearchIndex> {
  if (database instanceof PostgresDatabase) return PostgresSearchIndex.open({ database, worker: searchWorker });
  return SqliteSearchIndex.open({ path: join(await temporaryFolder(), 'search.db'), worker: searchWorker });
}
