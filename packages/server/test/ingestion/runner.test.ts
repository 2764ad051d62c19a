import { expect, test } from 'vitest';
import { JobRunner } from '../../src/adapters/jobs/job-runner.ts';
import { SqlJobQueue } from '../../src/adapters/sql/job-queue.ts';
import { JobDelayed, JobFailed, JobPostponed, type Job, type JobHandler } from '../../src/ports/job-queue.ts';
import { Unavailable } from '../../src/ports/availability-errors.ts';
import { eachDatabase } from '@sheaf/tools/testing/databases.ts';
import { stamp } from '@sheaf/tools/testing/stamp-fixture.ts';

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

eachDatabase('job runner', (_name, open) => {
  async function start(
    run: (job: Job, signal: AbortSignal) => Promise<void>,
    options: { concurrency?: number; leaseMs?: number } = {},
  ) {
    const clock = { offset: 0, now: () => Date.now() + clock.offset };
    const queue = new SqlJobQueue(await open(), clock);
    const givenUp: [string, string][] = [];
    const handler: JobHandler = {
      kind: 'work',
      run,
      giveUp: async (job, reason) => void givenUp.push([job.subject, reason]),
    };
    const runner = new JobRunner({ queue, handlers: [handler], log: quiet, pollMs: 10, ...options });
    runner.start();
    const add = (subject: string, more: { maxAttempts?: number } = {}) =>
      queue.enqueue(stamp(), { kind: 'work', subject, ...more });
    return { queue, runner, add, givenUp, clock };
  }

  async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
    for (let turn = 0; turn < 1000; turn++) {
      if (await condition()) return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error('it did not happen');
  }

  test('runs every job once, a bounded number at a time', async () => {
    let now = 0;
    let most = 0;
    const ran: string[] = [];
    const { queue, runner, add } = await start(
      async (job) => {
        most = Math.max(most, ++now);
        await new Promise((resolve) => setTimeout(resolve, 5));
        ran.push(job.subject);
        now--;
      },
      { concurrency: 4 },
    );
    for (let count = 0; count < 25; count++) await add(`item_${count}`);
    await until(async () => (await queue.counts()).done === 25);
    expect(ran.length).toBe(25);
    expect(new Set(ran).size).toBe(25);
    expect(most).toBeLessThanOrEqual(4);
    await runner.stop();
  });

  test('[T28] a job that fails is tried again, then given up with the last reason; others go on', async () => {
    let tries = 0;
    const { queue, runner, add, givenUp, clock } = await start(async (job) => {
      if (job.subject === 'bad') throw new JobDelayed(`try ${++tries}`);
    });
    const bad = await add('bad', { maxAttempts: 3 });
    const good = await add('good');
    await until(async () => {
      clock.offset += 1000;
      return (await queue.get(bad))?.state === 'failed';
    });
    expect(tries).toBe(3);
    expect(givenUp).toEqual([['bad', 'try 3']]);
    expect(await queue.get(bad)).toMatchObject({ state: 'failed', attempts: 3, reason: 'try 3' });
    expect((await queue.get(good))?.state).toBe('done');
    await runner.stop();
  });

  test('[finding Q5] a store that is away uses up no attempt, however often it is asked; the job is done when it is back', async () => {
    let isAway = true;
    let tries = 0;
    const { queue, runner, add, givenUp, clock } = await start(async () => {
      tries++;
      if (isAway) throw new Unavailable('the object store cannot be reached');
    });
    const id = await add('patient', { maxAttempts: 2 });
    await until(() => {
      clock.offset += 2000;
      return tries >= 6;
    });
    expect(givenUp).toEqual([]);
    expect((await queue.get(id))!.attempts).toBeLessThanOrEqual(1);
    isAway = false;
    await until(async () => {
      clock.offset += 2000;
      return (await queue.get(id))?.state === 'done';
    });
    expect(await queue.get(id)).toMatchObject({ state: 'done', attempts: 1 });
    await runner.stop();
  });

  test('[finding Q5] a job that ends while the database is away is noted when that is back, not taken for one whose worker died', async () => {
    let isAway = false;
    let refusals = 0;
    const { queue, runner, add } = await start(async () => {
      isAway = true;
    });
    const complete = queue.complete.bind(queue);
    queue.complete = async (id, worker) => {
      if (isAway && ++refusals < 3) throw new Unavailable('the database cannot answer now');
      return complete(id, worker);
    };
    const id = await add('unsaid', { maxAttempts: 1 });
    await until(async () => (await queue.get(id))?.state === 'done');
    expect(refusals).toBe(3);
    expect(await queue.get(id)).toMatchObject({ state: 'done', attempts: 1 });
    await runner.stop();
  });

  test('a final failure is not tried again; an unexpected one tells no internals', async () => {
    const { queue, runner, add, givenUp } = await start(async (job) => {
      if (job.subject === 'final') throw new JobFailed('the file is damaged');
      throw new TypeError('cannot read /secret/path');
    });
    const final = await add('final');
    const odd = await add('odd', { maxAttempts: 1 });
    await until(async () => (await queue.counts()).failed === 2);
    expect(await queue.get(final)).toMatchObject({ attempts: 1, reason: 'the file is damaged' });
    expect((await queue.get(odd))?.reason).toBe(
      'An internal error occurred while reading this; the server log has details. Try again later.',
    );
    expect(givenUp.map(([subject]) => subject).sort()).toEqual(['final', 'odd']);
    await runner.stop();
  });

  test('[T72] a job whose workers died at every attempt is given up, not tried', async () => {
    const clock = { offset: 0, now: () => Date.now() + clock.offset };
    const queue = new SqlJobQueue(await open(), clock);
    const id = await queue.enqueue(stamp(), { kind: 'work', subject: 'killer', maxAttempts: 2 });
    for (const worker of ['dead_1', 'dead_2']) {
      await queue.claim(['work'], worker, 1000, 1);
      clock.offset += 1001;
    }
    let ran = 0;
    const givenUp: string[] = [];
    const handler: JobHandler = {
      kind: 'work',
      run: async () => void ran++,
      giveUp: async (_job, reason) => void givenUp.push(reason),
    };
    const runner = new JobRunner({ queue, handlers: [handler], log: quiet, pollMs: 10 });
    runner.start();
    await until(async () => (await queue.get(id))?.state === 'failed');
    expect(ran).toBe(0);
    expect(givenUp).toEqual([
      'The server stopped each time it tried to read this. Save the file again in the program that created it, or split it, and upload it again.',
    ]);
    await runner.stop();
  });

  test('a stop waits for what is under way, then gives it back without counting the attempt', async () => {
    const { queue, runner, add } = await start(
      (_job, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped')))),
    );
    const id = await add('long');
    await until(async () => (await queue.get(id))?.state === 'running');
    await runner.stop(50);
    expect(await queue.get(id)).toMatchObject({ state: 'queued', attempts: 0 });
  });

  test('[T71] a canceled job is stopped at the next heartbeat and leaves no trace', async () => {
    let stopped = false;
    const { queue, runner, add } = await start(
      (_job, signal) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => {
            stopped = true;
            reject(new Error('cancelled'));
          }),
        ),
      { leaseMs: 150 },
    );
    const id = await add('deleted');
    await until(async () => (await queue.get(id))?.state === 'running');
    await queue.cancel(stamp(), 'work', 'deleted');
    await until(() => stopped);
    expect(await queue.get(id)).toBeUndefined();
    await runner.stop();
  });

  test('[finding S21] a kind with slots of its own fills only those, and the other kinds go on', async () => {
    const queue = new SqlJobQueue(await open(), { now: Date.now });
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let now = 0;
    let most = 0;
    const giveUp = async (): Promise<void> => undefined;
    const large: JobHandler = {
      kind: 'large',
      slots: 2,
      giveUp,
      run: async () => {
        most = Math.max(most, ++now);
        await released;
        now--;
      },
    };
    const small: JobHandler = { kind: 'small', giveUp, run: async () => undefined };
    const runner = new JobRunner({ queue, handlers: [small, large], log: quiet, pollMs: 10, concurrency: 4 });
    for (let i = 0; i < 8; i++)
      await queue.enqueue(stamp(), { kind: 'large', subject: `large_${i}`, owner: `user_${i % 2}` });
    for (let i = 0; i < 8; i++) await queue.enqueue(stamp(), { kind: 'small', subject: `small_${i}`, owner: 'user_0' });
    runner.start();
    await until(async () => (await queue.counts()).done === 8);
    expect(now).toBe(2);
    release();
    await until(async () => (await queue.counts()).done === 16);
    expect(most).toBe(2);
    await runner.stop();
  });

  test('[finding S21] a postponed job comes back after its delay, with its reason, or as if it had not begun', async () => {
    const seen: [number, string][] = [];
    const { queue, runner, add, clock } = await start(async (job) => {
      seen.push([job.attempts, job.reason]);
      if (seen.length === 1) throw new JobPostponed(30_000, 'too slow');
      if (seen.length === 2) throw new JobPostponed(30_000);
    });
    const id = await add('slow');
    await until(async () => (await queue.get(id))?.reason === 'too slow');
    expect((await queue.get(id))!.runAt).toBeGreaterThan(clock.now() + 20_000);
    await until(async () => {
      clock.offset += 1000;
      return (await queue.get(id))?.state === 'done';
    });
    expect(seen).toEqual([
      [1, ''],
      [2, 'too slow'],
      [2, 'too slow'],
    ]);
    await runner.stop();
  });

  test('[finding S21] a handler may allow more time than the others have', async () => {
    const queue = new SqlJobQueue(await open(), { now: Date.now });
    const run: JobHandler['run'] = (_job, signal) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(resolve, 300);
        signal.addEventListener('abort', () => {
          clearTimeout(timer);
          reject(new JobFailed('aborted'));
        });
      });
    const giveUp = async (): Promise<void> => undefined;
    const handlers: JobHandler[] = [
      { kind: 'quick', run, giveUp },
      { kind: 'patient', maxJobMs: 60_000, run, giveUp },
    ];
    const runner = new JobRunner({ queue, handlers, log: quiet, pollMs: 10, maxJobMs: 20 });
    const ids = [];
    for (const { kind } of handlers) ids.push(await queue.enqueue(stamp(), { kind, subject: kind }));
    runner.start();
    await until(async () => {
      const { done, failed } = await queue.counts();
      return done + failed === 2;
    });
    expect((await Promise.all(ids.map((id) => queue.get(id)))).map((job) => job?.state)).toEqual(['failed', 'done']);
    await runner.stop();
  });

  test('a heartbeat keeps a long job', async () => {
    let runs = 0;
    let extended = false;
    const { queue, runner, add } = await start(
      async () => {
        runs++;
        await until(() => extended);
      },
      { leaseMs: 300 },
    );
    const id = await add('slow');
    await until(async () => (await queue.get(id))?.state === 'running');
    const first = (await queue.get(id))!.leaseUntil!;
    await until(async () => (await queue.get(id))!.leaseUntil! > first + 400);
    extended = true;
    await until(async () => (await queue.get(id))?.state === 'done');
    expect(runs).toBe(1);
    await runner.stop();
  });
});
