import { expect, test } from 'vitest';
import { FairScheduler } from '../../src/lib/fair-scheduler.ts';

test('[finding R12] owners take turns, one piece of work at a time', async () => {
  const turns = new FairScheduler({ slots: 1, maxWaiting: 10 });
  const order: string[] = [];
  let running = 0;
  const work = (name: string) => async (): Promise<void> => {
    expect(++running).toBe(1);
    await new Promise((resolve) => setImmediate(resolve));
    running--;
    order.push(name);
  };
  await Promise.all([
    ...['a1', 'a2', 'a3', 'a4'].map((name) => turns.run('a', work(name))),
    turns.run('b', work('b1')),
    turns.run('c', work('c1')),
  ]);
  expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'a4']);
});

test('an owner with too much waiting is refused, others are not; work that fails lets the next one begin', async () => {
  const turns = new FairScheduler({ slots: 1, maxWaiting: 1 });
  const slow = turns.run('a', () => new Promise<void>((resolve) => setTimeout(resolve, 20)));
  const second = turns.run('a', () => Promise.reject(new Error('no')));
  expect(turns.isFull('a')).toBe(true);
  const other = turns.run('b', () => Promise.resolve('done'));
  await slow;
  await expect(second).rejects.toThrow('no');
  expect(await other).toBe('done');
  expect(await turns.run('a', () => Promise.resolve('again'))).toBe('again');
});
