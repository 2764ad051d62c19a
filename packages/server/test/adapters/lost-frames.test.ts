import { copyFile, mkdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, test } from 'vitest';
import { findLostFrames, type LostFrames } from '../../src/adapters/sql/sqlite/lost-frames.ts';
import { openSqlite } from '../../src/adapters/sql/sqlite/database.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';

const frameSize = 24 + 4096;
const frameAt = (number: number): number => 32 + (number - 1) * frameSize;

/** A copy of a database's files as a killed process leaves them, with 60 rows, each written by its own transaction. */
async function crashCopy(): Promise<string> {
  const folder = await temporaryFolder();
  const path = join(folder, 'sheaf.db');
  const database = await openSqlite(path);
  await database.script(['CREATE TABLE item (id BIGINT PRIMARY KEY, body TEXT NOT NULL)'], 'SELECT 1');
  for (let id = 0; id < 60; id++)
    await database.write(null, (tx) => tx.run('INSERT INTO item VALUES (?, ?)', id, 'pear '.repeat(100)));
  const copy = join(folder, 'copy');
  await mkdir(copy);
  for (const end of ['', '-wal']) await copyFile(path + end, join(copy, `sheaf.db${end}`));
  await database.close();
  return join(copy, 'sheaf.db');
}

async function changeByte(path: string, at: number): Promise<void> {
  const log = await readFile(path);
  log[at]! ^= 1;
  await writeFile(path, log);
}

async function openCopy(path: string): Promise<{ told: LostFrames[]; rows: number }> {
  const told: LostFrames[] = [];
  const database = await openSqlite(path, { onLostFrames: async (lost) => void told.push(lost) });
  const row = await database.get<{ n: number }>('SELECT COUNT(*) AS n FROM item');
  await database.close();
  return { told, rows: row!.n };
}

test('[finding R20] one changed byte in a frame in the middle of the log: the frames that are not recovered are told', async () => {
  const path = await crashCopy();
  const frames = ((await stat(`${path}-wal`)).size - 32) / frameSize;
  expect(frames).toBeGreaterThan(60);
  const middle = Math.floor(frames / 2);
  await changeByte(`${path}-wal`, frameAt(middle) + 24 + 2000);
  const { told, rows } = await openCopy(path);
  expect(rows).toBeLessThan(60);
  expect(rows).toBeGreaterThan(5);
  expect(told).toEqual([{ frames: expect.any(Number), bytes: told[0]!.frames * 4096, firstDamaged: middle }]);
  // The transaction that the damaged frame is of is lost as a whole, so frames before it may be as well.
  expect(told[0]!.frames).toBeGreaterThanOrEqual(frames - middle + 1);
  expect(told[0]!.frames).toBeLessThan(frames - middle + 5);
  expect((await openCopy(path)).told).toEqual([]);
});

test('[finding R20] a changed checksum or salt in the middle of the log is told as well', async () => {
  for (const place of [8, 16]) {
    const path = await crashCopy();
    await changeByte(`${path}-wal`, frameAt(40) + place);
    expect((await openCopy(path)).told).toMatchObject([{ firstDamaged: 40 }]);
  }
});

test('[finding R20] nothing is told of a log that is whole, missing, cut short, or has the rest of a rollback', async () => {
  const whole = await crashCopy();
  expect(await openCopy(whole)).toEqual({ told: [], rows: 60 });
  expect(await findLostFrames(join(await temporaryFolder(), 'missing-wal'))).toBeUndefined();
  const cut = await crashCopy();
  await truncate(`${cut}-wal`, frameAt(50) + 1000);
  expect((await openCopy(cut)).told).toEqual([]);

  const path = join(await temporaryFolder(), 'sheaf.db');
  const db = new DatabaseSync(path);
  db.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = 5');
  db.exec('CREATE TABLE item (id INTEGER PRIMARY KEY, body TEXT NOT NULL)');
  const many = (from: number): void => {
    for (let id = from; id < from + 200; id++)
      db.prepare('INSERT INTO item VALUES (?, ?)').run(id, 'pear '.repeat(500));
  };
  db.exec('BEGIN');
  many(0);
  db.exec('ROLLBACK');
  const spilled = (await stat(`${path}-wal`)).size;
  db.exec("INSERT INTO item VALUES (1, 'kept')");
  expect((await stat(`${path}-wal`)).size).toBe(spilled);
  expect(spilled).toBeGreaterThan(frameAt(50));
  expect(await findLostFrames(`${path}-wal`)).toBeUndefined();
  // A log that began anew has frames of its earlier round behind the newest ones.
  many(1000);
  db.exec('PRAGMA wal_checkpoint(RESTART)');
  db.exec("INSERT INTO item VALUES (2, 'kept')");
  expect((await stat(`${path}-wal`)).size).toBeGreaterThan(frameAt(100));
  expect(await findLostFrames(`${path}-wal`)).toBeUndefined();
  db.close();
});
