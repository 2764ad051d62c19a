/**
 * Runs one suite on every database and every blob store.
 *
 *   eachDatabase('job queue', (name, open) => {
 *     test('...', async () => {
 *       const database = await open();          // new, empty, migrated; closed after the test (or suite, in beforeAll)
 *     });
 *   });
 *
 * gives `job queue on sqlite` and `job queue on postgres`. `open.unmigrated()` skips the migrations; `open.place()`
 * gives a database that can be connected to more than once: `await (await open.place()).connect()`.
 * `eachBlobStore('...', (name, open) => ...)` does the same with files and S3; `open()` gives an empty BlobStore.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe } from 'vitest';
import { join } from 'node:path';
import { FilesystemBlobStore } from '@sheaf/server/adapters/blob/filesystem-store.ts';
import { S3BlobStore } from '@sheaf/server/adapters/blob/s3-store.ts';
import type { Database } from '@sheaf/server/adapters/sql/database.ts';
import { migrate } from '@sheaf/server/adapters/sql/migrate.ts';
import { openPostgres } from '@sheaf/server/adapters/sql/postgres/database.ts';
import { openSqlite } from '@sheaf/server/adapters/sql/sqlite/database.ts';
import { newId } from '@sheaf/server/lib/ids.ts';
import type { BlobStore } from '@sheaf/server/ports/blob-store.ts';
import { freshPostgres } from './postgres.ts';
import { startS3, type TestS3 } from './s3.ts';
import { temporaryFolder } from './temporary-folder.ts';

export type DatabaseName = 'sqlite' | 'postgres';
export type BlobStoreName = 'files' | 's3';

export interface DatabaseLocation {
  /** File path for SQLite, URL for PostgreSQL. */
  readonly location: string;
  connect(): Promise<Database>;
}

export interface OpenDatabase {
  (): Promise<Database>;
  unmigrated(): Promise<Database>;
  place(): Promise<DatabaseLocation>;
}

export function eachDatabase(title: string, suite: (name: DatabaseName, open: OpenDatabase) => void): void {
  for (const name of ['sqlite', 'postgres'] as const) {
    describe(`${title} on ${name}`, () => suite(name, opener(name)));
  }
}

/**
 * Creates an empty database for a test that does not use `eachDatabase`. The test must close the connections that it
 * opens.
 */
export async function newDatabaseLocation(name: DatabaseName): Promise<DatabaseLocation> {
  if (name === 'postgres') {
    const url = await freshPostgres();
    return { location: url, connect: () => openPostgres(url, { connections: 8 }) };
  }
  const path = join(await temporaryFolder(), 'sheaf.db');
  return { location: path, connect: () => openSqlite(path) };
}

function opener(name: DatabaseName): OpenDatabase {
  const closing = closeAfterwards<Database>();
  const place = async (): Promise<DatabaseLocation> => {
    const fresh = await newDatabaseLocation(name);
    return { location: fresh.location, connect: async () => closing(await fresh.connect()) };
  };
  const unmigrated = async (): Promise<Database> => (await place()).connect();
  const open = async (): Promise<Database> => {
    const database = await unmigrated();
    await migrate(database);
    return database;
  };
  return Object.assign(open, { unmigrated, place });
}

/**
 * Returns a function that registers a resource to be closed at the end of the current test, or at the end of the suite
 * if it was opened in beforeAll.
 */
function closeAfterwards<Thing extends { close(): Promise<void> }>(): (thing: Thing) => Thing {
  const ofSuite: Thing[] = [];
  const ofTest: Thing[] = [];
  let inTest = false;
  const closeAll = async (things: Thing[]): Promise<void> => {
    for (const thing of things.splice(0)) await thing.close();
  };
  beforeEach(() => {
    inTest = true;
  });
  afterEach(async () => {
    inTest = false;
    await closeAll(ofTest);
  });
  afterAll(() => closeAll(ofSuite));
  return (thing) => {
    (inTest ? ofTest : ofSuite).push(thing);
    return thing;
  };
}

export function eachBlobStore(
  title: string,
  suite: (name: BlobStoreName, open: () => Promise<BlobStore>) => void,
): void {
  describe(`${title} on files`, () => suite('files', async () => new FilesystemBlobStore(await temporaryFolder())));
  describe(`${title} on s3`, () => {
    let s3: TestS3;
    beforeAll(async () => {
      s3 = await startS3();
    });
    afterAll(() => s3.stop());
    // All stores of the suite share one bucket. A new key prefix gives every caller an empty store.
    suite('s3', async () => new S3BlobStore({ ...s3, prefix: `${newId('test')}/` }));
  });
}
