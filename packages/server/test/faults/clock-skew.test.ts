import { expect, onTestFinished, test, vi } from 'vitest';
import { freshPostgres } from '@sheaf/tools/testing/postgres.ts';
import { startServer } from '@sheaf/tools/testing/test-server.ts';
import { stamp } from '@sheaf/tools/testing/stamp-fixture.ts';

test(
  '[finding Q8] a node whose clock is five minutes off takes nobody’s job, loses none, and keeps nobody waiting',
  { timeout: 120_000 },
  async () => {
    const databaseUrl = await freshPostgres();
    const start = async (offset: number) => {
      const clock = { now: () => Date.now() + offset };
      const server = await startServer({ database: 'postgres', databaseUrl, clock, runJobs: false });
      onTestFinished(() => server.close());
      return server.app.services.jobs;
    };
    const right = await start(0);
    const ahead = await start(300_000);
    const behind = await start(-300_000);
    const nodes = [right, ahead, behind];
    for (const [index, node] of nodes.entries())
      await node.enqueue(stamp(), { kind: 'skew', subject: `subject_${index}` });
    // Whoever enqueued it, every one of them sees it at once, and only one gets it.
    const first = await right.claim(['skew'], 'right', 60_000, 10);
    expect(first.map(({ subject }) => subject).toSorted()).toEqual(['subject_0', 'subject_1', 'subject_2']);
    for (const node of [ahead, behind]) expect(await node.claim(['skew'], 'other', 60_000, 10)).toEqual([]);
    // A lease that a skewed node takes is as long as any, and its heartbeat keeps it.
    await right.requeue(first[0]!, 'right');
    // The nodes agree on the time up to the latency of their questions to the database.
    const again = await vi.waitUntil(async () => (await behind.claim(['skew'], 'behind', 60_000, 1))[0], {
      timeout: 10_000,
    });
    expect(again.id).toBe(first[0]!.id);
    expect(await behind.heartbeat(again.id, 'behind', 60_000)).toBe(true);
    expect(await ahead.claim(['skew'], 'ahead', 60_000, 10)).toEqual([]);
    expect(await right.claim(['skew'], 'right', 60_000, 10)).toEqual([]);
    for (const job of first.slice(1)) expect(await right.complete(job.id, 'right')).toBe(true);
    expect(await behind.complete(again.id, 'behind')).toBe(true);
  },
);
