import { expect, onTestFinished, test } from 'vitest';
import { startNode } from '@sheaf/tools/testing/node-process.ts';
import { freshPostgres } from '@sheaf/tools/testing/postgres.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';

const rounds = Number(process.env['SHEAF_DRILL_STARTS'] ?? 5);
const nodes = 3;

test(
  `[finding Q9] ${nodes} nodes start at once on an empty database, ${rounds} times: all of them serve, and there is one owner`,
  { timeout: 120_000 + rounds * 60_000 },
  async () => {
    for (let round = 0; round < rounds; round++) {
      const url = await freshPostgres();
      const folders = await Promise.all(Array.from({ length: nodes }, () => temporaryFolder()));
      const started = await Promise.allSettled(
        folders.map((folder) => startNode({ folder, env: { SHEAF_DATABASE_URL: url } })),
      );
      const serving = started.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
      onTestFinished(async () => void (await Promise.all(serving.map((node) => node.stop()))));
      expect(started.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []))).toEqual([]);
      const ready = await Promise.all(serving.map(async (node) => (await fetch(`${node.url}/readyz`)).status));
      expect(ready).toEqual(Array.from({ length: nodes }, () => 200));
      await Promise.all(serving.map((node) => node.stop()));
    }
  },
);
