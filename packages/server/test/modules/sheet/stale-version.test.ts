import { expect, onTestFinished, test } from 'vitest';
import { Failure, fail } from '../../../src/kernel/errors.ts';
import { StaleVersion, retryWhenStale } from '../../../src/modules/sheet/calls/stale-version.ts';
import { startServer } from '@sheaf/tools/testing/test-server.ts';
import { stamp } from '@sheaf/tools/testing/stamp-fixture.ts';

test('[finding A5] a call planned on a version that is no longer the latest is refused by a type, across the thread', async () => {
  const server = await startServer();
  onTestFinished(() => server.close());
  const { data } = await server.call('http', 'manage', 'create_file', { title: 'Stale' });
  const owner = (await server.app.services.accounts.listUsers()).find((user) => user.role === 'owner')!;
  const by = { caller: { userId: owner.id }, stamp: stamp({ userId: owner.id }), reply: {} };
  // What undo_revision would have read while the document was still at version 0.
  const input = { file_id: data.file_id, version: 1, loaded: { from: 0, tool: 'write', inverse: '[]', later: [] } };
  const refused = await server.app.services.documents
    .call(by, 'undo_revision', 'editor', input)
    .catch((error: unknown) => error);
  // The server is the built one: its class has the same name, and is another.
  expect((refused as Error).constructor.name).toBe(StaleVersion.name);
  expect(refused).toMatchObject({
    word: 'conflict',
    version: 1,
    message: 'the document was changed meanwhile, to version 1; try again',
  });
});

test('[finding A5] only a stale version is tried again, whatever other conflicts say', async () => {
  let tries = 0;
  const once = retryWhenStale(async (): Promise<string> => {
    tries++;
    if (tries < 3) throw new StaleVersion(tries);
    return 'done';
  });
  expect([await once(), tries]).toEqual(['done', 3]);
  tries = 0;
  const always = retryWhenStale(async (): Promise<never> => {
    tries++;
    throw fail('conflict', 'the document was changed meanwhile, to version 7; try again');
  });
  const refused = await always().catch((error: unknown) => error);
  expect([refused instanceof Failure, tries]).toEqual([true, 1]);
});
