import { expect, onTestFinished, test } from 'vitest';
import { ownerKey, startNode } from '@sheaf/tools/testing/node-process.ts';
import { startDedicatedPostgres } from '@sheaf/tools/testing/dedicated-postgres.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';
import { awaySeconds, drill } from './drill.ts';

test(
  `[finding Q1] PostgreSQL is away for ${awaySeconds} s: the node lives, says so, recovers, and nothing acknowledged is lost`,
  { timeout: 400_000 + awaySeconds * 4000 },
  async () => {
    const postgres = await startDedicatedPostgres();
    onTestFinished(() => postgres.end());
    const folder = await temporaryFolder();
    const node = await startNode({ folder, env: { SHEAF_DATABASE_URL: postgres.url } });
    onTestFinished(async () => void (await node.stop()));
    await drill({
      name: 'database away',
      node,
      key: await ownerKey(folder),
      goAway: () => postgres.goAway(),
      comeBack: () => postgres.comeBack(),
      says: 'the database is not responding',
    });
    expect(await node.stop()).toBe(0);
  },
);
