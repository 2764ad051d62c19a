import { expect, test } from 'vitest';
import { SqlJobQueue } from '../../src/adapters/sql/job-queue.ts';
import type { Database } from '../../src/adapters/sql/database.ts';
import { eachDatabase } from '@sheaf/tools/testing/databases.ts';
import { stamp } from '@sheaf/tools/testing/stamp-fixture.ts';

class ManualClock {
  time = 1_000_000;
  now(): number {
    return this.time;
  }
}

eachDatabase('job queue', (_name, open) => {
  async function openQueue(): Promise<{ queue: SqlJobQueue; clock: ManualClock; database: Database }> {
    const clock = new ManualClock();
    const database = await open();
    return { queue: new SqlJobQueue(database, clock), clock, database };
  }
  const add = (
    queue: SqlJobQueue,
    subject: string,
    more: { kind?: string; maxAttempts?: number; runAt?: number; payload?: unknown; owner?: string } = {},
  ) => queue.enqueue(stamp(), { kind: 'parse', subject, ...more });

  test('a job is claimed with its payload, leased, and done', async () => {
    const { queue, database } = await openQueue();
    const id = await add(queue, 'item_1', { payload: { pages: [1, 2] } });
    expect(await queue.get(id)).toMatchObject({
      state: 'queued',
      attempts: 0,
      maxAttempts: 4,
      runAt: 1_000_000,
      leaseUntil: null,
    });
    const jobs = await queue.claim(['parse'], 'w1', 5000, 10);
    expect(jobs).toEqual([
      {
        id,
        kind: 'parse',
        subject: 'item_1',
        payload: { pages: [1, 2] },
        state: 'running',
        attempts: 1,
        maxAttempts: 4,
        owner: '',
        runAt: 1_000_000,
        leaseUntil: 1_005_000,
        reason: '',
        createdAt: 1_000_000,
        updatedAt: 1_000_000,
      },
    ]);
    expect(await queue.claim(['parse'], 'w2', 5000, 10)).toEqual([]);
    expect(await queue.complete(id, 'w1')).toBe(true);
    expect(await queue.get(id)).toMatchObject({ state: 'done', leaseUntil: null });
    expect(await queue.claim(['parse'], 'w2', 5000, 10)).toEqual([]);
    expect(await database.all('SELECT target FROM audit')).toEqual([{ target: 'item_1' }]);
  });

  test('only the asked kinds, only due jobs, oldest first, at most the limit', async () => {
    const { queue, clock } = await openQueue();
    await add(queue, 'later', { runAt: clock.time + 10 });
    await add(queue, 'second', { runAt: clock.time - 5 });
    await add(queue, 'first', { runAt: clock.time - 9 });
    await add(queue, 'third', { runAt: clock.time - 1 });
    await add(queue, 'other', { kind: 'index' });
    expect(await queue.claim([], 'w', 5000, 10)).toEqual([]);
    expect((await queue.claim(['parse'], 'w', 5000, 2)).map((job) => job.subject)).toEqual(['first', 'second']);
    expect((await queue.claim(['parse'], 'w', 5000, 2)).map((job) => job.subject)).toEqual(['third']);
    clock.time += 10;
    expect((await queue.claim(['parse', 'index'], 'w', 5000, 9)).map((job) => job.subject).sort()).toEqual([
      'later',
      'other',
    ]);
  });

  test('jobs of one kind and subject never run at the same time', async () => {
    const { queue, clock } = await openQueue();
    const first = await add(queue, 'item', { runAt: clock.time - 2 });
    const second = await add(queue, 'item', { runAt: clock.time - 1 });
    await add(queue, 'item', { kind: 'index' });
    await add(queue, 'another');
    const claimed = await queue.claim(['parse', 'index'], 'w1', 5000, 10);
    expect(claimed.map((job) => `${job.kind} ${job.subject}`).sort()).toEqual([
      'index item',
      'parse another',
      'parse item',
    ]);
    expect(await queue.claim(['parse'], 'w2', 5000, 10)).toEqual([]);
    await queue.complete(first, 'w1');
    expect((await queue.claim(['parse'], 'w2', 5000, 10)).map((job) => job.id)).toEqual([second]);
  });

  test('[finding R10] owners take turns: however much one has waiting, the others are claimed, and nobody past their share', async () => {
    const { queue, clock } = await openQueue();
    for (let n = 0; n < 30; n++) await add(queue, `a${n}`, { owner: 'a', runAt: clock.time - 100 + n });
    await add(queue, 'b0', { owner: 'b' });
    await add(queue, 'nobody');
    const claim = async (limit: number, held: [string, number][] = []): Promise<string[]> =>
      (await queue.claim(['parse'], 'w', 5000, limit, { maxPerOwner: 8, heldByOwner: new Map(held) })).map(
        (job) => job.subject,
      );
    expect(await claim(4)).toEqual(['a0', 'a1', 'b0', 'nobody']);
    expect(await claim(20, [['a', 2]])).toEqual(['a2', 'a3', 'a4', 'a5', 'a6', 'a7']);
    expect(await claim(20, [['a', 8]])).toEqual([]);
    for (const owner of ['c', 'd', 'e']) await add(queue, `${owner}0`, { owner });
    expect(await claim(2)).toEqual(['c0', 'd0']);
    expect(await claim(2)).toEqual(['e0', 'a8']);
  });

  test('many jobs of one subject do not hide the others', async () => {
    const { queue, clock } = await openQueue();
    for (let n = 0; n < 5; n++) await add(queue, 'busy', { runAt: clock.time - 100 + n });
    await add(queue, 'quiet');
    expect((await queue.claim(['parse'], 'w', 5000, 2)).map((job) => job.subject)).toEqual(['busy', 'quiet']);
  });

  test('concurrent workers never get the same job', async () => {
    const { queue } = await openQueue();
    for (let n = 0; n < 20; n++) await add(queue, `item_${n}`);
    const claims = await Promise.all(
      Array.from({ length: 8 }, (_, worker) => queue.claim(['parse'], `w${worker}`, 5000, 4)),
    );
    const ids = claims.flat().map((job) => job.id);
    expect(ids).toHaveLength(20);
    expect(new Set(ids).size).toBe(20);
  });

  test('a heartbeat extends the lease', async () => {
    const { queue, clock } = await openQueue();
    const id = await add(queue, 'item');
    await queue.claim(['parse'], 'w1', 5000, 1);
    clock.time += 4000;
    expect(await queue.heartbeat(id, 'w1', 5000)).toBe(true);
    clock.time += 4000;
    expect(await queue.claim(['parse'], 'w2', 5000, 1)).toEqual([]);
    expect(await queue.heartbeat(id, 'w2', 5000)).toBe(false);
  });

  test('[T72] the job of a dead worker is claimed again after its lease, and the dead worker can do nothing any more', async () => {
    const { queue, clock } = await openQueue();
    const id = await add(queue, 'item');
    await queue.claim(['parse'], 'dead', 5000, 1);
    clock.time += 5000;
    expect(await queue.claim(['parse'], 'w2', 5000, 1)).toEqual([]);
    clock.time += 1;
    expect((await queue.claim(['parse'], 'w2', 5000, 1))[0]).toMatchObject({ id, attempts: 2 });
    expect(await queue.heartbeat(id, 'dead', 5000)).toBe(false);
    expect(await queue.complete(id, 'dead')).toBe(false);
    expect(await queue.release(id, 'dead', 'late')).toBeUndefined();
    expect(await queue.get(id)).toMatchObject({ state: 'running', reason: '' });
    expect(await queue.complete(id, 'w2')).toBe(true);
  });

  test('[T72] a job whose workers keep dying is handed out once more to be given up, and then lets the next one of its subject run', async () => {
    const { queue, clock } = await openQueue();
    const id = await add(queue, 'item', { maxAttempts: 2, runAt: clock.time - 1 });
    const next = await add(queue, 'item');
    for (const worker of ['w1', 'w2']) {
      expect((await queue.claim(['parse'], worker, 5000, 1)).map((job) => job.id)).toEqual([id]);
      clock.time += 5001;
    }
    expect((await queue.claim(['parse'], 'w3', 5000, 1))[0]).toMatchObject({ id, attempts: 3, maxAttempts: 2 });
    clock.time += 5001;
    expect((await queue.claim(['parse'], 'w4', 5000, 1))[0]).toMatchObject({ id, attempts: 4, maxAttempts: 2 });
    expect(await queue.release(id, 'w4', 'its workers died', { isFinal: true })).toBe('failed');
    expect(await queue.get(id)).toMatchObject({ state: 'failed', reason: 'its workers died', leaseUntil: null });
    expect((await queue.claim(['parse'], 'w4', 5000, 1)).map((job) => job.id)).toEqual([next]);
  });

  test('a job given back is due at once and loses no attempt; old ends are forgotten', async () => {
    const { queue, clock } = await openQueue();
    const id = await add(queue, 'item');
    const [job] = await queue.claim(['parse'], 'w1', 5000, 1);
    expect(await queue.requeue(job!, 'other')).toBe(false);
    expect(await queue.requeue(job!, 'w1')).toBe(true);
    expect((await queue.claim(['parse'], 'w2', 5000, 1))[0]).toMatchObject({ id, attempts: 1 });
    await queue.complete(id, 'w2');
    expect(await queue.deleteFinished(clock.time)).toBe(0);
    clock.time += 1;
    expect(await queue.deleteFinished(clock.time)).toBe(1);
    expect(await queue.get(id)).toBeUndefined();
  });

  test('[finding Q5] a job given back waits as long as it is told, and loses no attempt though its worker claimed it twice', async () => {
    const { queue, clock } = await openQueue();
    await add(queue, 'item');
    const [job] = await queue.claim(['parse'], 'w1', 5000, 1);
    clock.time += 6000;
    expect((await queue.claim(['parse'], 'w1', 5000, 1))[0]).toMatchObject({ attempts: 2 });
    expect(await queue.requeue(job!, 'w1', 3000)).toBe(true);
    clock.time += 2999;
    expect(await queue.claim(['parse'], 'w1', 5000, 1)).toEqual([]);
    clock.time += 1;
    expect((await queue.claim(['parse'], 'w1', 5000, 1))[0]).toMatchObject({ attempts: 1 });
  });

  test('[T72] jobs survive a crash: a new process finds them after the lease', async () => {
    const clock = new ManualClock();
    const place = await open.place();
    const before = await place.connect();
    const { migrate } = await import('../../src/adapters/sql/migrate.ts');
    await migrate(before);
    const id = await add(new SqlJobQueue(before, clock), 'item');
    await new SqlJobQueue(before, clock).claim(['parse'], 'w1', 5000, 1);
    await before.close();
    const after = new SqlJobQueue(await place.connect(), clock);
    expect(await after.claim(['parse'], 'w2', 5000, 1)).toEqual([]);
    clock.time += 5001;
    expect((await after.claim(['parse'], 'w2', 5000, 1)).map((job) => job.id)).toEqual([id]);
  });

  test('a released job comes back after 1, 2, 4 seconds and then fails with the last reason', async () => {
    const { queue, clock } = await openQueue();
    const id = await add(queue, 'item');
    for (const [attempt, delay] of [1000, 2000, 4000].entries()) {
      expect((await queue.claim(['parse'], 'w', 5000, 1)).map((job) => job.attempts)).toEqual([attempt + 1]);
      expect(await queue.release(id, 'w', `try ${attempt + 1}`)).toBe('queued');
      expect(await queue.get(id)).toMatchObject({
        state: 'queued',
        reason: `try ${attempt + 1}`,
        runAt: clock.time + delay,
      });
      clock.time += delay - 1;
      expect(await queue.claim(['parse'], 'w', 5000, 1)).toEqual([]);
      clock.time += 1;
    }
    await queue.claim(['parse'], 'w', 5000, 1);
    expect(await queue.release(id, 'w', 'try 4')).toBe('failed');
    clock.time += 3_600_000;
    expect(await queue.claim(['parse'], 'w', 5000, 1)).toEqual([]);
    expect(await queue.get(id)).toMatchObject({ state: 'failed', reason: 'try 4', attempts: 4 });
  });

  test('the delay stops growing at five minutes', async () => {
    const { queue, clock } = await openQueue();
    const id = await add(queue, 'item', { maxAttempts: 20 });
    for (let attempt = 1; attempt <= 15; attempt++) {
      await queue.claim(['parse'], 'w', 5000, 1);
      await queue.release(id, 'w', 'no');
      clock.time = (await queue.get(id))!.runAt;
    }
    const before = clock.time;
    await queue.claim(['parse'], 'w', 5000, 1);
    await queue.release(id, 'w', 'no');
    expect((await queue.get(id))!.runAt - before).toBe(300_000);
  });

  test('a final failure is not tried again', async () => {
    const { queue } = await openQueue();
    const id = await add(queue, 'item');
    await queue.claim(['parse'], 'w', 5000, 1);
    expect(await queue.release(id, 'w', 'the file is encrypted', { isFinal: true })).toBe('failed');
    expect(await queue.get(id)).toMatchObject({ state: 'failed', attempts: 1, reason: 'the file is encrypted' });
  });

  test('canceling takes away what is not done; its worker learns it at the next heartbeat', async () => {
    const { queue, clock } = await openQueue();
    const done = await add(queue, 'item', { runAt: clock.time - 2 });
    await queue.claim(['parse'], 'w', 5000, 1);
    await queue.complete(done, 'w');
    const running = await add(queue, 'item', { runAt: clock.time - 1 });
    await queue.claim(['parse'], 'w', 5000, 1);
    await add(queue, 'item');
    await add(queue, 'other');
    expect(await queue.cancel(stamp(), 'parse', 'item')).toBe(2);
    expect(await queue.heartbeat(running, 'w', 5000)).toBe(false);
    expect((await queue.listBySubject('parse', 'item')).map((job) => job.id)).toEqual([done]);
    expect((await queue.listBySubject('parse', 'other')).map((job) => job.state)).toEqual(['queued']);
  });

  test('counts jobs by state', async () => {
    const { queue } = await openQueue();
    expect(await queue.counts()).toEqual({ queued: 0, running: 0, done: 0, failed: 0 });
    for (const subject of ['a', 'b', 'c', 'd']) await add(queue, subject);
    const [first, second] = await queue.claim(['parse'], 'w', 5000, 3);
    await queue.complete(first!.id, 'w');
    await queue.release(second!.id, 'w', 'no', { isFinal: true });
    expect(await queue.counts()).toEqual({ queued: 1, running: 1, done: 1, failed: 1 });
  });
});
