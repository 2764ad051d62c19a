import { expect, test, vi } from 'vitest';
import { SqlIdempotencyStore } from '../../src/adapters/sql/idempotency-store.ts';
import { IdempotencyKeyConflict } from '../../src/ports/idempotency-store.ts';
import type { Stamp } from '../../src/ports/audit-stamp.ts';
import { eachDatabase } from '@sheaf/tools/testing/databases.ts';
import { stamp } from '@sheaf/tools/testing/stamp-fixture.ts';

/** With an answer to store. */
function keyed(fields: Parameters<typeof stamp>[0]): ReturnType<typeof stamp> {
  return { ...stamp(fields), answer: () => '{}' };
}

eachDatabase('call store', (_name, open) => {
  test('records a call whose operation wrote nothing itself', async () => {
    const database = await open();
    const call = stamp();
    const store = new SqlIdempotencyStore(database);
    await store.record(call, 't');
    await store.record(call, 'again');
    expect(database.isRecorded(call)).toBe(true);
    expect(await database.all('SELECT operation, target FROM audit')).toEqual([{ operation: 'test', target: 't' }]);
  });

  test('the first call with a key is remembered with its answer', async () => {
    const store = new SqlIdempotencyStore(await open());
    expect(await store.findAnswer('user_1', 'key')).toBeUndefined();
    const call = { ...stamp({ at: 5, idempotencyKey: 'key', fingerprint: 'print' }), answer: () => '{"code":0}' };
    await store.record(call);
    expect(store.isRecorded(call)).toBe(true);
    expect(await store.findAnswer('user_1', 'key')).toEqual({
      operation: 'test',
      fingerprint: 'print',
      answer: '{"code":0}',
      at: 5,
    });
  });

  test('[finding Q16] a write without an answer takes no key, and one that fails leaves none', async () => {
    const database = await open();
    const store = new SqlIdempotencyStore(database);
    const call: Stamp = { ...stamp({ idempotencyKey: 'key' }) };
    await database.write(call, async () => undefined);
    expect(store.isRecorded(call)).toBe(false);
    call.answer = () => undefined;
    await database.write(call, async () => undefined);
    expect(await store.findAnswer('user_1', 'key')).toBeUndefined();
    call.answer = (result) => {
      throw new Error(`no answer to ${String(result)}`);
    };
    const write = database.write(call, (tx) => tx.run("INSERT INTO storage_use (user_id, bytes) VALUES ('a', 1)"));
    await expect(write).rejects.toThrow('no answer to 1');
    expect(await store.findAnswer('user_1', 'key')).toBeUndefined();
    call.answer = (result) => `answer to ${String(result)}`;
    await database.write(call, async () => 'this');
    expect((await store.findAnswer('user_1', 'key'))?.answer).toBe('answer to this');
    expect(store.isRecorded(call)).toBe(true);
    expect(await database.all('SELECT operation FROM audit')).toHaveLength(1);
  });

  test('[finding Q16] who asks at the same time is answered by one question for each user', async () => {
    const database = await open();
    const store = new SqlIdempotencyStore(database);
    const of = (userId: string, idempotencyKey: string): Stamp => ({
      ...stamp({ userId, idempotencyKey }),
      answer: () => `${userId} ${idempotencyKey}`,
    });
    for (const call of [of('user_1', 'a\nb'), of('user_1', 'c'), of('user_2', 'c')]) await store.record(call);
    const asked = vi.spyOn(database, 'all');
    const found = await Promise.all(
      [
        ['user_1', 'a\nb'],
        ['user_1', 'c'],
        ['user_2', 'c'],
        ['user_2', 'a\nb'],
        ['user_1', 'c'],
        ...Array.from({ length: 70 }, (_, index) => ['user_1', `none ${index}`]),
      ].map(([userId, key]) => store.findAnswer(userId!, key!)),
    );
    expect(found.slice(0, 5).map((one) => one?.answer)).toEqual([
      'user_1 a\nb',
      'user_1 c',
      'user_2 c',
      undefined,
      'user_1 c',
    ]);
    expect(found.slice(5)).toEqual(Array(70).fill(undefined));
    expect(asked).toHaveBeenCalledTimes(2);
  });

  test('a second call with the key is refused; another user may use the same key', async () => {
    const store = new SqlIdempotencyStore(await open());
    await store.record(keyed({ idempotencyKey: 'key' }));
    await expect(store.record(keyed({ idempotencyKey: 'key' }))).rejects.toThrow(IdempotencyKeyConflict);
    await store.record(keyed({ idempotencyKey: 'key', userId: 'user_2' }));
    expect(await store.findAnswer('user_3', 'key')).toBeUndefined();
  });

  test('forgets old answers, and their keys can be used again', async () => {
    const store = new SqlIdempotencyStore(await open());
    await store.record(keyed({ at: 10, idempotencyKey: 'old' }));
    await store.record(keyed({ at: 20, idempotencyKey: 'new' }));
    expect(await store.deleteAnswersBefore(20)).toBe(1);
    expect(await store.findAnswer('user_1', 'old')).toBeUndefined();
    expect((await store.findAnswer('user_1', 'new'))?.at).toBe(20);
    await store.record(keyed({ at: 30, idempotencyKey: 'old' }));
  });
});
