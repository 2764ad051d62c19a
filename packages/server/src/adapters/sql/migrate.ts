import type { Database } from './database.ts';
import { migrations } from './migrations/index.ts';
import type { Migration } from './migrations/migration.ts';

/**
 * Selects the number of the newest migration that a server must know to use this database. It can be lower than that of
 * the newest migration that has run, because older servers can ignore some migrations.
 */
export const requiredSchemaSql = `SELECT MAX(COALESCE(s.works_with, v.number)) AS needed
  FROM schema_version v LEFT JOIN schema_support s ON s.number = v.number`;

/**
 * Runs the missing migrations, each in its own transaction. Returns the number of the newest migration that this server
 * knows, or throws if the database needs a newer server. An interrupted migration is rolled back and repeated at the
 * next start.
 */
export async function migrate(database: Database, steps: readonly Migration[] = migrations): Promise<number> {
  await database.script(
    [
      'CREATE TABLE IF NOT EXISTS schema_version (number BIGINT PRIMARY KEY, name TEXT NOT NULL)',
      'CREATE TABLE IF NOT EXISTS schema_support (number BIGINT PRIMARY KEY, works_with BIGINT NOT NULL)',
    ],
    'SELECT 1',
  );
  const done = await readRecorded(database);
  const known = steps.at(-1)?.number ?? 0;
  const needed = (await database.get<{ needed: number }>(requiredSchemaSql))?.needed ?? 0;
  if (needed > known) {
    throw new Error(
      `the database has schema version ${Math.max(...done)}, but this version of sheaf supports up to ${known}; start the newer version, or restore a backup`,
    );
  }
  for (const step of steps) {
    if (done.has(step.number)) continue;
    try {
      await database.script(
        [...step.statements(database.dialect), ...supportOf(step)],
        `INSERT INTO schema_version (number, name) VALUES (${step.number}, '${step.name.replaceAll("'", "''")}')`,
      );
    } catch (error) {
      // Ignore the error if another node has run the same migration in the meantime.
      if (!(await readRecorded(database)).has(step.number)) throw error;
    }
  }
  return known;
}

function supportOf({ number, worksWith }: Migration): string[] {
  return worksWith === undefined
    ? []
    : [`INSERT INTO schema_support (number, works_with) VALUES (${number}, ${worksWith})`];
}

async function readRecorded(database: Database): Promise<ReadonlySet<number>> {
  const rows = await database.all<{ number: number }>('SELECT number FROM schema_version');
  return new Set(rows.map(({ number }) => number));
}
