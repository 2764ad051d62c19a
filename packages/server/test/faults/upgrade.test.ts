import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { LoadBalancer } from '@sheaf/tools/testing/load-balancer.ts';
import { SeededRandom } from '@sheaf/tools/testing/seeded-random.ts';
import { ownerKey, startNode, type NodeProcess } from '@sheaf/tools/testing/node-process.ts';
import { freshPostgres } from '@sheaf/tools/testing/postgres.ts';
import { buildEarlierRelease, hasHistoryOf } from '@sheaf/tools/testing/earlier-release.ts';
import { startS3 } from '@sheaf/tools/testing/s3.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';
import { Callers } from './random/callers.ts';
import { History } from './random/history.ts';
import { Ledger } from './random/ledger.ts';

/** How long callers write between two steps. Building the old release takes minutes: only the drill does it. */
const seconds = Number(process.env['SHEAF_UPGRADE_SECONDS'] ?? 0);
const readyMs = 60_000;
const isAsked = seconds > 0;
const isPossible = isAsked && (await hasHistoryOf('0.1.0'));
if (isAsked && !isPossible)
  console.log('rolling upgrade: not tested, because the history of the repository is not here');

test.runIf(isPossible)(
  'three nodes are upgraded from 0.1.0 one after the other under load: nothing acknowledged is lost, nothing happens twice',
  { timeout: 600_000 + seconds * 60_000 },
  async () => {
    const release = await buildEarlierRelease('0.1.0');
    onTestFinished(() => release.remove());
    const store = await startS3();
    onTestFinished(() => store.stop());
    const env = {
      SHEAF_DATABASE_URL: await freshPostgres(),
      SHEAF_S3_ENDPOINT: store.endpoint,
      SHEAF_S3_BUCKET: store.bucket,
      SHEAF_S3_REGION: store.region,
      SHEAF_S3_ACCESS_KEY: store.accessKey,
      SHEAF_S3_SECRET_KEY: store.secretKey,
    };
    const balancer = await LoadBalancer.start();
    onTestFinished(() => balancer.close());
    const isReady = (node: NodeProcess): Promise<unknown> =>
      expect.poll(() => balancer.ready.includes(node.url), { timeout: readyMs, interval: 50 }).toBe(true);
    const start = async (folder: string, checkout?: string): Promise<NodeProcess> => {
      const node = await startNode({ folder, env, ...(checkout === undefined ? {} : { checkout }) });
      onTestFinished(async () => void (await node.stop()));
      balancer.add(node.url);
      await isReady(node);
      return node;
    };
    const folders = [await temporaryFolder(), await temporaryFolder(), await temporaryFolder()];
    const old: NodeProcess[] = [];
    for (const folder of folders) old.push(await start(folder, release.folder));

    const chance = new SeededRandom(1);
    const callers = new Callers([{ name: 'the proxy', url: balancer.url }], await ownerKey(folders[0]!));
    const ledger = new Ledger(callers, chance.fork());
    const history = new History(callers, chance.fork());
    await ledger.prepare();
    ledger.begin();
    await history.begin();
    await sleep(seconds * 1000);
    const nodes: NodeProcess[] = [];
    for (const [index, folder] of folders.entries()) {
      // As an operator does it: asked to stop, it finishes what it has; the proxy finds out by itself.
      expect(await old[index]!.stop()).toBe(0);
      balancer.remove(old[index]!.url);
      nodes.push(await start(folder));
      await sleep(seconds * 1000);
      console.log(`node ${index + 1} upgraded: ${callers.figures}; ${ledger.figures}; ready ${balancer.ready.length}`);
    }
    callers.end();
    await Promise.all([ledger.end(), history.end()]);
    // Nodes of 0.1.0 answer some calls of a busy database with an internal error, in their own words; none is lost by it.
    const ofOldNodes = callers.violations.filter((what) => what.includes('the log has more under request id'));
    console.log(`${ofOldNodes.length} calls were internal errors of 0.1.0: ${reasons(old.map((node) => node.log()))}`);
    const wrong = [...callers.violations.filter((what) => !ofOldNodes.includes(what)), ...ledger.refused.keys()];
    const reached = nodes.map(({ url }, index) => ({ name: `node ${index + 1}`, url }));
    for (const node of reached)
      wrong.push(...ledger.judge(await ledger.contentsOver(node)).map((what) => `${node.name}: ${what}`));
    wrong.push(...(await ledger.unread()));
    const verdict = await history.verdict(reached);
    if (!verdict.isLinearizable) wrong.push(`no order explains what was seen: ${JSON.stringify(verdict)}`);
    if (wrong.length > 0) for (const node of nodes) console.log(node.log().slice(-3000));
    expect(wrong).toEqual([]);
    for (const node of nodes) expect(await node.stop()).toBe(0);
  },
);

/** What the log of the older nodes says of them. */
function reasons(logs: readonly string[]): string {
  const lines = logs.flatMap((log) => log.split('\n').filter((line) => line.includes('"request')));
  return [...new Set(lines.map((line) => /"message":"([^"]*)"/.exec(line)?.[1] ?? ''))].join(' | ');
}
