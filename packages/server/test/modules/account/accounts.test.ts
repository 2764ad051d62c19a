import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { moduleNames } from '../../../src/modules/account/operations/create_key.ts';
import { createClient } from '@sheaf/client';
import { modules } from '../../../src/modules.ts';
import { eachServer, type Answer } from '@sheaf/tools/testing/test-server.ts';
import { submitSignIn, sessionOf } from '@sheaf/tools/testing/sign-in.ts';

eachServer('accounts', (server) => {
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(server().url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      redirect: 'manual',
    });

  test('[T43] a suspended caller is refused on the next request on every path, and let in again', async () => {
    const member = await server().newUser();
    expect((await server().call('http', 'account', 'get_me', {}, member)).code).toBe(0);
    await server().call('http', 'account', 'suspend_user', { user_id: member.userId });
    expect(await server().call('http', 'account', 'get_me', {}, member)).toMatchObject({ code: 410009, data: {} });
    const mcp = await fetch(`${server().url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: member.apiKey },
      body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    });
    expect(mcp.status).toBe(401);
    await server().call('http', 'account', 'resume_user', { user_id: member.userId });
    expect((await server().call('http', 'account', 'get_me', {}, member)).code).toBe(0);
  });

  test('a deleted user and a revoked or expired key are refused', async () => {
    const member = await server().newUser();
    const client = createClient({ url: server().url, clientId: member.clientId, apiKey: member.apiKey });
    const { keys } = await client.account.list_keys({});
    await client.account.revoke_key({ key_id: keys[0]!.key_id });
    expect((await server().call('http', 'account', 'get_me', {}, member)).code).toBe(20004);
    const gone = await server().newUser();
    await server().call('http', 'account', 'delete_user', { user_id: gone.userId });
    expect((await server().call('http', 'account', 'get_me', {}, gone)).code).toBe(410009);
    const past = await server().call('http', 'account', 'create_key', { name: 'old', expire_time: 1000 });
    expect(past).toEqual({ code: 410001, msg: 'expire_time: must be in the future (got 1000)', data: {} });
  });

  test('a key is held to its modules and to reading', async () => {
    const made = await server().call('http', 'account', 'create_key', {
      name: 'reader',
      modules: ['note'],
      access: 'read',
    });
    const reader = { userId: '', clientId: made.data.key.client_id, apiKey: made.data.api_key };
    expect((await server().call('http', 'account', 'get_me', {}, reader)).data.scopes).toEqual({
      modules: ['note'],
      access: 'read',
    });
    expect(await server().call('http', 'note', 'import_doc', { content_format: 1, content: 'x' }, reader)).toEqual({
      code: 210034,
      msg: 'this API key is read-only; import_doc requires write access',
      data: {},
    });
  });

  test('a key for one module does not become one for all: it cannot make keys, links or passwords', async () => {
    const made = await server().call('http', 'account', 'create_key', { name: 'writer', modules: ['note'] });
    const writer = { userId: '', clientId: made.data.key.client_id, apiKey: made.data.api_key };
    expect((await server().call('http', 'account', 'get_me', {}, writer)).code).toBe(0);
    const attempts = [
      ['create_key', { name: 'x' }],
      ['create_sign_in_link', {}],
      ['set_password', { password: 'long enough' }],
      ['list_audit', {}],
      ['list_users', {}],
      ['suspend_user', { user_id: 'user_x' }],
    ] as const;
    for (const [operation, input] of attempts) {
      expect([operation, await server().call('http', 'account', operation, input, writer)]).toEqual([
        operation,
        { code: 410007, msg: 'this API key has no access to the module account (it has access to note)', data: {} },
      ]);
    }
  });

  test('a key is made for modules that exist', async () => {
    expect([...moduleNames].toSorted()).toEqual(Object.keys(modules).toSorted());
    expect(await server().call('http', 'account', 'create_key', { name: 'x', modules: ['notes'] })).toEqual({
      code: 410001,
      msg: 'modules[0]: must be one of wiki, note, sheet, manage, account, sharing, inbox (got "notes")',
      data: {},
    });
  });

  test('only the owner administers; nobody suspends the owner', async () => {
    const member = await server().newUser();
    for (const [operation, input] of [
      ['list_users', {}],
      ['create_user', { name: 'eve' }],
      ['suspend_user', { user_id: server().owner.userId }],
      ['list_keys', { user_id: server().owner.userId }],
    ] as const) {
      expect([operation, (await server().call('http', 'account', operation, input, member)).code]).toEqual([
        operation,
        410007,
      ]);
    }
    expect((await server().call('http', 'account', 'suspend_user', { user_id: server().owner.userId })).code).toBe(
      410007,
    );
  });

  test('[T44] secrets are stored as hashes only', async () => {
    const made = await server().call('http', 'account', 'create_key', { name: 'secret' });
    const rows = await server().app.database.all('SELECT * FROM api_key');
    expect(JSON.stringify(rows)).not.toContain(made.data.api_key);
  });

  test('writes are audited with caller, operation, time and target; members see their own', async () => {
    const member = await server().newUser();
    const made = await server().call('mcp', 'account', 'create_key', { name: 'audited' }, member);
    const { data } = await server().call('http', 'account', 'list_audit', { limit: 1 }, member);
    expect(data.rows[0]).toMatchObject({
      user_id: member.userId,
      operation: 'account.create_key',
      target: made.data.key.key_id,
    });
    expect(data.rows[0].key_id).toMatch(/^key_/);
  });

  test('[finding P18] writes of people and those of keys and apps are listed apart; me is the caller', async () => {
    const { data: made } = await server().call('http', 'account', 'create_key', { name: 'apart' });
    const link = await server().call('http', 'account', 'create_sign_in_link', {});
    const cookie = sessionOf(await submitSignIn(server().url, link.data.sign_in_path));
    const headers = { cookie, origin: server().url };
    const renamed = await post('/openapi/account/v1/create_key', { name: 'by hand' }, headers);
    const byHand = ((await renamed.json()) as Answer).data.key.key_id;
    const targets = async (by: string): Promise<string[]> => {
      const { data } = await server().call('http', 'account', 'list_audit', { user_id: 'me', by, limit: 100 });
      expect(new Set(data.rows.map((row: { user_id: string }) => row.user_id))).toEqual(
        new Set([server().owner.userId]),
      );
      return data.rows.map((row: { target: string }) => row.target);
    };
    expect(await targets('people')).toContain(byHand);
    expect(await targets('people')).not.toContain(made.key.key_id);
    expect(await targets('apps')).toContain(made.key.key_id);
    expect(await targets('apps')).not.toContain(byHand);
  });

  test('[T76] an Idempotency-Key makes five concurrent repeats one effect, and another body a conflict', async () => {
    const headers = {
      'svc-openapi-clientid': server().owner.clientId,
      'svc-openapi-apikey': server().owner.apiKey,
      'idempotency-key': 'abc',
    };
    const answers = await Promise.all(
      Array.from({ length: 5 }, async () =>
        (await post('/openapi/account/v1/create_key', { name: 'once' }, headers)).json(),
      ),
    );
    expect(new Set(answers.map((answer: any) => answer.data.key.key_id)).size).toBe(1);
    const other = (await (await post('/openapi/account/v1/create_key', { name: 'twice' }, headers)).json()) as Answer;
    expect(other.code).toBe(410008);
  });

  test('[T44] a secret is stored nowhere, not even as the answer for a repeat, which still gets it', async () => {
    const ask = async (operation: string, input: object, key: string) => {
      const answer = await post(`/openapi/account/v1/${operation}`, input, {
        'svc-openapi-clientid': server().owner.clientId,
        'svc-openapi-apikey': server().owner.apiKey,
        'idempotency-key': key,
      });
      return (await answer.json()) as Answer;
    };
    const name = `kept-${Date.now()}`;
    const calls = [
      ['create_key', { name: 'kept' }],
      ['create_sign_in_link', {}],
      ['create_user', { name }],
    ] as const;
    const secrets: string[] = [];
    for (const [operation, input] of calls) {
      const first = await ask(operation, input, `${name}-${operation}`);
      expect(first.code).toBe(0);
      expect(await ask(operation, input, `${name}-${operation}`)).toEqual(first);
      secrets.push(first.data.api_key ?? first.data.sign_in_path.split('token=')[1]);
    }
    const codes: number[] = [];
    for (const password of ['correct horse', 'correct horse', 'another horse'])
      codes.push((await ask('set_password', { password }, `${name}-password`)).code);
    expect(codes).toEqual([0, 0, 410008]);
    const [row] = await server().app.database.all<{ fingerprint: string }>(
      'SELECT fingerprint FROM idempotency WHERE key = ?',
      `${name}-password`,
    );
    const guessed = createHash('sha256').update('account.set_password\n{"password":"correct horse"}').digest('hex');
    expect([row!.fingerprint.length, row!.fingerprint === guessed]).toEqual([64, false]);
    const stored = JSON.stringify(await server().app.database.all('SELECT * FROM idempotency'));
    expect(stored).toContain(`${name}-create_key`);
    expect(secrets.filter((secret) => secret.length < 40 || stored.includes(secret))).toEqual([]);
  });

  describe('sign-in of the page', () => {
    const origin = () => ({ origin: server().url });

    test('by one-time link, once; the cookie is not for scripts', async () => {
      const { data } = await server().call('http', 'account', 'create_sign_in_link', {});
      await fetch(server().url + data.sign_in_path, { method: 'HEAD' });
      const first = await submitSignIn(server().url, data.sign_in_path);
      expect([first.status, first.headers.get('location')]).toEqual([303, '/']);
      expect(first.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Lax/);
      const me = await post('/openapi/account/v1/get_me', {}, { cookie: sessionOf(first), ...origin() });
      expect(((await me.json()) as Answer).data.name).toBe('owner');
      expect((await fetch(server().url + data.sign_in_path, { redirect: 'manual' })).status).toBe(410);
    });

    test('[T100] answers to a session say whose they are, others do not', async () => {
      const { data } = await server().call('http', 'account', 'create_sign_in_link', {});
      const cookie = sessionOf(await submitSignIn(server().url, data.sign_in_path));
      const { userId, clientId, apiKey } = server().owner;
      const byKey = { 'svc-openapi-clientid': clientId, 'svc-openapi-apikey': apiKey };
      const accountIn = async (path: string, body: object, headers: Record<string, string>): Promise<string | null> =>
        (await post(path, body, headers)).headers.get('x-sheaf-account');
      expect(await accountIn('/openapi/account/v1/get_me', {}, { cookie, ...origin() })).toBe(userId);
      expect(await accountIn('/openapi/note/v1/export_note', {}, { cookie, ...origin() })).toBe(userId);
      expect(await accountIn('/openapi/account/v1/get_me', {}, byKey)).toBeNull();
    });

    test('[T38] a cookie from another site, or without an origin, is refused', async () => {
      const { data } = await server().call('http', 'account', 'create_sign_in_link', {});
      const cookie = sessionOf(await submitSignIn(server().url, data.sign_in_path));
      for (const headers of [{ cookie }, { cookie, origin: 'http://evil.com' }] as Record<string, string>[]) {
        for (const path of ['/openapi/account/v1/create_key', '/openapi/account/v1/no_such_thing']) {
          const answer = await post(path, { name: 'x' }, headers);
          expect([answer.status, ((await answer.json()) as Answer).code]).toEqual([403, 410007]);
        }
      }
    });

    test('a new password signs the other sessions out, not the one that set it, and not the keys', async () => {
      const member = await server().newUser();
      const signIn = async () => {
        const { data } = await server().call('http', 'account', 'create_sign_in_link', { user_id: member.userId });
        return sessionOf(await submitSignIn(server().url, data.sign_in_path));
      };
      const [mine, theirs] = [await signIn(), await signIn()];
      const set = await post(
        '/openapi/account/v1/set_password',
        { password: 'a new password' },
        { cookie: mine, ...origin() },
      );
      expect(await set.json()).toEqual({ code: 0, msg: 'success', data: {} });
      expect((await post('/openapi/account/v1/get_me', {}, { cookie: mine, ...origin() })).status).toBe(200);
      expect((await post('/openapi/account/v1/get_me', {}, { cookie: theirs, ...origin() })).status).toBe(401);
      expect((await server().call('http', 'account', 'get_me', {}, member)).code).toBe(0);
      const { data } = await server().call('http', 'account', 'list_audit', { user_id: member.userId });
      expect(
        data.rows
          .filter((row: { operation: string }) => row.operation === 'account.set_password')
          .map((row: { target: string }) => row.target),
      ).toEqual([member.userId]);
    });

    test('by name and password; wrong ones say the same whatever is wrong; sign-out ends it', async () => {
      const { data } = await server().call('http', 'account', 'create_user', {
        name: `ada-${Date.now()}`,
        password: 'correct horse',
      });
      const { name } = data.user;
      const wrong = await post('/sign-in', { name, password: 'wrong horse' }, origin());
      const nobody = await post('/sign-in', { name: 'nobody', password: 'wrong horse' }, origin());
      const { trace_id: _, ...told } = (await nobody.json()) as Record<string, unknown>;
      expect([wrong.status, await wrong.json()]).toEqual([nobody.status, { ...told, trace_id: expect.any(String) }]);
      const good = await post('/sign-in', { name, password: 'correct horse' }, origin());
      expect(good.status).toBe(200);
      const cookie = sessionOf(good);
      await post('/sign-out', {}, { cookie, ...origin() });
      expect((await post('/openapi/account/v1/get_me', {}, { cookie, ...origin() })).status).toBe(401);
    });
  });
});
