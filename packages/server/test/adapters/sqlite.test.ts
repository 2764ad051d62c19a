import { copyFile, open as openFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, test, onTestFinished } from 'vitest';
import { openSqlite, type SqliteDatabase, type SqliteOptions } from '../../src/adapters/sql/sqlite/database.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';

async function open(options: SqliteOptions): Promise<SqliteDatabase> {
  const database = await openSqlite(join(await temporaryFolder(), 'sheaf.db'), options);
  onTestFinished(() => database.close());
  await database.script(['CREATE TABLE item (id BIGINT PRIMARY KEY)'], 'SELECT 1');
  return database;
}

const add = (database: SqliteDatabase, id: number) =>
  database.write(null, (tx) => tx.run('INSERT INTO item VALUES (?)', id));

/** A disk whose syncs end when the test says so. */
class Disk {
  started = 0;
  #ends: { resolve: () => void; reject: (error: Error) => void }[] = [];
  held = false;

  sync = (): Promise<void> => {
    this.started++;
    if (!this.held) return Promise.resolve();
    return new Promise((resolve, reject) => this.#ends.push({ resolve, reject }));
  };

  async next(): Promise<{ resolve: () => void; reject: (error: Error) => void }> {
    while (this.#ends.length === 0) await new Promise<void>((resolve) => setImmediate(resolve));
    return this.#ends.shift()!;
  }
}

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
};

test('group commit on sqlite: a thousand concurrent writes share few syncs', async () => {
  const disk = new Disk();
  const database = await open({ sync: disk.sync });
  disk.started = 0;
  await Promise.all(Array.from({ length: 1000 }, (_, id) => add(database, id)));
  expect(disk.started).toBeGreaterThanOrEqual(1);
  expect(disk.started).toBeLessThanOrEqual(8);
  expect(await database.get('SELECT COUNT(*) AS n FROM item')).toEqual({ n: 1000 });
});

test('group commit on sqlite: nothing is acknowledged before the sync that covers it has ended', async () => {
  const disk = new Disk();
  const database = await open({ sync: disk.sync });
  disk.held = true;
  const acknowledged: number[] = [];
  const first = add(database, 1).then(() => acknowledged.push(1));
  const firstSync = await disk.next();
  // Committed while the first sync runs: that sync may have missed it, so it must wait for the next one.
  const second = add(database, 2).then(() => acknowledged.push(2));
  await turns(20);
  expect(acknowledged).toEqual([]);
  firstSync.resolve();
  await first;
  await turns(20);
  expect(acknowledged).toEqual([1]);
  (await disk.next()).resolve();
  await second;
  expect(acknowledged).toEqual([1, 2]);
  disk.held = false;
});

test('[T67] group commit on sqlite: a failing sync rejects its writes, those waiting behind it and all later ones, and is reported once', async () => {
  const disk = new Disk();
  const reported: unknown[] = [];
  const database = await open({ sync: disk.sync, onSyncFailure: (error) => reported.push(error) });
  disk.held = true;
  const first = Promise.allSettled([add(database, 1), add(database, 2)]);
  const sync = await disk.next();
  const behind = Promise.allSettled([add(database, 3)]);
  await turns(20);
  disk.held = false;
  sync.reject(new Error('EIO: i/o error, fdatasync'));
  const outcomes = [...(await first), ...(await behind), ...(await Promise.allSettled([add(database, 4)]))];
  expect(outcomes.map((outcome) => (outcome.status === 'rejected' ? String(outcome.reason) : outcome.status))).toEqual([
    'Unavailable: the disk failed to sync',
    'Unavailable: the disk failed to sync',
    'Unavailable: the disk failed to sync',
    'Unavailable: the disk failed to sync',
  ]);
  expect(reported.map(String)).toEqual(['Error: EIO: i/o error, fdatasync']);
  await expect(database.ping()).rejects.toThrow('the disk failed to sync');
});

test('sqlite: a reader in the same process never waits for a writer', async () => {
  const database = await open({});
  const read = await database.write(null, async (tx) => {
    await tx.run('INSERT INTO item VALUES (1)');
    return database.get<{ n: number }>('SELECT COUNT(*) AS n FROM item');
  });
  expect(read).toEqual({ n: 0 });
});

test('sqlite: the log is moved into the database while it runs, and both stay whole', async () => {
  const path = join(await temporaryFolder(), 'sheaf.db');
  const database = await openSqlite(path);
  onTestFinished(() => database.close());
  await database.script(['CREATE TABLE item (id BIGINT PRIMARY KEY)'], 'SELECT 1');
  const before = (await stat(path)).size;
  let written = 0;
  for (let round = 0; round < 100 && (await stat(path)).size < before + 50_000; round++) {
    await Promise.all(Array.from({ length: 600 }, () => add(database, written++)));
    await sleep(100);
  }
  expect((await stat(path)).size).toBeGreaterThan(before + 50_000);
  expect(await database.get('SELECT COUNT(*) AS n FROM item')).toEqual({ n: written });
  expect(await database.get('PRAGMA integrity_check')).toEqual({ integrity_check: 'ok' });
});

test('[T79] sqlite: a log that got long starts anew although writes never stop', async () => {
  const path = join(await temporaryFolder(), 'sheaf.db');
  const database = await openSqlite(path, {});
  onTestFinished(() => database.close());
  await database.script(['CREATE TABLE item (id INTEGER PRIMARY KEY, text TEXT)'], 'SELECT 1');
  /** How often the log was started: a number in its head. */
  const starts = async (): Promise<number> => {
    const log = await openFile(`${path}-wal`);
    try {
      return (await log.read(Buffer.alloc(4), 0, 4, 12)).buffer.readUInt32BE();
    } finally {
      await log.close();
    }
  };
  const first = await starts();
  let written = 0;
  let isEnough = false;
  const write = async (): Promise<void> => {
    while (!isEnough) {
      await database.write(null, (tx) => tx.run('INSERT INTO item (text) VALUES (?)', 'x'.repeat(8000)));
      written++;
    }
  };
  const writers = Array.from({ length: 64 }, write);
  const until = performance.now() + 60_000;
  while ((await starts()) < first + 2 && performance.now() < until) await sleep(100);
  isEnough = true;
  await Promise.all(writers);
  expect(await starts()).toBeGreaterThanOrEqual(first + 2);
  expect(await database.get('SELECT COUNT(*) AS n FROM item')).toEqual({ n: written });
  expect(await database.get('PRAGMA integrity_check')).toEqual({ integrity_check: 'ok' });
}, 90_000);

test('sqlite: a view that was given back holds nothing up, whether it ended well or not', async () => {
  const path = join(await temporaryFolder(), 'sheaf.db');
  const database = await openSqlite(path);
  onTestFinished(() => database.close());
  await database.script(['CREATE TABLE item (id BIGINT PRIMARY KEY)'], 'SELECT 1');
  await add(database, 1);
  const count = () => database.snapshot((view) => view.get<{ n: number }>('SELECT COUNT(*) AS n FROM item'));
  expect(await count()).toEqual({ n: 1 });
  await expect(database.snapshot(async (view) => view.get('SELECT nothing FROM item'))).rejects.toThrow('nothing');
  await add(database, 2);
  const other = new DatabaseSync(path, { timeout: 0 });
  onTestFinished(() => other.close());
  expect(other.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()).toEqual({ busy: 0, log: 0, checkpointed: 0 });
  expect(await count()).toEqual({ n: 2 });
});

test('sqlite: a closed database is one whole file, and another process does not keep it from closing', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'sheaf.db');
  const database = await openSqlite(path);
  await database.script(['CREATE TABLE item (id BIGINT PRIMARY KEY)'], 'SELECT 1');
  for (let id = 0; id < 20; id++) await add(database, id);
  await database.close();
  expect((await stat(`${path}-wal`).catch(() => ({ size: 0 }))).size).toBe(0);
  await copyFile(path, join(folder, 'copy.db'));
  const copy = await openSqlite(join(folder, 'copy.db'));
  expect(await copy.get('SELECT COUNT(*) AS n FROM item')).toEqual({ n: 20 });
  const other = new DatabaseSync(join(folder, 'copy.db'));
  other.exec('BEGIN');
  expect(other.prepare('SELECT COUNT(*) AS n FROM item').get()).toEqual({ n: 20 });
  await add(copy, 20);
  await copy.close();
  other.exec('COMMIT');
  expect(other.prepare('SELECT COUNT(*) AS n FROM item').get()).toEqual({ n: 21 });
  other.close();
});
