import { expect, test } from 'vitest';
import type { Database } from '../../src/adapters/sql/database.ts';
import { SqlAccountStore } from '../../src/adapters/sql/account-store.ts';
import { SqlTaskStore } from '../../src/adapters/sql/task-store.ts';
import { newId } from '../../src/lib/ids.ts';
import { maxTasks, type TaskCompletion } from '../../src/ports/task-store.ts';
import { eachDatabase } from '@sheaf/tools/testing/databases.ts';

const clock = { at: 1000, now: () => clock.at };
const done: TaskCompletion = { state: 'completed', message: '', outcome: '{"a":"é"}', expiresAt: 5000 };

async function member(database: Database): Promise<string> {
  const id = newId('user');
  const stamp = { at: 1, userId: '', keyId: '', operation: 'test', requestId: '' };
  await new SqlAccountStore(database).createUser(stamp, { id, name: id, role: 'member', passwordHash: null });
  return id;
}

const stampOf = (userId: string) => ({
  at: clock.at,
  userId,
  keyId: 'key',
  operation: 'mcp.create_task',
  requestId: 'request',
});
const newTask = (id: string) => ({ id, operation: 'a.b', message: 'begun', leaseUntil: 2000, expiresAt: 5000 });
const usedBy = async (database: Database, userId: string): Promise<number> =>
  (await database.get<{ bytes: number }>('SELECT bytes FROM storage_use WHERE user_id = ?', userId))?.bytes ?? 0;

eachDatabase('task store', (_name, open) => {
  const opened = async () => {
    clock.at = 1000;
    const database = await open();
    return { database, store: new SqlTaskStore(database, clock), userId: await member(database) };
  };

  test('a task is kept, ends once, and counts while it is there', async () => {
    const { database, store, userId } = await opened();
    expect(await store.create(stampOf(userId), newTask('t1'))).toBe(true);
    expect(await store.get('t1')).toMatchObject({ state: 'working', message: 'begun', userId, keyId: 'key' });
    expect(await store.renewLease('t1', 'half', 3000)).toMatchObject({ isCancelRequested: false });
    expect(await store.end({ id: 't1', userId }, done)).toBe(true);
    expect(await store.end({ id: 't1', userId }, { ...done, state: 'failed' })).toBe(false);
    expect(await store.renewLease('t1', 'late', 9000)).toBeUndefined();
    expect(await store.get('t1')).toMatchObject({ state: 'completed', outcome: '{"a":"é"}', expiresAt: 5000 });
    expect(await usedBy(database, userId)).toBe(10);
    clock.at = 6000;
    expect(await store.deleteExpired()).toBe(1);
    expect(await store.get('t1')).toBeUndefined();
    expect(await usedBy(database, userId)).toBe(0);
  });

  test('only one whose lease has run out is abandoned', async () => {
    const { store, userId } = await opened();
    await store.create(stampOf(userId), newTask('t1'));
    expect(await store.endAbandoned({ id: 't1', userId }, { ...done, state: 'failed' })).toBe(false);
    clock.at = 2001;
    expect(await store.endAbandoned({ id: 't1', userId }, { ...done, state: 'failed' })).toBe(true);
    expect(await store.get('t1')).toMatchObject({ state: 'failed' });
  });

  test('to cancel is a wish that whoever runs it hears of; both are in the audit', async () => {
    const { database, store, userId } = await opened();
    await store.create(stampOf(userId), newTask('t1'));
    expect(await store.requestCancel({ ...stampOf(userId), operation: 'mcp.cancel_task' }, 't1')).toBe(true);
    expect(await store.renewLease('t1', '', 3000)).toMatchObject({ isCancelRequested: true });
    await store.end({ id: 't1', userId }, { ...done, state: 'cancelled', outcome: '' });
    expect(await store.requestCancel(stampOf(userId), 't1')).toBe(false);
    const rows = await database.all<{ operation: string }>(
      "SELECT operation FROM audit WHERE target = 't1' AND user_id = ? ORDER BY id",
      userId,
    );
    expect(rows.slice(0, 2).map(({ operation }) => operation)).toEqual(['mcp.create_task', 'mcp.cancel_task']);
  });

  test('a user has so many; one that has expired makes room; all go with the account', async () => {
    const { database, store, userId } = await opened();
    for (let count = 0; count < maxTasks; count++)
      expect(await store.create(stampOf(userId), newTask(`t${count}`))).toBe(true);
    expect(await store.create(stampOf(userId), newTask('more'))).toBe(false);
    expect(await store.create(stampOf(await member(database)), newTask('of another'))).toBe(true);
    await store.end({ id: 't0', userId }, done);
    clock.at = 5001;
    expect(await store.create(stampOf(userId), newTask('more'))).toBe(true);
    expect(await usedBy(database, userId)).toBe(0);
    await store.end({ id: 'more', userId }, { ...done, expiresAt: 9000 });
    expect(await usedBy(database, userId)).toBe(10);
    await new SqlAccountStore(database).setUserState({ ...stampOf(userId), operation: 'test' }, userId, 'deleted');
    expect(await store.get('more')).toBeUndefined();
    expect(await usedBy(database, userId)).toBe(0);
    expect(await store.get('of another')).toBeDefined();
  });
});
