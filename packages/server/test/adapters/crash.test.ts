import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { migrate } from '../../src/adapters/sql/migrate.ts';
import { openSqlite } from '../../src/adapters/sql/sqlite/database.ts';
import { bundleProgram, waitForExit } from '@sheaf/tools/testing/bundled-process.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';

const rounds = Number(process.env['SHEAF_DRILL_ROUNDS'] ?? 5);

test(
  `kill -9 during writes on sqlite, ${rounds} rounds: every acknowledged write is there and the file is whole`,
  { timeout: 60_000 + rounds * 10_000 },
  async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'sheaf.db');
    const program = await bundleProgram('packages/server/test/adapters/crash/writer.ts');
    let total = 0;
    for (let round = 1; round <= rounds; round++) {
      const notes = join(folder, `acknowledged-${round}`);
      const noted = (): Promise<string> => readFile(notes, 'utf8').catch(() => '');
      const child = program.start([path, String(round), notes]);
      const killed = waitForExit(child);
      // Killed at a different point each round, from the first writes to past a checkpoint, but never before any write.
      for (let turn = 0; turn < 2000 && (await noted()) === ''; turn++) await sleep(5);
      await sleep((round * 397) % 1500);
      child.kill('SIGKILL');
      expect(await killed).toBe('SIGKILL');
      const acknowledged = (await noted()).split('\n').slice(0, -1);
      expect(acknowledged.length).toBeGreaterThan(0);
      total += acknowledged.length;

      const database = await openSqlite(path);
      try {
        expect(await database.get('PRAGMA integrity_check')).toEqual({ integrity_check: 'ok' });
        const stored = new Map(
          (
            await database.all<{ id: string; body: string }>('SELECT id, body FROM row WHERE id LIKE ?', `${round}-%`)
          ).map((row) => [row.id, row.body]),
        );
        expect(acknowledged.filter((id) => stored.get(id) !== `${id} `.repeat(40))).toEqual([]);
        expect(stored.size).toBeGreaterThanOrEqual(acknowledged.length);
        // Every other round starts from what the last one left, so that logs are also recovered twice.
        if (round % 2 === 0) await database.write(null, (tx) => tx.run('DELETE FROM row'));
      } finally {
        await database.close();
      }
    }
    console.log(`kill -9 drill: ${rounds} rounds, ${total} acknowledged writes, none lost`);
  },
);

test('[T73] kill -9 in the middle of a migration on sqlite: the step is undone, and the next start does it', async () => {
  const path = join(await temporaryFolder(), 'sheaf.db');
  const child = (await bundleProgram('packages/server/test/adapters/crash/migrator.ts')).start([path]);
  const killed = waitForExit(child);
  const logSize = (): Promise<number> =>
    stat(`${path}-wal`).then(
      (file) => file.size,
      () => 0,
    );
  for (let turn = 0; turn < 4000 && (await logSize()) < 2_000_000; turn++) await sleep(5);
  expect(await logSize()).toBeGreaterThan(2_000_000);
  child.kill('SIGKILL');
  expect(await killed).toBe('SIGKILL');

  const database = await openSqlite(path);
  try {
    expect(await database.all('SELECT number FROM schema_version')).toEqual([{ number: 1 }]);
    expect(await database.get("SELECT name FROM sqlite_schema WHERE name = 'two'")).toBeUndefined();
    expect(await database.get('PRAGMA integrity_check')).toEqual({ integrity_check: 'ok' });
    const steps = [
      { number: 1, name: 'first', statements: () => ['CREATE TABLE one (id BIGINT)'] },
      { number: 2, name: 'second', statements: () => ['CREATE TABLE two (id BIGINT)'] },
    ];
    expect(await migrate(database, steps)).toBe(2);
    expect(await database.all('SELECT id FROM two')).toEqual([]);
  } finally {
    await database.close();
  }
});
