import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { SeededRandom } from '@sheaf/tools/testing/seeded-random.ts';
import { ownerKey, startNode } from '@sheaf/tools/testing/node-process.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';
import { Callers } from './random/callers.ts';
import { Ledger } from './random/ledger.ts';

const preload = fileURLToPath(new URL('./failing-sync.cjs', import.meta.url));

test(
  '[T67] a disk that fails to sync under load: nothing more is acknowledged, the node ends and says why, the next one has everything',
  { timeout: 120_000 },
  async () => {
    const folder = await temporaryFolder();
    const fails = join(await temporaryFolder(), 'fails');
    const env = { NODE_OPTIONS: `--require ${JSON.stringify(preload)}`, FAIL_SYNC: fails };
    const first = await startNode({ folder, env });
    onTestFinished(async () => void (await first.stop()));
    const node = { name: 'the node', url: first.url };
    const callers = new Callers([node], await ownerKey(folder));
    const ledger = new Ledger(callers, new SeededRandom(1));
    await ledger.prepare();
    ledger.begin();
    const written = (): number => ledger.acknowledged().note.size;
    while (written() < 10) await sleep(10);
    const ended = once(first.child, 'exit');
    await writeFile(fails, '');
    expect(await ended).toEqual([1, null]);
    const atTheEnd = written();
    expect(first.log()).toContain('the disk failed to sync; exiting');
    // As after a repair: the file system is there again, with whatever it has.
    await rm(fails);
    const second = await startNode({ folder, env });
    onTestFinished(async () => void (await second.stop()));
    node.url = second.url;
    while (written() < atTheEnd + 10) await sleep(10);
    callers.end();
    await ledger.end();
    expect(ledger.judge(await ledger.contentsOver(node))).toEqual([]);
    // Refused as it failed, with its reason, and not as the fault of whoever called.
    expect(callers.violations).toEqual([]);
    expect([...ledger.refused.keys()]).toEqual([]);
    expect(await second.stop()).toBe(0);
  },
);
