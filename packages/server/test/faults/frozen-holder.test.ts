/** The node on which the edits of a spreadsheet run is lost in the middle of them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openPostgres } from '../../src/adapters/sql/postgres/database.ts';
import { ownerKey, startNode, type NodeProcess } from '@sheaf/tools/testing/node-process.ts';
import { callable } from '@sheaf/tools/testing/call-client.ts';
import { freshPostgres } from '@sheaf/tools/testing/postgres.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';
import { append, texts, type SharedSheet } from '../nodes/three-nodes.ts';

test.each(['SIGSTOP', 'SIGKILL'] as const)(
  '[finding Q17] the holder gets %s in the middle: nothing acknowledged is lost, nothing made twice, and work goes on',
  { timeout: 240_000 },
  async (signal) => {
    const url = await freshPostgres();
    const database = await openPostgres(url, { connections: 2 });
    onTestFinished(() => database.close());
    const nodes: NodeProcess[] = [];
    const first = await temporaryFolder();
    for (const folder of [first, await temporaryFolder(), await temporaryFolder()]) {
      const node = await startNode({ folder, env: { SHEAF_DATABASE_URL: url } });
      onTestFinished(async () => {
        node.child.kill('SIGCONT');
        await node.stop();
      });
      nodes.push(node);
    }
    const key = await ownerKey(first);
    const { data } = await callable(nodes[0]!.url, key).call('http', 'manage', 'create_file', { title: 'Held' });
    const sheet = data as SharedSheet;
    const made = new Set<string>();
    const tried = new Set<string>();
    let isRunning = true;
    const writers = nodes.flatMap((node, at) =>
      [0, 1, 2].map(async (writer) => {
        for (let n = 0; isRunning; n++) {
          const text = `${at} ${writer} ${n}`;
          tried.add(text);
          const answer = await append(node, key, sheet, text).catch(() => undefined);
          if (answer?.code === 0) made.add(text);
          else await sleep(50);
        }
      }),
    );
    const holder = async (): Promise<string | undefined> =>
      (
        await database.get<{ address: string }>(
          'SELECT address FROM document_lease WHERE resource = ?',
          `sheet:${sheet.file_id}`,
        )
      )?.address;
    await expect.poll(holder, { timeout: 60_000 }).toBeDefined();
    await expect.poll(() => made.size, { timeout: 60_000 }).toBeGreaterThan(100);
    const held = await holder();
    const lost = nodes.find((node) => node.url === held)!;
    lost.child.kill(signal);
    const before = made.size;
    await expect.poll(() => made.size, { timeout: 60_000 }).toBeGreaterThan(before + 100);
    await expect.poll(holder, { timeout: 60_000 }).not.toBe(lost.url);
    lost.child.kill('SIGCONT');
    // The frozen node finds what it was about to commit.
    await sleep(3000);
    isRunning = false;
    await Promise.all(writers);
    const left = nodes.filter((node) => node !== lost || signal === 'SIGSTOP');
    const read = await Promise.all(left.map((node) => texts(node, key, sheet)));
    for (const one of read) expect(one).toEqual(read[0]);
    expect(new Set(read[0]).size).toBe(read[0]!.length);
    expect([...made].filter((text) => !read[0]!.includes(text))).toEqual([]);
    expect(read[0]!.filter((text) => !tried.has(text))).toEqual([]);
  },
);
