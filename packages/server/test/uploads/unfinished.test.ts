import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { SqlBlobAccounting } from '../../src/adapters/sql/blob-accounting.ts';
import { migrate } from '../../src/adapters/sql/migrate.ts';
import { openSqlite } from '../../src/adapters/sql/sqlite/database.ts';
import type { UnfinishedUpload } from '../../src/ports/blob-store.ts';
import { abortUnfinishedUploads } from '../../src/modules/wiki/jobs/abort-unfinished-uploads.ts';
import { eachBlobStore } from '@sheaf/tools/testing/databases.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';

const hour = 3_600_000;

eachBlobStore('[T17] uploads in parts that nobody finishes', (_name, open) => {
  test('are listed with their key and start, until they are completed, aborted, or too old', async () => {
    const blobs = await open();
    const database = await openSqlite(join(await temporaryFolder(), 'kept.db'));
    onTestFinished(() => database.close());
    await migrate(database);
    const kept = new SqlBlobAccounting(database);
    const listed = async (): Promise<UnfinishedUpload[]> => {
      const found: UnfinishedUpload[] = [];
      for await (const upload of blobs.listUploads()) found.push(upload);
      return found.sort((a, b) => (a.key < b.key ? -1 : 1));
    };
    expect(await listed()).toEqual([]);
    const before = Date.now();
    const [first, second, third] = [
      await blobs.startUpload('media/a'),
      await blobs.startUpload('media/b'),
      await blobs.startUpload('media/c'),
    ];
    await blobs.putPart('media/c', third, 1, Buffer.from('part'), 4);
    expect((await listed()).map(({ key, uploadId }) => [key, uploadId])).toEqual([
      ['media/a', first],
      ['media/b', second],
      ['media/c', third],
    ]);
    for (const { startedAt } of await listed()) expect(startedAt >= before && startedAt <= Date.now()).toBe(true);
    const { etag } = await blobs.putPart('media/a', first, 1, Buffer.from('x'), 1);
    await blobs.completeUpload('media/a', first, [{ part: 1, etag }]);
    await blobs.abortUpload('media/b', second);
    expect((await listed()).map(({ key }) => key)).toEqual(['media/c']);
    expect(await abortUnfinishedUploads({ blobs, blobAccounting: kept, clock: { now: () => Date.now() + hour } })).toBe(
      0,
    );
    expect(
      await abortUnfinishedUploads({ blobs, blobAccounting: kept, clock: { now: () => Date.now() + 3 * hour } }),
    ).toBe(1);
    expect(await listed()).toEqual([]);
    expect(await blobs.listParts('media/c', third)).toBeUndefined();
  });
});
