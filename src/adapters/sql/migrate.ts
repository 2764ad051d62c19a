import type { Database } from './database.ts';
import { migrations } from './migrations/index.ts';
import type { Migration } from './migrations/migration.ts';

/** Brings the schema up to date, each step in a transaction: a kill half-way leaves the step undone, and the next start does it. */
export async function migrate(database: Database, steps: readonly Migration[] = migrations): Promise<number> {
  await database.script(
    ['CREATE TABLE IF NOT EXISTS schema_version (number BIGINT PRIMARY KEY, name TEXT NOT NULL)'],
    'SELECT 1',
  );
  const newest = await current(database);
  const known = steps.at(-1)?.number ?? 0;
  if (newest > known) {
    throw new Error(
      `the database has schema version ${newest}, but this version of sheaf supports up to ${known}; start the newer version, or restore a backup`,
    );
  }
  for (const step of steps.filter(({ number }) => number > newest)) {
    try {
      await database.script(
        step.statements(database.dialect),
        `INSERT INTO schema_version (number, name) VALUES (${step.number}, '${step.name.replaceAll("'", "''")}')`,
      );
    } catch (error) {
      // Another node may have done this very step at the same time.
      if ((await current(database)) < step.number) throw error;
    }
  }
  return known;
}

async function current(database: Database): Promise<number> {
  const row = await database.get<{ number: number | null }>('SELECT MAX(number) AS number FROM schema_version');
  return row?.number ?? 0;
}
