import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { modules } from '../../src/modules.ts';
import { Registry } from '../../src/kernel/module.ts';
import { startServer, type Key, type TestServer } from '@sheaf/tools/testing/test-server.ts';

/** [T40] Every operation of the registry against every kind of caller who must not get in. New operations are covered by existing. */
const registry = new Registry(Object.values(modules));

/** Runs ahead a second with every operation, so that guessing keys is not slowed down here. */
let ahead = 0;
const clock = { now: () => Date.now() + ahead };
let server: TestServer;
let suspended: Key;
let deleted: Key;
let ofNotes: Key;
let ofBases: Key;
let reader: Key;

beforeAll(async () => {
  server = await startServer({ database: 'sqlite', clock });
  suspended = await server.newUser();
  await server.call('http', 'account', 'suspend_user', { user_id: suspended.userId });
  deleted = await server.newUser();
  await server.call('http', 'account', 'delete_user', { user_id: deleted.userId });
  ofNotes = await newKey({ name: 'narrow', modules: ['note'] });
  ofBases = await newKey({ name: 'narrow', modules: ['wiki'] });
  reader = await newKey({ name: 'reader', access: 'read' });
});

async function newKey(input: Record<string, unknown>): Promise<Key> {
  const { data } = await server.call('http', 'account', 'create_key', input);
  return { userId: '', clientId: data.key.client_id, apiKey: data.api_key };
}

afterAll(() => server.close());

const suspendedCodes: Record<string, number> = {
  wiki: 110030,
  note: 210012,
  sheet: 310007,
  manage: 310007,
  account: 410009,
  sharing: 510009,
  inbox: 610009,
};
const permissionCodes: Record<string, number> = {
  wiki: 110030,
  note: 210034,
  sheet: 310007,
  manage: 310007,
  account: 410007,
  sharing: 510007,
  inbox: 610007,
};

describe('[T40] the matrix of callers', () => {
  for (const { module, operation } of registry.entries()) {
    test(`${module.name}.${operation.name}`, async () => {
      ahead += 1000;
      const nobody: Key = { userId: '', clientId: '', apiKey: '' };
      const wrong: Key = { ...server.owner, apiKey: 'sk_wrong' };
      const written = () =>
        server.app.database.get<{ n: number }>("SELECT COUNT(*) AS n FROM audit WHERE operation <> 'page.x'");
      const before = await written();
      for (const [caller, key, code] of [
        ['no key', nobody, 20004],
        ['a wrong key', wrong, 20004],
        ['a suspended user', suspended, suspendedCodes[module.name]],
        ['a deleted user', deleted, suspendedCodes[module.name]],
        // Both answer every key, and list_changes only what is in the modules of the key.
        ...(['get_me', 'list_changes'].includes(operation.name)
          ? []
          : ([
              ['a key for another module', module.name === 'note' ? ofBases : ofNotes, permissionCodes[module.name]],
            ] as const)),
        ...(operation.effect === 'read'
          ? []
          : ([['a key that only reads', reader, permissionCodes[module.name]]] as const)),
      ] as const) {
        const answer = await server.call('http', module.name, operation.name, {}, key);
        expect([caller, answer.code, answer.data]).toEqual([caller, code, {}]);
      }
      expect(await written()).toEqual(before);
    });
  }
});
