import { spawn, type ChildProcess } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DatabaseName } from '@sheaf/tools/testing/databases.ts';
import { freshPostgres } from '@sheaf/tools/testing/postgres.ts';
import { RoundRobinProxy } from '@sheaf/tools/testing/round-robin-proxy.ts';
import { startServer, type TestServer } from '@sheaf/tools/testing/test-server.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';
import {
  allow,
  askTokens,
  authorizeUrl,
  callTool,
  codeForm,
  refreshForm,
  register,
  signInAs,
  type Tokens,
} from './support.ts';

let child: ChildProcess;
let issuer: string;

beforeAll(async () => {
  const program = fileURLToPath(new URL('./provider.mjs', import.meta.url));
  child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'ignore'] });
  issuer = await new Promise<string>((resolve, reject) => {
    let said = '';
    child.stdout!.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes('\n')) resolve(said.split('\n', 1)[0]!);
    });
    child.once('exit', (code) => reject(new Error(`the provider ended with ${code}`)));
  });
});
afterAll(() => child.kill());

/** A browser without scripts: keeps cookies and follows redirects. */
class Visitor {
  readonly cookies = new Map<string, string>();

  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  async open(address: string, init: RequestInit = {}): Promise<{ url: string; status: number; text: string }> {
    let url = address;
    for (let hops = 0; hops < 15; hops++) {
      const response = await fetch(url, {
        ...(hops === 0 ? init : {}),
        redirect: 'manual',
        headers: { accept: 'text/html', cookie: this.cookie, ...(hops === 0 ? init.headers : {}) },
      });
      for (const line of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
        if (value === '' || /Max-Age=0|expires=Thu, 01 Jan 1970/i.test(line)) this.cookies.delete(name!);
        else this.cookies.set(name!, value!);
      }
      const location = response.headers.get('location');
      if (location === null) return { url, status: response.status, text: await response.text() };
      url = new URL(location, url).href;
    }
    throw new Error(`too many redirects, the last to ${url}`);
  }
}

const become = (person: string): Promise<Response> => fetch(`${issuer}/person/${person}`);
const disable = (person: string): Promise<Response> => fetch(`${issuer}/disabled/${person}`);
const minute = 60_000;

for (const database of ['sqlite', 'postgres'] as DatabaseName[]) {
  describe(`single sign-on on ${database}`, () => {
    let now = Date.now();
    let server: TestServer;
    let strict: TestServer;
    beforeAll(async () => {
      const config = {
        SHEAF_OIDC_ISSUER: issuer,
        SHEAF_OIDC_CLIENT_ID: 'sheaf',
        SHEAF_OIDC_CLIENT_SECRET: 'a secret of the provider',
        SHEAF_OIDC_NAME: 'Example',
      };
      const clock = { now: () => now };
      server = await startServer({ database, clock, config: { ...config, SHEAF_OIDC_SIGN_UP: 'on' } });
      strict = await startServer({ clock, config: { ...config, SHEAF_OIDC_SIGN_UP: 'off' } });
    });
    afterAll(async () => {
      await server?.close();
      await strict?.close();
    });

    const me = async (visitor: Visitor, at = server): Promise<any> => {
      const response = await fetch(`${at.url}/openapi/account/v1/get_me`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: at.url, cookie: visitor.cookie },
        body: '{}',
      });
      return ((await response.json()) as { data: unknown }).data;
    };

    test('somebody new gets an account, and is the same person the next time', async () => {
      expect(await (await fetch(`${server.url}/sign-in/options`)).json()).toEqual({ sso: 'Example' });
      const person = `ada-${database}`;
      await become(person);
      const visitor = new Visitor();
      expect(await visitor.open(`${server.url}/sign-in/sso?return=/notes`)).toMatchObject({
        url: `${server.url}/notes`,
        status: 200,
      });
      const first = await me(visitor);
      expect(first).toMatchObject({ name: 'ada', role: 'member' });
      const other = new Visitor();
      await other.open(`${server.url}/sign-in/sso?return=//evil.example`);
      expect((await me(other)).user_id).toBe(first.user_id);
    });

    test('[T84] accounts are linked by issuer and subject: the same name or e-mail is somebody else', async () => {
      await become(`owner-${database}`);
      const visitor = new Visitor();
      await visitor.open(`${server.url}/sign-in/sso`);
      const found = await me(visitor);
      expect(found).toMatchObject({ name: 'owner-2', role: 'member' });
      expect(found.user_id).not.toBe(server.owner.userId);
      const stranger = new Visitor();
      const refused = await stranger.open(`${strict.url}/sign-in/sso`);
      expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('nobody here is linked to')]);
      expect(await me(stranger, strict)).toEqual({});
    });

    test('[T84] a person links an identity to their own account, and only there', async () => {
      await become(`grace-${database}`);
      const visitor = new Visitor();
      const [, session] = (await signInAs(strict, strict.owner.userId)).split('=') as [string, string];
      visitor.cookies.set('sheaf_session', session);
      const begin = (headers: Record<string, string>): Promise<Response> =>
        fetch(`${strict.url}/sign-in/sso`, { method: 'POST', headers: { cookie: visitor.cookie, ...headers } });
      expect((await begin({ origin: 'https://evil.example' })).status).toBe(403);
      const begun = await begin({ origin: strict.url });
      visitor.cookies.set('sheaf_sso', /sheaf_sso=([^;]+)/.exec(begun.headers.get('set-cookie')!)![1]!);
      const { address } = (await begun.json()) as { address: string };
      expect((await visitor.open(address)).url).toBe(`${strict.url}/account/apps`);
      const { data } = await strict.call('http', 'account', 'list_connections', {});
      expect(data.identities).toEqual([
        { connection_id: expect.stringMatching(/^identity_/), issuer, name: 'grace', create_time: expect.any(Number) },
      ]);
      const later = new Visitor();
      await later.open(`${strict.url}/sign-in/sso`);
      expect((await me(later, strict)).user_id).toBe(strict.owner.userId);
      const { connection_id } = data.identities[0];
      expect((await strict.call('http', 'account', 'revoke_connection', { connection_id })).code).toBe(0);
      expect(await me(later, strict)).toEqual({});
    });

    test('[T84] an answer that was not asked for in this browser signs nobody in', async () => {
      await become(`eve-${database}`);
      const eve = new Visitor();
      const begun = await fetch(`${server.url}/sign-in/sso`, { redirect: 'manual' });
      eve.cookies.set('sheaf_sso', /sheaf_sso=([^;]+)/.exec(begun.headers.get('set-cookie')!)![1]!);
      const victim = new Visitor();
      let callback = '';
      let url = begun.headers.get('location')!;
      for (let hops = 0; callback === '' && hops < 10; hops++) {
        const answer = await fetch(url, { redirect: 'manual', headers: { cookie: eve.cookie } });
        for (const line of answer.headers.getSetCookie()) {
          const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
          eve.cookies.set(name!, value!);
        }
        url = new URL(answer.headers.get('location')!, url).href;
        if (url.startsWith(server.url)) callback = url;
      }
      expect(callback).toContain('code=');
      expect((await victim.open(callback)).status).toBe(403);
      expect(await me(victim)).toEqual({});
      const wrongIssuer = new URL(callback);
      wrongIssuer.searchParams.set('iss', 'https://evil.example');
      expect((await eve.open(wrongIssuer.href)).status).toBe(403);
    });

    test('[T90] a groups claim grants the groups bound to its issuer alone, and takes them away again', async () => {
      const person = `kim-${database}`;
      const setGroups = (names: string): Promise<Response> => fetch(`${issuer}/groups/${person}/${names}`);
      const newGroup = async (name: string, more: object = {}): Promise<string> => {
        const { code, data } = await server.call('http', 'account', 'create_group', { name, ...more });
        expect(code).toBe(0);
        return data.group.group_id;
      };
      const bound = await newGroup('Staff', { claim: 'staff' });
      const byHand = await newGroup('staff');
      const stamp = { at: now, userId: '', keyId: '', operation: 'test', requestId: '' };
      const foreign = { id: `group_${database}`, name: 'Foreign', issuer: 'https://other.example', claim: 'staff' };
      await server.app.services.groups.createGroup(stamp, foreign);
      const signIn = async (): Promise<Visitor> => {
        await become(person);
        const visitor = new Visitor();
        await visitor.open(`${server.url}/sign-in/sso`);
        return visitor;
      };
      const groupsOf = async (id: string): Promise<string[]> =>
        (await server.app.services.groups.groupsOf(id)).map((group) => group.id);
      await setGroups('staff,other');
      const { user_id } = await me(await signIn());
      expect(await groupsOf(user_id)).toEqual([bound]);
      const members = { group_id: bound, user_ids: [user_id] };
      expect((await server.call('http', 'account', 'add_group_members', members)).code).toBe(410007);
      await setGroups('other');
      now += 20 * minute;
      await server.app.sso!.checkIdentities();
      expect(await groupsOf(user_id)).toEqual([]);
      await server.call('http', 'account', 'add_group_members', { group_id: byHand, user_ids: [user_id] });
      await setGroups('staff');
      await signIn();
      expect(await groupsOf(user_id)).toEqual([bound, byHand]);
      await setGroups('');
      await signIn();
      expect(await groupsOf(user_id)).toEqual([byHand]);
    });

    test('[T84] who is disabled at the provider is out at the next refresh: sessions and apps', async () => {
      const person = `tim-${database}`;
      await become(person);
      const visitor = new Visitor();
      await visitor.open(`${server.url}/sign-in/sso`);
      const { user_id } = await me(visitor);
      const cookie = `sheaf_session=${visitor.cookies.get('sheaf_session')}`;
      const clientId = await register(server.url);
      const code = (await allow(authorizeUrl(server.url, clientId), cookie)).get('code')!;
      const tokens = (await (await askTokens(server.url, codeForm(clientId, code))).json()) as Tokens;
      now += 20 * minute;
      const second = (await (
        await askTokens(server.url, refreshForm(clientId, tokens.refresh_token))
      ).json()) as Tokens;
      expect((await callTool(server.url, second.access_token, 'account_get_me')).data.user_id).toBe(user_id);
      await disable(person);
      now += 20 * minute;
      const refused = await askTokens(server.url, refreshForm(clientId, second.refresh_token));
      expect(await refused.json()).toEqual({
        error: 'invalid_grant',
        error_description: 'the person can no longer sign in at their provider',
      });
      expect((await callTool(server.url, second.access_token, 'account_get_me')).status).toBe(401);
      expect(await me(visitor)).toEqual({});

      const other = `joe-${database}`;
      await become(other);
      const joe = new Visitor();
      await joe.open(`${server.url}/sign-in/sso`);
      now += 20 * minute;
      await server.app.sso!.checkIdentities();
      expect((await me(joe)).name).toBe('joe');
      await disable(other);
      now += 20 * minute;
      await server.app.sso!.checkIdentities();
      expect(await me(joe)).toEqual({});
    });

    test('what the provider gave is kept sealed', async () => {
      const rows = await server.app.database.all<{ refresh_sealed: string }>('SELECT * FROM user_identity');
      expect(rows.length).toBeGreaterThan(0);
      for (const { refresh_sealed } of rows) expect(refresh_sealed).toMatch(/^[\w-]{60,}$/);
    });
  });
}

test('[T84] three nodes behind one address sign people in and out, each step on another one', async () => {
  const proxy = await RoundRobinProxy.start();
  const options = {
    database: 'postgres',
    databaseUrl: await freshPostgres(),
    folder: await temporaryFolder(),
    config: {
      SHEAF_PUBLIC_URL: proxy.url,
      SHEAF_OIDC_ISSUER: issuer,
      SHEAF_OIDC_CLIENT_ID: 'sheaf',
      SHEAF_OIDC_CLIENT_SECRET: 'a secret of the provider',
      SHEAF_OIDC_SIGN_UP: 'on',
    },
  } as const;
  const nodes: TestServer[] = [];
  try {
    for (let count = 0; count < 3; count++) nodes.push(await startServer(options));
    proxy.nodes.push(...nodes.map((node) => node.url));
    await become('lin-nodes');
    const visitor = new Visitor();
    expect(await visitor.open(`${proxy.url}/sign-in/sso?return=/notes`)).toMatchObject({ url: `${proxy.url}/notes` });
    const me = async (): Promise<any> => {
      const response = await fetch(`${proxy.url}/openapi/account/v1/get_me`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: proxy.url, cookie: visitor.cookie },
        body: '{}',
      });
      return ((await response.json()) as { data: unknown }).data;
    };
    for (const _node of nodes) expect(await me()).toMatchObject({ name: 'lin', role: 'member' });
    const cookie = `sheaf_session=${visitor.cookies.get('sheaf_session')}`;
    const clientId = await register(proxy.url);
    const code = (await allow(authorizeUrl(proxy.url, clientId), cookie)).get('code')!;
    const tokens = (await (await askTokens(proxy.url, codeForm(clientId, code))).json()) as Tokens;
    for (const { url } of nodes)
      expect((await callTool(url, tokens.access_token, 'account_get_me')).data.name).toBe('lin');
    const { user_id } = await me();
    expect((await nodes[1]!.call('http', 'account', 'suspend_user', { user_id }, nodes[0]!.owner)).code).toBe(0);
    for (const { url } of nodes) {
      expect((await callTool(url, tokens.access_token, 'account_get_me')).status).toBe(401);
      expect(await me()).toEqual({});
    }
  } finally {
    proxy.close();
    for (const node of nodes.reverse()) await node.close();
  }
}, 60_000);

test('[T81] discovery has caps, and what it leads to is asked through the guard', async () => {
  let pad = '';
  const provider = createServer((_request, response) => {
    const self = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
    const found = { issuer: self, authorization_endpoint: `${self}/auth`, jwks_uri: `${self}/keys`, pad };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ...found, token_endpoint: 'http://169.254.169.254/token' }));
  });
  await new Promise<void>((done) => provider.listen(0, '127.0.0.1', done));
  const config = {
    SHEAF_OIDC_ISSUER: `http://127.0.0.1:${(provider.address() as AddressInfo).port}`,
    SHEAF_OIDC_CLIENT_ID: 'sheaf',
  };
  const server = await startServer({ config });
  try {
    pad = 'x'.repeat(300_000);
    const large = await fetch(`${server.url}/sign-in/sso`, { redirect: 'manual' });
    expect([large.status, await large.text()]).toEqual([
      502,
      expect.stringContaining('could not be reached: too large'),
    ]);
    pad = '';
    const begun = await fetch(`${server.url}/sign-in/sso`, { redirect: 'manual' });
    const state = new URL(begun.headers.get('location')!).searchParams.get('state')!;
    const back = await fetch(`${server.url}/sign-in/sso/callback?code=x&state=${state}`, {
      headers: { cookie: begun.headers.get('set-cookie')!.split(';', 1)[0]! },
    });
    expect([back.status, await back.text()]).toEqual([
      502,
      expect.stringContaining('http://169.254.169.254/token could not be reached: private address'),
    ]);
  } finally {
    await server.close();
    provider.close();
  }
});
