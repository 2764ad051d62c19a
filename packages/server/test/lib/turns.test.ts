import { expect, test } from 'vitest';
import { Turns } from '../../src/lib/turns.ts';

test('[finding R12] owners take turns, one piece of work at a time', async () => {
  const turns = new Turns({ places: 1, maxWaiting: 10 });
  const order: string[] = [];
  let running = 0;
  const work = (name: string) => async (): Promise<void> => {
    expect(++running).toBe(1);
    await new Promise((resolve) => setImmediate(resolve));
    running--;
    order.push(name);
  };
  await Promise.all([
    ...['a1', 'a2', 'a3', 'a4'].map((name) => turns.use('a', work(name))),
    turns.use('b', work('b1')),
    turns.use('c', work('c1')),
  ]);
  expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'a4']);
});

test('an owner with too much waiting is refused, others are not; work that fails lets the next one begin', async () => {
  const turns = new Turns({ places: 1, maxWaiting: 1 });
  const slow = turns.use('a', () => new Promise<void>((resolve) => setTimeout(resolve, 20)));
  const second = turns.use('a', () => Promise.reject(new Error('no')));
  expect(turns.isFull('a')).toBe(true);
  const other = turns.use('b', () => Promise.resolve('done'));
  await slow;
  await expect(second).rejects.toThrow('no');
  expect(await other).toBe('done');
  expect(await turns.use('a', () => Promise.resolve('again'))).toBe('again');
});
