import { expect, test } from 'vitest';
import { SqlAccountStore } from '../../src/adapters/sql/account-store.ts';
import { UniqueViolation } from '../../src/adapters/sql/database.ts';
import { migrate } from '../../src/adapters/sql/migrate.ts';
import type { AccountStore } from '../../src/ports/account-store.ts';
import { eachDatabase } from '@sheaf/tools/testing/databases.ts';
import { stamp } from '@sheaf/tools/testing/stamp-fixture.ts';

const addUser = (store: AccountStore, id: string, name = id, at = 1000) =>
  store.createUser(stamp({ at, operation: 'account.create_user', requestId: `r-${id}` }), {
    id,
    name,
    role: 'member',
    passwordHash: null,
  });
const addKey = (store: AccountStore, id: string, userId: string, secretHash = `hash-${id}`) =>
  store.createKey(
    stamp({ at: 2000 }),
    { id, userId, clientId: 'client', name: 'laptop', modules: ['note', 'wiki'], access: 'read', expiresAt: 9000 },
    secretHash,
  );

eachDatabase('account store', (_name, open) => {
  const openStore = async (): Promise<AccountStore> => new SqlAccountStore(await open());

  test('keeps a user, found by id and by name', async () => {
    const store = await openStore();
    const user = { id: 'u1', name: 'Ada', role: 'owner', state: 'active', quotaBytes: null, createdAt: 1000 };
    expect(await store.ownerExists()).toBe(false);
    expect(await store.createUser(stamp(), { id: 'u1', name: 'Ada', role: 'owner', passwordHash: 'argon' })).toEqual(
      user,
    );
    expect(await store.user('u1')).toEqual(user);
    expect(await store.userByName('Ada')).toEqual({ ...user, passwordHash: 'argon' });
    expect(await store.userByName('ada')).toBeUndefined();
    expect(await store.user('u2')).toBeUndefined();
    expect(await store.ownerExists()).toBe(true);
  });

  test('a taken name is refused', async () => {
    const store = await openStore();
    await addUser(store, 'u1', 'Ada');
    await expect(addUser(store, 'u2', 'Ada')).rejects.toThrow(UniqueViolation);
    expect(await store.user('u2')).toBeUndefined();
  });

  test('lists users by age', async () => {
    const store = await openStore();
    await addUser(store, 'late', 'late', 3);
    await addUser(store, 'early', 'early', 1);
    await addUser(store, 'middle', 'middle', 2);
    expect((await store.listUsers()).map((user) => user.id)).toEqual(['early', 'middle', 'late']);
  });

  test('a suspended user is seen as such with the key at once, and can come back', async () => {
    const store = await openStore();
    await addUser(store, 'u1');
    await addKey(store, 'k1', 'u1');
    expect(await store.setUserState(stamp(), 'u1', 'suspended')).toBe(true);
    expect((await store.keyBySecretHash('hash-k1'))?.user.state).toBe('suspended');
    expect(await store.setUserState(stamp(), 'u1', 'active')).toBe(true);
    expect((await store.keyBySecretHash('hash-k1'))?.user.state).toBe('active');
    expect(await store.setUserState(stamp(), 'nobody', 'suspended')).toBe(false);
  });

  test('[T43] what was looked up before is seen as it is now, whoever changed it: this process or another', async () => {
    const place = await open.place();
    const [here, there] = [await place.connect(), await place.connect()];
    await migrate(here);
    const stores = [new SqlAccountStore(here), new SqlAccountStore(there)];
    const store = stores[0]!;
    await addUser(store, 'u1');
    await addKey(store, 'k1', 'u1');
    const signIn = () =>
      store.createSession(
        stamp(),
        {
          id: 's1',
          userId: 'u1',
          identityId: '',
          device: 'Firefox on Linux',
          createdAt: 1,
          expiresAt: 9000,
          isByLink: false,
        },
        'token-s1',
      );
    const seen = async (from: AccountStore) => [
      (await from.user('u1'))?.state,
      (await from.keyBySecretHash('hash-k1'))?.user.state,
      (await from.keyBySecretHash('hash-k1'))?.key.revokedAt,
      (await from.sessionByTokenHash('token-s1'))?.user.state,
    ];
    for (const writer of stores) {
      await signIn();
      for (const reader of stores) expect(await seen(reader)).toEqual(['active', 'active', null, 'active']);
      // A suspension ends the user's sessions for good.
      for (const state of ['suspended', 'active'] as const) {
        await writer.setUserState(stamp(), 'u1', state);
        for (const reader of stores) expect(await seen(reader)).toEqual([state, state, null, undefined]);
      }
    }
    await signIn();
    await stores[1]!.deleteSession(stamp(), 'u1', 's1');
    await stores[1]!.revokeKey(stamp({ at: 6000 }), 'u1', 'k1');
    for (const reader of stores) expect(await seen(reader)).toEqual(['active', 'active', 6000, undefined]);
  });

  test('a lookup that began before a change does not bring the old state back after it', async () => {
    const store = await openStore();
    await addUser(store, 'u1');
    await addKey(store, 'k1', 'u1');
    for (let round = 0; round < 20; round++) {
      const state = round % 2 === 0 ? 'suspended' : 'active';
      const changing = store.setUserState(stamp(), 'u1', state);
      const looking = (async () => {
        for (let look = 0; look < 20; look++) await store.keyBySecretHash('hash-k1');
      })();
      await changing;
      expect((await store.keyBySecretHash('hash-k1'))?.user.state).toBe(state);
      await looking;
      expect((await store.keyBySecretHash('hash-k1'))?.user.state).toBe(state);
    }
  });

  test('deleting a user ends every way in, frees the name and cannot be undone', async () => {
    const store = await openStore();
    await store.createUser(stamp(), { id: 'u1', name: 'Ada', role: 'member', passwordHash: 'argon' });
    await addKey(store, 'k1', 'u1');
    await store.createSession(
      stamp(),
      {
        id: 's1',
        userId: 'u1',
        identityId: '',
        device: 'Firefox on Linux',
        createdAt: 1,
        expiresAt: 9000,
        isByLink: false,
      },
      'token-s1',
    );
    await store.createSignInToken(stamp(), 'u1', 'link-1', 9000);
    expect(await store.setUserState(stamp({ at: 5000 }), 'u1', 'deleted')).toBe(true);
    expect(await store.user('u1')).toMatchObject({ id: 'u1', name: 'Ada#u1', state: 'deleted' });
    expect((await store.keyBySecretHash('hash-k1'))?.key.revokedAt).toBe(5000);
    expect(await store.sessionByTokenHash('token-s1')).toBeUndefined();
    expect(await store.takeSignInToken(stamp(), 'link-1')).toBeUndefined();
    expect((await store.userByName('Ada#u1'))?.passwordHash).toBeNull();
    expect(await store.setUserState(stamp(), 'u1', 'active')).toBe(false);
    await addUser(store, 'u2', 'Ada');
    expect((await store.userByName('Ada'))?.id).toBe('u2');
  });

  test('sets a password', async () => {
    const store = await openStore();
    await addUser(store, 'u1', 'Ada');
    expect(await store.setPassword(stamp(), 'u1', 'new', '')).toBe(true);
    expect((await store.userByName('Ada'))?.passwordHash).toBe('new');
    expect(await store.setPassword(stamp(), 'nobody', 'new', '')).toBe(false);
  });

  test('keeps a key, found by the hash of its secret, with its user', async () => {
    const store = await openStore();
    await addUser(store, 'u1', 'Ada');
    const key = {
      id: 'k1',
      userId: 'u1',
      clientId: 'client',
      name: 'laptop',
      modules: ['note', 'wiki'],
      access: 'read',
      createdAt: 2000,
      expiresAt: 9000,
      lastUsedAt: null,
      revokedAt: null,
    };
    expect(await addKey(store, 'k1', 'u1')).toEqual(key);
    expect(await store.keyBySecretHash('hash-k1')).toEqual({
      key,
      user: { id: 'u1', name: 'Ada', role: 'member', state: 'active', quotaBytes: null, createdAt: 1000 },
    });
    expect(await store.keyBySecretHash('hash-k2')).toBeUndefined();
    await expect(addKey(store, 'k2', 'u1', 'hash-k1')).rejects.toThrow(UniqueViolation);
    await expect(addKey(store, 'k3', 'nobody')).rejects.toThrow(/foreign key/i);
    expect(await store.listKeys('u1')).toEqual([key]);
  });

  test('revokes a key once, and only for its owner', async () => {
    const store = await openStore();
    await addUser(store, 'u1');
    await addUser(store, 'u2');
    await addKey(store, 'k1', 'u1');
    expect(await store.revokeKey(stamp(), 'u2', 'k1')).toBe(false);
    expect(await store.revokeKey(stamp({ at: 7000 }), 'u1', 'k1')).toBe(true);
    expect(await store.revokeKey(stamp({ at: 8000 }), 'u1', 'k1')).toBe(false);
    expect((await store.listKeys('u1'))[0]?.revokedAt).toBe(7000);
  });

  test('notes when keys were used', async () => {
    const store = await openStore();
    await addUser(store, 'u1');
    await addKey(store, 'k1', 'u1');
    await addKey(store, 'k2', 'u1');
    await store.touchKeys(
      new Map([
        ['k1', 4000],
        ['gone', 1],
      ]),
    );
    await store.touchKeys(new Map());
    expect((await store.listKeys('u1')).map((key) => key.lastUsedAt)).toEqual([4000, null]);
  });

  test('keeps sessions until they are deleted by their owner', async () => {
    const store = await openStore();
    await addUser(store, 'u1', 'Ada');
    await addUser(store, 'u2');
    const session = {
      id: 's1',
      userId: 'u1',
      identityId: '',
      device: 'Firefox on Linux',
      createdAt: 10,
      expiresAt: 20,
      isByLink: true,
    };
    await store.createSession(stamp(), session, 'token-1');
    expect((await store.sessionByTokenHash('token-1'))?.session).toEqual(session);
    expect((await store.sessionByTokenHash('token-1'))?.user.name).toBe('Ada');
    expect(await store.listSessions('u1')).toEqual([session]);
    expect(await store.deleteSession(stamp(), 'u2', 's1')).toBe(false);
    expect(await store.deleteSession(stamp(), 'u1', 's1')).toBe(true);
    expect(await store.sessionByTokenHash('token-1')).toBeUndefined();
  });

  test('a sign-in link works once, in time, for one of many callers', async () => {
    const store = await openStore();
    await addUser(store, 'u1');
    await store.createSignInToken(stamp(), 'u1', 'link', 5000);
    const takers = await Promise.all(
      [1, 2, 3, 4].map((n) => store.takeSignInToken(stamp({ at: 4000, requestId: `r${n}` }), 'link')),
    );
    expect(takers.filter((user) => user !== undefined)).toEqual(['u1']);
    await store.createSignInToken(stamp(), 'u1', 'late', 5000);
    expect(await store.takeSignInToken(stamp({ at: 5000 }), 'late')).toBeUndefined();
    expect(await store.takeSignInToken(stamp({ at: 4000 }), 'late')).toBeUndefined();
  });

  test('every write is in the audit, newest first, by user and operation, in pages', async () => {
    const store = await openStore();
    await addUser(store, 'u1');
    await addUser(store, 'u2');
    await store.setUserState(
      stamp({ at: 3000, userId: 'admin', keyId: 'k', operation: 'account.suspend', requestId: 'r9' }),
      'u2',
      'suspended',
    );
    const all = await store.listAudit({ limit: 10 });
    expect(all.map((row) => [row.operation, row.target, row.userId])).toEqual([
      ['account.suspend', 'u2', 'admin'],
      ['account.create_user', 'u2', 'user_1'],
      ['account.create_user', 'u1', 'user_1'],
    ]);
    expect(all[0]).toMatchObject({ at: 3000, keyId: 'k', requestId: 'r9' });
    expect((await store.listAudit({ userId: 'admin', limit: 10 })).map((row) => row.operation)).toEqual([
      'account.suspend',
    ]);
    expect((await store.listAudit({ operation: 'account.create_user', limit: 1 })).map((row) => row.target)).toEqual([
      'u2',
    ]);
    expect((await store.listAudit({ before: all[1]!.id, limit: 10 })).map((row) => row.target)).toEqual(['u1']);
  });
});
