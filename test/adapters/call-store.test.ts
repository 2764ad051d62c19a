import { expect, test } from 'vitest';
import { SqlCallStore } from '../../src/adapters/sql/call-store.ts';
import { KeyTaken } from '../../src/ports/call-store.ts';
import { eachDatabase } from '../support/databases.ts';
import { stamp } from '../support/stamps.ts';

eachDatabase('call store', (_name, open) => {
  test('records a call whose operation wrote nothing itself', async () => {
    const database = await open();
    const call = stamp();
    const store = new SqlCallStore(database);
    await store.record(call, 't');
    await store.record(call, 'again');
    expect(database.isRecorded(call)).toBe(true);
    expect(await database.all('SELECT operation, target FROM audit')).toEqual([{ operation: 'test', target: 't' }]);
  });

  test('the first call with a key is remembered with its answer', async () => {
    const store = new SqlCallStore(await open());
    expect(await store.findAnswer('user_1', 'key')).toBeUndefined();
    await store.record(stamp({ at: 5, idempotencyKey: 'key', fingerprint: 'print' }));
    expect(await store.findAnswer('user_1', 'key')).toEqual({
      operation: 'test',
      fingerprint: 'print',
      answer: null,
      at: 5,
    });
    await store.saveAnswer('user_1', 'key', '{"code":0}');
    expect(await store.findAnswer('user_1', 'key')).toEqual({
      operation: 'test',
      fingerprint: 'print',
      answer: '{"code":0}',
      at: 5,
    });
  });

  test('a second call with the key is refused; another user may use the same key', async () => {
    const store = new SqlCallStore(await open());
    await store.record(stamp({ idempotencyKey: 'key' }));
    await expect(store.record(stamp({ idempotencyKey: 'key' }))).rejects.toThrow(KeyTaken);
    await store.record(stamp({ idempotencyKey: 'key', userId: 'user_2' }));
    expect(await store.findAnswer('user_3', 'key')).toBeUndefined();
  });

  test('forgets old answers, and their keys can be used again', async () => {
    const store = new SqlCallStore(await open());
    await store.record(stamp({ at: 10, idempotencyKey: 'old' }));
    await store.record(stamp({ at: 20, idempotencyKey: 'new' }));
    expect(await store.forgetAnswersBefore(20)).toBe(1);
    expect(await store.findAnswer('user_1', 'old')).toBeUndefined();
    expect((await store.findAnswer('user_1', 'new'))?.at).toBe(20);
    await store.record(stamp({ at: 30, idempotencyKey: 'old' }));
  });
});
