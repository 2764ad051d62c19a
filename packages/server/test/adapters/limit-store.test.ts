import { expect, test } from 'vitest';
import { SqlRateLimitStore } from '../../src/adapters/sql/rate-limit-store.ts';
import { eachDatabase } from '@sheaf/tools/testing/databases.ts';

const limit = { rate: 2, burst: 10 };

eachDatabase('limit store', (_name, open) => {
  test('takes from full buckets, and they fill up again to their brim', async () => {
    const store = new SqlRateLimitStore(await open());
    expect(
      await store.take(
        [
          { bucket: 'a 1', amount: 4, ...limit },
          { bucket: 'a 2', amount: 1, ...limit },
        ],
        1000,
      ),
    ).toEqual([6, 9]);
    expect(await store.take([{ bucket: 'a 1', amount: 1, ...limit }], 2000)).toEqual([7]);
    expect(await store.take([{ bucket: 'a 1', amount: 0, ...limit }], 60_000)).toEqual([10]);
  });

  test('more than there is leaves less than nothing, down to one burst', async () => {
    const store = new SqlRateLimitStore(await open());
    expect(await store.take([{ bucket: 'a 1', amount: 15, ...limit }], 1000)).toEqual([-5]);
    expect(await store.take([{ bucket: 'a 1', amount: 1000, ...limit }], 1000)).toEqual([-10]);
    expect(await store.take([{ bucket: 'a 1', amount: 0, ...limit }], 4000)).toEqual([-4]);
  });

  test('a clock that jumps back takes nothing away', async () => {
    const store = new SqlRateLimitStore(await open());
    await store.take([{ bucket: 'a 1', amount: 5, ...limit }], 10_000);
    expect(await store.take([{ bucket: 'a 1', amount: 0, ...limit }], 1000)).toEqual([5]);
  });

  test('tells what is left now, and forgets what is old', async () => {
    const store = new SqlRateLimitStore(await open());
    await store.take([{ bucket: 'a old', amount: 3, ...limit }], 1000);
    await store.take([{ bucket: 'a new', amount: 3, ...limit }], 5000);
    expect(await store.since(2000, 6000)).toEqual([{ bucket: 'a new', tokens: 9 }]);
    expect(await store.forgetBefore(5000)).toBe(1);
    expect(await store.since(0, 5000)).toEqual([{ bucket: 'a new', tokens: 7 }]);
  });

  test('nodes that take at once lose no count', async () => {
    const store = new SqlRateLimitStore(await open());
    await Promise.all(Array.from({ length: 8 }, () => store.take([{ bucket: 'a 1', amount: 1, ...limit }], 1000)));
    expect(await store.take([{ bucket: 'a 1', amount: 0, ...limit }], 1000)).toEqual([2]);
  });
});
