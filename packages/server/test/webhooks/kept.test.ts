import { join } from 'node:path';
import { expect, test } from 'vitest';
import { backup } from '../../src/adapters/backup/backup.ts';
import { restore } from '../../src/adapters/backup/restore.ts';
import { FilesystemBlobStore } from '../../src/adapters/blob/filesystem-store.ts';
import { freshPostgres } from '@sheaf/tools/testing/postgres.ts';
import { newDatabaseLocation, type DatabaseName } from '@sheaf/tools/testing/databases.ts';
import { startServer, type TestServer } from '@sheaf/tools/testing/test-server.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';
import { startReceiver } from './receiver.ts';

const config = { SHEAF_FETCH_ALLOW: ['127.0.0.1'] };

test.each([
  ['sqlite', 'postgres'],
  ['postgres', 'sqlite'],
] as [DatabaseName, DatabaseName][])('a backup of %s restored to %s has webhooks and deliveries', async (from, to) => {
  const server = await startServer({ database: from, config });
  const place = await (await newDatabaseLocation(to)).connect();
  const receiver = await startReceiver();
  try {
    const { data } = await server.call('http', 'manage', 'create_file', { title: 'Kept' });
    const url = receiver.url;
    const made = await server.call('http', 'account', 'create_webhook', { url, file_id: data.file_id });
    await server.call('http', 'sheet', 'write', { file_id: data.file_id, range: 'A1', rows: [[1]] });
    await receiver.until((one) => one.body.events.length === 1);
    const { database } = server.app;
    const target = join(await temporaryFolder(), 'backup');
    await server.app.finishJobs();
    await backup({ database, blobs: server.app.services.blobs, target });
    await restore({ database: place, blobs: new FilesystemBlobStore(await temporaryFolder()), source: target });
    for (const table of ['webhook', 'webhook_delivery', 'webhook_progress']) {
      const rows = await database.all(`SELECT * FROM ${table} ORDER BY 1`);
      expect(rows.length).toBeGreaterThan(0);
      expect([table, await place.all(`SELECT * FROM ${table} ORDER BY 1`)]).toEqual([table, rows]);
      // The secret is under the installation's own, which only a passphrase puts into a backup.
      expect(JSON.stringify(rows)).not.toContain(made.data.secret.slice(6));
    }
  } finally {
    await receiver.close();
    await place.close();
    await server.close();
  }
});

test('three nodes: whichever writes, each change is told once', { timeout: 120_000 }, async () => {
  const databaseUrl = await freshPostgres();
  const nodes: TestServer[] = [];
  const receiver = await startReceiver();
  try {
    for (let i = 0; i < 3; i++) nodes.push(await startServer({ database: 'postgres', databaseUrl, config }));
    const { owner } = nodes[0]!;
    const call = async (node: number, module: string, operation: string, input: object): Promise<any> =>
      (await nodes[node % 3]!.call('http', module, operation, input, owner)).data;
    const { knowledge_base_id } = await call(0, 'wiki', 'create_knowledge_base', { name: 'Nodes' });
    await call(1, 'account', 'create_webhook', { url: receiver.url, knowledge_base_id });
    const folders = await Promise.all(
      // No more than one delivery lists.
      Array.from({ length: 18 }, async (_, n) => {
        const made = await call(n, 'wiki', 'create_folder', { knowledge_base_id, name: `folder ${n}` });
        return made.folder_id as string;
      }),
    );
    const told = (): string[] =>
      receiver.received.flatMap(({ body }) => body.events.map((event: { target: string }) => event.target));
    await receiver.until(() => new Set(told()).size === folders.length);
    expect(told().toSorted()).toEqual(folders.toSorted());
  } finally {
    await receiver.close();
    for (const node of nodes) await node.close();
  }
});
