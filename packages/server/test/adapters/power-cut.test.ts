import { fdatasync } from 'node:fs';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { openSqlite } from '../../src/adapters/sql/sqlite/database.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';

/** What a disk that lost power would hold: the log as it was at a sync, then whatever part of the later bytes. */
interface Image {
  readonly log: Buffer;
  /** Acknowledged when the next sync began, so by this one or an earlier one. */
  acknowledged: readonly number[];
}

test('[T65] a power cut on sqlite: whatever was acknowledged is in the log as last synced, however the bytes after it are torn', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'sheaf.db');
  const acknowledged: number[] = [];
  const images: Image[] = [];
  const syncFile = promisify(fdatasync);
  const database = await openSqlite(path, {
    sync: async (log) => {
      const last = images.at(-1);
      if (last) last.acknowledged = [...acknowledged];
      await syncFile(log);
      images.push({ log: await readFile(`${path}-wal`), acknowledged: [] });
    },
  });
  await database.script(['CREATE TABLE item (id BIGINT PRIMARY KEY, body TEXT NOT NULL)'], 'SELECT 1');
  const start = await readFile(path);
  for (let round = 0; round < 30; round++) {
    await Promise.all(
      Array.from({ length: 1 + ((round * 7) % 12) }, async (_, i) => {
        const id = round * 100 + i;
        await database.write(null, (tx) =>
          tx.run('INSERT INTO item VALUES (?, ?)', id, 'pear '.repeat(1 + ((id * 31) % 400))),
        );
        acknowledged.push(id);
      }),
    );
  }
  const whole = await readFile(`${path}-wal`);
  // The model holds only as long as the log was not yet moved into the database.
  expect((await readFile(path)).equals(start)).toBe(true);
  await copyFile(path, join(folder, 'start.db'));
  await database.close();

  let checked = 0;
  for (const [number, image] of images.entries()) {
    if (number % 3 !== 0 || image.acknowledged.length === 0) continue;
    const place = join(folder, `cut-${number}`);
    await mkdir(place);
    await copyFile(join(folder, 'start.db'), join(place, 'sheaf.db'));
    const later = whole.subarray(image.log.length, image.log.length + ((number * 977) % 9000));
    const torn = Buffer.from(later);
    // Sectors reach the disk in any order.
    for (let at = 0; at < torn.length; at += 512) if ((at / 512 + number) % 3 === 0) torn.fill(0, at, at + 512);
    await writeFile(join(place, 'sheaf.db-wal'), Buffer.concat([image.log, torn]));
    const found = await openSqlite(join(place, 'sheaf.db'));
    try {
      expect(await found.get('PRAGMA integrity_check')).toEqual({ integrity_check: 'ok' });
      const there = new Set((await found.all<{ id: number }>('SELECT id FROM item')).map((row) => Number(row.id)));
      expect(image.acknowledged.filter((id) => !there.has(id))).toEqual([]);
      checked++;
    } finally {
      await found.close();
    }
  }
  expect(checked).toBeGreaterThan(5);
});
