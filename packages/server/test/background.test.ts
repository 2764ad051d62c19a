import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  runEvery,
  runInBackground,
  runDelayed,
  runInNextTurn,
  addBackgroundErrorLog,
} from '../src/lib/background-tasks.ts';
import { findDetached } from '@sheaf/tools/testing/find-detached-promises.ts';

const packages = fileURLToPath(new URL('../..', import.meta.url));

describe('background tasks', () => {
  test(
    '[finding Q1] [finding R1] every timer and detached promise of the server goes through the one guard',
    { timeout: 120_000 },
    () => {
      const names = readdirSync(packages, { recursive: true, encoding: 'utf8' }).filter((name) =>
        /^(?!web\/)[a-z]+\/src\/.*\.ts$/.test(name),
      );
      expect(names.length).toBeGreaterThan(500);
      expect(findDetached(names.map((name) => ({ name, text: readFileSync(join(packages, name), 'utf8') })))).toEqual(
        [],
      );
    },
  );

  test('[finding Q1] the search for unguarded tasks finds each form of them', () => {
    const text = `
      import { flush } from './other.ts';
      interface Store { save(): Promise<void>; size(): number }
      class Node {
        readonly #store: Store;
        async work(): Promise<void> {}
        async #own(): Promise<void> {}
        start(worker: Worker): void {
          setInterval(() => this.look(), 10);
          setTimeout(this.look, 10);
          setImmediate(() => undefined);
          process.nextTick(() => undefined);
          void this.#own();
          void worker.terminate();
          this.work();
          flush();
          this.#store.save();
          this.work().then(() => 1);
          this.work().finally(() => 1);
          this.#running = this.#own();
          worker.on('exit', async () => undefined);
          worker.on('exit', () => this.#own());
        }
        async fine(): Promise<void> {
          await this.work();
          this.work().catch(() => undefined);
          this.work().then(() => 1, () => 2);
          this.work().catch(() => 1).finally(() => 2);
          inBackground('x', () => this.#own());
          void this.list.push(1);
          this.#store.size();
          await new Promise((resolve) => setTimeout(resolve, 5));
          this.#kept ??= this.#own();
          return this.#kept;
        }
      }`;
    const other = { name: 'other.ts', text: 'export async function flush(): Promise<void> {}' };
    const lines = findDetached([{ name: 'node.ts', text }, other]).map((fault) => Number(/:(\d+):/.exec(fault)![1]));
    expect([...new Set(lines)]).toEqual([9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22]);
  });

  test('[finding Q1] a task that fails is told by its name, with the stack, and goes on', async () => {
    const told: { task: string; err: unknown }[] = [];
    const note = (fields: object): void => void told.push(fields as { task: string; err: unknown });
    onTestFinished(addBackgroundErrorLog({ debug: note, info: note, warn: note, error: note }));
    let runs = 0;
    const timer = runEvery('counting', 5, async () => {
      runs++;
      await sleep(1);
      throw new Error('the store is away', { cause: new Error('ECONNREFUSED') });
    });
    onTestFinished(() => clearInterval(timer));
    for (let turn = 0; turn < 400 && runs < 3; turn++) await sleep(10);
    clearInterval(timer);
    expect(runs).toBeGreaterThanOrEqual(3);
    expect(told[0]).toMatchObject({
      task: 'counting',
      err: {
        message: 'the store is away',
        stack: expect.stringContaining('background.test.ts'),
        cause: { message: 'ECONNREFUSED' },
      },
    });
    await sleep(20);
    told.length = 0;
    const fail = (): never => {
      throw new TypeError('at once');
    };
    await runInBackground('now', fail);
    runDelayed('later', 1, fail);
    runInNextTurn('next', () => Promise.reject(new Error('next')));
    for (let turn = 0; turn < 400 && told.length < 3; turn++) await sleep(10);
    expect(told.map(({ task }) => task).sort()).toEqual(['later', 'next', 'now']);
  });
});
