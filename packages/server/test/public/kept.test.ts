import { join } from 'node:path';
import { expect, test } from 'vitest';
import { backup } from '../../src/adapters/backup/backup.ts';
import { restore } from '../../src/adapters/backup/restore.ts';
import { FilesystemBlobStore } from '../../src/adapters/blob/filesystem-store.ts';
import { newDatabaseLocation, type DatabaseName } from '@sheaf/tools/testing/databases.ts';
import { freshPostgres } from '@sheaf/tools/testing/postgres.ts';
import { startServer, type TestServer } from '@sheaf/tools/testing/test-server.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';
import { ended, read } from './read.ts';

test.each([
  ['sqlite', 'postgres'],
  ['postgres', 'sqlite'],
] as [DatabaseName, DatabaseName][])('a backup of %s restored to %s has public links', async (from, to) => {
  const server = await startServer({ database: from });
  const place = await (await newDatabaseLocation(to)).connect();
  try {
    const { data } = await server.call('http', 'manage', 'create_file', { title: 'Kept' });
    await server.call('http', 'manage', 'create_public_link', {
      file_id: data.file_id,
      expire_time: 2_000_000_000_000,
    });
    const { database } = server.app;
    const target = join(await temporaryFolder(), 'backup');
    await server.app.finishJobs();
    await backup({ database, blobs: server.app.services.blobs, target });
    await restore({ database: place, blobs: new FilesystemBlobStore(await temporaryFolder()), source: target });
    const rows = await database.all('SELECT * FROM public_link');
    expect(rows).toHaveLength(1);
    expect(await place.all('SELECT * FROM public_link')).toEqual(rows);
  } finally {
    await place.close();
    await server.close();
  }
});

test('three nodes: a link made on one shows on the others, and ended on one is over on all', async () => {
  const databaseUrl = await freshPostgres();
  const nodes: TestServer[] = [];
  try {
    for (let i = 0; i < 3; i++) nodes.push(await startServer({ database: 'postgres', databaseUrl }));
    const [one, two, three] = nodes as [TestServer, TestServer, TestServer];
    const { data } = await one.call('http', 'manage', 'create_file', { title: 'Nodes' });
    const made = await two.call('http', 'manage', 'create_public_link', { file_id: data.file_id }, one.owner);
    const secret = new URL(made.data.url as string).hash.slice(1);
    for (const node of nodes) expect((await read(node, secret, 'open')).data.title).toBe('Nodes');
    const { link_id } = made.data.link as { link_id: string };
    await three.call('http', 'manage', 'end_public_link', { file_id: data.file_id, link_id }, one.owner);
    for (const node of nodes) expect(await read(node, secret, 'open')).toMatchObject(ended);
  } finally {
    for (const node of nodes) await node.close();
  }
});
