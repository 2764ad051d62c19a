import { open as openFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { DatabaseDamaged } from '../../src/ports/availability-errors.ts';
import { openSqlite, type SqliteDatabase, type SqliteOptions } from '../../src/adapters/sql/sqlite/database.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';

const refusal = 'the database file sheaf.db is damaged: run sheaf doctor, and restore the newest backup';

async function open(folder: string, options: SqliteOptions = {}): Promise<SqliteDatabase> {
  const database = await openSqlite(join(folder, 'sheaf.db'), options);
  onTestFinished(() => database.close());
  return database;
}

/** A closed database whose table `large` fills most of the file. */
async function makeFile(): Promise<string> {
  const folder = await temporaryFolder();
  const database = await openSqlite(join(folder, 'sheaf.db'));
  await database.script(
    ['CREATE TABLE small (id BIGINT PRIMARY KEY)', 'CREATE TABLE large (id BIGINT PRIMARY KEY, body TEXT NOT NULL)'],
    'SELECT 1',
  );
  await database.write(null, async (tx) => {
    for (let id = 0; id < 500; id++) await tx.run('INSERT INTO large VALUES (?, ?)', id, 'pear '.repeat(200));
  });
  await database.close();
  return folder;
}

/** Overwrites six pages in the middle of the file. */
async function overwritePages(folder: string): Promise<void> {
  const file = await openFile(join(folder, 'sheaf.db'), 'r+');
  await file.write(Buffer.alloc(6 * 4096, 0xee), 0, 6 * 4096, 40 * 4096);
  await file.close();
}

const addSmall = (database: SqliteDatabase, id: number) =>
  database.write(null, (tx) => tx.run('INSERT INTO small VALUES (?)', id));
const readLarge = (database: SqliteDatabase) => database.get('SELECT SUM(length(body)) AS n FROM large');
const listLarge = (database: SqliteDatabase) => database.all('SELECT body FROM large');

test('[finding R20] a statement that meets a damaged page marks the database: every later write is refused, sound tables are read', async () => {
  for (const read of [readLarge, listLarge]) {
    const folder = await makeFile();
    await overwritePages(folder);
    const told: string[] = [];
    const database = await open(folder, { onDamaged: (detail) => told.push(detail) });
    await addSmall(database, 1);
    expect(database.damage()).toBeUndefined();
    await expect(read(database)).rejects.toThrow(DatabaseDamaged);
    await expect(read(database)).rejects.toThrow(refusal);
    await expect(addSmall(database, 2)).rejects.toThrow(refusal);
    expect([database.damage(), database.writeRefusal()]).toEqual([refusal, refusal]);
    expect(await database.all('SELECT id FROM small')).toEqual([{ id: 1 }]);
    expect(told).toEqual(['database disk image is malformed']);
  }
});

test('[finding R20] a write that meets a damaged page takes no other write of its batch with it into the file', async () => {
  const folder = await makeFile();
  await overwritePages(folder);
  const database = await open(folder);
  const outcomes = await Promise.allSettled([
    database.write(null, (tx) => tx.run("UPDATE large SET body = 'x'")),
    addSmall(database, 1),
    addSmall(database, 2),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(await database.all('SELECT id FROM small')).toEqual([]);
});

test('[finding R20] the check in the background finds damage that no statement meets, at the start and later', async () => {
  for (const when of ['before the start', 'while it runs'] as const) {
    const folder = await makeFile();
    if (when === 'before the start') await overwritePages(folder);
    const told: string[] = [];
    const database = await open(folder, {
      onDamaged: (detail) => told.push(detail),
      fileChecks: { firstMs: 0, everyMs: 100 },
    });
    database.checkRegularly();
    if (when === 'while it runs') {
      await new Promise((resolve) => setTimeout(resolve, 1000));
      expect(told).toEqual([]);
      await addSmall(database, 1);
      await overwritePages(folder);
    }
    await expect.poll(() => database.damage(), { timeout: 20_000 }).toBe(refusal);
    expect(told).toEqual([expect.stringMatching(/^table large: /)]);
    await expect(addSmall(database, 2)).rejects.toThrow(refusal);
  }
});

test('[finding R20] the check in the background finds that the first page was overwritten', async () => {
  const folder = await makeFile();
  const database = await open(folder, { fileChecks: { firstMs: 0, everyMs: 100 } });
  const file = await openFile(join(folder, 'sheaf.db'), 'r+');
  await file.write(Buffer.alloc(4096, 7), 0, 4096, 0);
  await file.close();
  database.checkRegularly();
  await expect.poll(() => database.damage(), { timeout: 20_000 }).toBe(refusal);
});

test('[finding R20] a sound database is checked again and again and closes at once while it is', async () => {
  const told: string[] = [];
  const database = await open(await makeFile(), {
    onDamaged: (detail) => told.push(detail),
    fileChecks: { firstMs: 0, everyMs: 0 },
  });
  database.checkRegularly();
  for (let id = 0; id < 50; id++) await addSmall(database, id);
  await new Promise((resolve) => setTimeout(resolve, 500));
  const began = performance.now();
  await database.close();
  expect(performance.now() - began).toBeLessThan(2000);
  expect(told).toEqual([]);
});

test('[finding R20] a database can be closed at any moment of a check', { timeout: 60_000 }, async () => {
  const folder = await makeFile();
  for (let round = 0; round < 25; round++) {
    const database = await openSqlite(join(folder, 'sheaf.db'), { fileChecks: { firstMs: 0, everyMs: 0 } });
    database.checkRegularly();
    await new Promise((resolve) => setTimeout(resolve, round * 6));
    await database.close();
  }
});

test('[finding R20] a file that is no database is named when it is opened', async () => {
  const folder = await makeFile();
  const file = await openFile(join(folder, 'sheaf.db'), 'r+');
  await file.write(Buffer.alloc(4096, 7), 0, 4096, 0);
  await file.close();
  await expect(openSqlite(join(folder, 'sheaf.db'))).rejects.toThrow(refusal);
});
