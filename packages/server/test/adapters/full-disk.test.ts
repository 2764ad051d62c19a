import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backup } from '../../src/adapters/backup/backup.ts';
import { FilesystemBlobStore } from '../../src/adapters/blob/filesystem-store.ts';
import { migrate } from '../../src/adapters/sql/migrate.ts';
import { openSqlite } from '../../src/adapters/sql/sqlite/database.ts';
import { Unavailable } from '../../src/ports/availability-errors.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';

const disk = mkdtempSync(join(tmpdir(), 'sheaf-small-disk-'));
const mounted =
  process.platform === 'linux' && spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=32m', 'tmpfs', disk]).status === 0;
if (!mounted) {
  rmdirSync(disk);
  console.log('full disk: not tested, because mounting a small disk is not permitted here (it needs root on Linux)');
}

describe.runIf(mounted)('[T66] full disk', () => {
  const ballast = join(disk, 'ballast');
  beforeAll(() => writeFile(ballast, Buffer.alloc(20 * 2 ** 20)));
  afterAll(() => {
    spawnSync('umount', [disk]);
    rmdirSync(disk);
  });

  test('sqlite: the write that does not fit is refused, nothing acknowledged is lost, and it goes on when there is space', async () => {
    const path = join(disk, 'database', 'sheaf.db');
    const failures: unknown[] = [];
    const database = await openSqlite(path, { onSyncFailure: (error) => failures.push(error) });
    await database.script(['CREATE TABLE item (id BIGINT PRIMARY KEY, body TEXT NOT NULL)'], 'SELECT 1');
    const add = (id: number) =>
      database.write(null, (tx) => tx.run('INSERT INTO item VALUES (?, ?)', id, 'x'.repeat(100_000)));
    const acknowledged: number[] = [];
    let refusal: unknown;
    for (let id = 0; id < 400 && refusal === undefined; id += 4) {
      const outcomes = await Promise.allSettled([0, 1, 2, 3].map((offset) => add(id + offset)));
      for (const [offset, outcome] of outcomes.entries()) {
        if (outcome.status === 'fulfilled') acknowledged.push(id + offset);
        else refusal = outcome.reason;
      }
    }
    expect(refusal).toBeInstanceOf(Unavailable);
    expect(String(refusal)).toContain('the disk is full');
    expect(acknowledged.length).toBeGreaterThan(10);
    const stored = (await database.all<{ id: number }>('SELECT id FROM item ORDER BY id')).map((row) => row.id);
    expect(stored).toEqual(acknowledged);

    await expect(openSqlite(join(disk, 'another', 'sheaf.db'))).rejects.toThrow(Unavailable);
    await rm(join(disk, 'another'), { recursive: true });
    await rm(ballast);
    expect(await add(1000)).toBe(1);
    await database.close();
    expect(failures).toEqual([]);
    const again = await openSqlite(path);
    expect(await again.get('PRAGMA integrity_check')).toEqual({ integrity_check: 'ok' });
    expect(await again.get('SELECT COUNT(*) AS n FROM item')).toEqual({ n: acknowledged.length + 1 });
    await again.close();
    await rm(join(disk, 'database'), { recursive: true });
  });

  test('files: an upload that does not fit is refused and leaves nothing; a smaller one fits', async () => {
    const root = join(disk, 'blobs');
    const store = new FilesystemBlobStore(root);
    await store.put('before', Buffer.from('kept'), 4);
    const size = 64 * 2 ** 20;
    const body = (): Readable => Readable.from(Array.from({ length: 1024 }, () => Buffer.alloc(2 ** 16, 1)));
    await expect(store.put('large', body(), size)).rejects.toThrow('the disk is full');
    const upload = await store.startUpload('large');
    await expect(store.putPart('large', upload, 1, body(), size)).rejects.toThrow(Unavailable);
    await store.abortUpload('large', upload);
    expect(await readdir(join(root, 'staging'))).toEqual([]);
    expect((await store.list('')).map((info) => info.key)).toEqual(['before']);
    expect(await text((await store.get('before'))!)).toBe('kept');
    expect((await store.put('small', Buffer.alloc(2 ** 20), 2 ** 20)).size).toBe(2 ** 20);
    await rm(root, { recursive: true });
  });

  test('backup: a copy that does not fit fails and leaves nothing', async () => {
    const database = await openSqlite(join(await temporaryFolder(), 'sheaf.db'));
    await migrate(database);
    const blobs = new FilesystemBlobStore(await temporaryFolder());
    for (const key of ['a', 'b', 'c', 'd', 'e']) await blobs.put(key, Buffer.alloc(8 * 2 ** 20), 8 * 2 ** 20);
    await expect(backup({ database, blobs, target: join(disk, 'backup') })).rejects.toThrow('ENOSPC');
    expect(await readdir(disk)).toEqual([]);
    await database.close();
  });
});
