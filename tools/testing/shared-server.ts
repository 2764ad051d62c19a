/**
 * Two built sheaf servers for a whole test run, one with SQLite and one with PostgreSQL. Tests that use them are fast,
 * because they neither start a server nor load its code. Other tests use the same servers, so a test must create its
 * own data, and its own user if it lists or counts data.
 */
import { join } from 'node:path';
import { callable, type Callable } from './call-client.ts';
import { freshPostgres } from './postgres.ts';
import { runFolder } from './run-folder.ts';
import { startSharedProcess, stopSharedProcess } from './shared-process.ts';

const sharedDatabases = ['sqlite', 'postgres'] as const;
type DatabaseName = (typeof sharedDatabases)[number];

interface Running {
  url: string;
  user_id: string;
  client_id: string;
  api_key: string;
}

const nameOf = (database: DatabaseName): string => `shared-${database}`;

export async function sharedServer(database: DatabaseName): Promise<Callable> {
  const { url, user_id, client_id, api_key } = await startSharedProcess<Running>(
    nameOf(database),
    './shared-server.mjs',
    async () => ({
      NODE_ENV: 'test',
      SHEAF_DATA: join(runFolder(), nameOf(database), 'data'),
      SHEAF_PORT: '0',
      SHEAF_RATE_LIMIT: '0',
      SHEAF_LOG_LEVEL: 'error',
      ...(database === 'postgres' ? { SHEAF_DATABASE_URL: await freshPostgres() } : {}),
    }),
  );
  return callable(url, { userId: user_id, clientId: client_id, apiKey: api_key });
}

export async function stopSharedServers(): Promise<void> {
  for (const database of sharedDatabases) await stopSharedProcess(nameOf(database));
}
