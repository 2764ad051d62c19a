import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openPostgres } from '../../src/adapters/sql/postgres/database.ts';
import { bundleProgram, waitForExit } from '@sheaf/tools/testing/bundled-process.ts';
import { ownerKey, startNode } from '@sheaf/tools/testing/node-process.ts';
import { callable } from '@sheaf/tools/testing/call-client.ts';
import { freshPostgres, postgresAdmin } from '@sheaf/tools/testing/postgres.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';

test(
  '[finding Q4] a node that freezes in the middle of a write holds neither its lock nor its rows',
  { timeout: 120_000 },
  async () => {
    const url = await freshPostgres();
    const database = await openPostgres(url, { connections: 2 });
    onTestFinished(() => database.close());
    await database.script(['CREATE TABLE counter (n BIGINT)', 'INSERT INTO counter VALUES (0)'], 'SELECT 1');
    const program = await bundleProgram('packages/server/test/faults/frozen-writer.ts');
    const frozen = program.start([url]);
    onTestFinished(() => void frozen.kill('SIGKILL'));
    let said = '';
    frozen.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await once(frozen.stdout, 'data');
    while (!(await isStopped(frozen.pid!))) await sleep(20);
    expect(await database.write(null, { lock: 'counter' }, (tx) => tx.run('UPDATE counter SET n = n + 1'))).toBe(1);
    expect(await database.get('SELECT n FROM counter')).toEqual({ n: 1 });
    frozen.kill('SIGCONT');
    await waitForExit(frozen);
    expect(said).toBe('holding\nUnavailable\n');
    expect(await database.get('SELECT n FROM counter')).toEqual({ n: 1 });
  },
);

test(
  '[finding Q4] while one of two nodes is frozen under load, the other one takes every call of the same account',
  { timeout: 240_000 },
  async () => {
    const url = await freshPostgres();
    const folders = [await temporaryFolder(), await temporaryFolder()];
    const nodes = [];
    for (const folder of folders) {
      const node = await startNode({ folder, env: { SHEAF_DATABASE_URL: url } });
      onTestFinished(async () => {
        node.child.kill('SIGCONT');
        await node.stop();
      });
      nodes.push(node);
    }
    const key = await ownerKey(folders[0]!);
    const [frozen, alive] = nodes.map((node) => callable(node.url, key));
    let isRunning = true;
    const load = Array.from({ length: 16 }, async (_, writer) => {
      for (let n = 0; isRunning; n++)
        await frozen!
          .call('http', 'note', 'import_doc', { content_format: 1, content: `# ${writer} ${n}` })
          .catch(() => undefined);
    });
    // Frozen at any moment of its work; where it happens to hold something, the server must take it back.
    for (let round = 0; round < 3; round++) {
      await sleep(300 + round * 37);
      nodes[0]!.child.kill('SIGSTOP');
      for (let n = 0; n < 5; n++) {
        const answer = await alive!.call('http', 'note', 'import_doc', {
          content_format: 1,
          content: `# Alive ${round} ${n}`,
        });
        expect(answer.msg).toBe('success');
      }
      nodes[0]!.child.kill('SIGCONT');
    }
    isRunning = false;
    await Promise.all(load);
    // The nodes go on with their own work: one look may find a transaction, but none stays.
    const held = (): Promise<unknown[]> =>
      postgresAdmin(
        "SELECT pid FROM pg_stat_activity WHERE state = 'idle in transaction' AND xact_start < now() - interval '6 s' AND datname = $1",
        [new URL(url).pathname.slice(1)],
      );
    expect(await held()).toEqual([]);
    expect(nodes.map((node) => node.isAlive())).toEqual([true, true]);
  },
);

async function isStopped(pid: number): Promise<boolean> {
  return /^State:\s+T/m.test(await readFile(`/proc/${pid}/status`, 'utf8'));
}
