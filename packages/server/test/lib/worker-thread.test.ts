import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { WorkerThread, ThreadTerminated, type WorkerThreadOptions } from '../../src/lib/worker-thread.ts';

/** Does what its task says. */
const script = `
const { parentPort } = require('node:worker_threads');
const said = [];
parentPort.on('message', ({ id, task, end }) => {
  if (end) {
    parentPort.postMessage({ said: 'ended by itself' });
    return parentPort.close();
  }
  if (task === 'spin') for (;;);
  if (task === 'exit') process.exit(3);
  if (task === 'throw') throw new Error('thrown');
  if (task === 'grow') for (const all = [];;) all.push(new Array(10000).fill(all.length));
  if (task === 'fail') return parentPort.postMessage({ id, failure: { message: 'no', code: 7 } });
  if (task === 'say') parentPort.postMessage({ said: 'unasked' });
  if (task === 'later') return setTimeout(() => parentPort.postMessage({ id, value: task }), 50);
  parentPort.postMessage({ id, value: task });
});
`;

function open(options: Partial<WorkerThreadOptions> = {}): WorkerThread {
  const { worker, ...rest } = options;
  const thread = new WorkerThread({ name: 'test thread', script, worker: { eval: true, ...worker }, ...rest });
  onTestFinished(() => thread.close());
  return thread;
}

const root = fileURLToPath(new URL('../../src', import.meta.url));

test('[finding A6] one place starts threads', () => {
  const starting = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && readFileSync(join(root, name), 'utf8').includes('new Worker('))
    .sort();
  expect(starting).toEqual([join('lib', 'worker-thread.ts')]);
});

test('tasks are answered by id, in whatever order', async () => {
  const thread = open();
  expect(thread.isStarted).toBe(false);
  const order: unknown[] = [];
  await Promise.all(['later', 'one', 'two'].map(async (task) => order.push(await thread.run(task))));
  expect(order).toEqual(['one', 'two', 'later']);
  expect([thread.isStarted, thread.isIdle]).toEqual([true, true]);
});

test('a task that fails is refused with its details; the thread stays', async () => {
  const thread = open({ errorOf: ({ message, code }) => Object.assign(new Error(message), { code }) });
  await expect(thread.run('fail')).rejects.toMatchObject({ message: 'no', code: 7 });
  expect(await thread.run('next')).toBe('next');
});

test.each([
  ['spin', 'took too long'],
  ['exit', 'crashed'],
  ['throw', 'crashed'],
  ['grow', 'crashed'],
])('a task that does %s loses the thread and what else it was asked; the next task has another', async (task, loss) => {
  const lost: string[] = [];
  const thread = open({
    worker: { resourceLimits: { maxOldGenerationSizeMb: 16 } },
    onTerminated: (reason) => lost.push(reason.loss),
  });
  const asked = await Promise.allSettled([
    thread.run(task, { timeoutMs: task === 'spin' ? 300 : 60_000 }),
    thread.run('behind'),
  ]);
  expect(asked).toMatchObject([
    { status: 'rejected', reason: { name: 'ThreadTerminated', loss } },
    { status: 'rejected', reason: { loss } },
  ]);
  expect(lost).toEqual([loss]);
  expect(await thread.run('again')).toBe('again');
});

test('[finding R13] a thread that cannot start refuses its task and nothing more', async () => {
  const thread = open({ worker: { execArgv: ['--no-such-option'] } });
  await expect(thread.run('x')).rejects.toMatchObject({ loss: 'did not start' });
  await expect(thread.run('x')).rejects.toThrow(ThreadTerminated);
});

test('one that says something unasked is heard; an idle one is ended and started again', async () => {
  const said: unknown[] = [];
  const thread = open({ onMessage: (text) => said.push(text), idleMs: 20 });
  await thread.run('say');
  expect(said).toEqual(['unasked']);
  await expect.poll(() => thread.isStarted).toBe(false);
  expect(await thread.run('again')).toBe('again');
});

test('closing refuses what runs, or waits for it where the thread ends itself; then nothing is taken', async () => {
  const hard = open();
  const refused = expect(hard.run('later')).rejects.toMatchObject({ loss: 'is closed' });
  await hard.close();
  await refused;
  const soft = open({ closesGracefully: true });
  const done = soft.run('later');
  await soft.close();
  expect(await done).toBe('later');
  await expect(soft.run('x')).rejects.toMatchObject({ loss: 'is closed' });
});
