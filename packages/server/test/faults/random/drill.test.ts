import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { callable, type Key } from '@sheaf/tools/testing/call-client.ts';
import { SeededRandom } from '@sheaf/tools/testing/seeded-random.ts';
import { startNode } from '@sheaf/tools/testing/node-process.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';
import { Callers } from './callers.ts';
import { Cluster } from './cluster.ts';
import { Faults } from './faults.ts';
import { History } from './history.ts';
import { Ledger } from './ledger.ts';
import { Revocations } from './revocations.ts';

const program = fileURLToPath(new URL('../../../../../tools/sheaf.mjs', import.meta.url));
const seconds = Number(process.env['SHEAF_RANDOM_SECONDS'] ?? 12);
const seeds = (process.env['SHEAF_RANDOM_SEEDS'] ?? '1').split(',').map(Number);
const readyMs = 90_000;

/** Every fault there is, several at once, at random; and everybody who was told that something is done finds it done. */
for (const seed of seeds) {
  test(
    `three nodes with faults at random for ${seconds} s (seed ${seed}): nothing acknowledged is lost, nothing happens twice`,
    { timeout: 600_000 + seconds * 3000 },
    async () => {
      const chance = new SeededRandom(seed);
      const cluster = await Cluster.start();
      onTestFinished(() => cluster.end());
      const key = await cluster.nodes[0]!.key();
      const callers = new Callers(cluster.nodes, key);
      const ledger = new Ledger(callers, chance.fork());
      const history = new History(callers, chance.fork());
      const revocations = new Revocations(callers, cluster, chance.fork());
      const faults = new Faults(cluster, chance.fork());
      await ledger.prepare();
      ledger.begin();
      await history.begin();
      revocations.begin();
      faults.begin();
      await sleep(seconds * 500);
      const copied = ledger.acknowledged();
      const copy = await backUp(cluster);
      // Restored while everything goes on, elsewhere and into the other kind of database.
      const again = restored(copy, key, ledger);
      again.catch(() => undefined);
      await sleep(seconds * 500);
      await faults.end();
      callers.end();
      await Promise.all([ledger.end(), history.end(), revocations.end()]);
      for (const node of cluster.nodes) await node.ready(readyMs);
      console.log(
        `seed ${seed}, ${seconds} s: ${[...faults.counts].map(([name, count]) => `${name} ${count}`).join(', ')}; ` +
          `${callers.figures}; ${ledger.figures}; ${revocations.count} keys revoked; ${history.length} calls of one document`,
      );
      const wrong: string[] = [...faults.violations, ...callers.violations];
      wrong.push(...cluster.nodes.flatMap(({ died }) => died ?? []));
      for (const node of cluster.nodes)
        wrong.push(...ledger.judge(await ledger.contentsOver(node)).map((what) => `${node.name}: ${what}`));
      wrong.push(
        ...(await ledger.unread()),
        ...[...ledger.refused].map(([what, count]) => `refused ${count}: ${what}`),
      );
      const verdict = await history.verdict(cluster.nodes);
      if (!verdict.isLinearizable) wrong.push(`no order explains what was seen: ${JSON.stringify(verdict)}`);
      wrong.push(...ledger.judge(await again, copied).map((what) => `restored: ${what}`));
      if (wrong.length > 0) for (const { name, log } of cluster.nodes) console.log(name, log.slice(-4000));
      expect(wrong).toEqual([]);
    },
  );
}

/** In the middle of it all; tried again when the database or the store was away meanwhile. */
async function backUp(cluster: Cluster): Promise<string> {
  let reason: unknown;
  for (let turn = 0; turn < 20; turn++) {
    const folder = join(await temporaryFolder(), 'copy');
    try {
      await sheaf(['backup', folder], { ...cluster.env, SHEAF_DATA: await temporaryFolder() });
      return folder;
    } catch (error) {
      reason = error;
      await sleep(1000);
    }
  }
  throw new Error('no backup succeeded', { cause: reason });
}

/** What a server of the other kind, restored from the copy, has. */
async function restored(copy: string, key: Key, ledger: Ledger): ReturnType<Ledger['contents']> {
  const folder = await temporaryFolder();
  await sheaf(['restore', copy], { SHEAF_DATA: folder });
  const node = await startNode({ folder });
  try {
    const { call } = callable(node.url, key);
    return await ledger.contents(async (module, operation, input) => {
      const { code, msg, data } = await call('http', module, operation, input);
      if (code !== 0) throw new Error(`${operation} of the restored server: ${code} ${msg}`);
      return data as Record<string, unknown>;
    });
  } finally {
    await node.stop();
  }
}

async function sheaf(args: readonly string[], env: Record<string, string>): Promise<void> {
  await promisify(execFile)(process.execPath, [program, ...args], { env: { PATH: process.env['PATH'], ...env } });
}
