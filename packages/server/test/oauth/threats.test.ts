import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '@sheaf/tools/testing/test-server.ts';
import {
  allow,
  askTokens,
  authorizeUrl,
  callTool,
  codeForm,
  connect,
  formIn,
  open,
  redirectUri,
  register,
  signInAs,
  submit,
  type Tokens,
} from './support.ts';

/** Serves documents of apps, by path; counts what was asked. */
async function documentServer(
  answer: (path: string, self: string) => { status?: number; type?: string; body: string },
) {
  const asked: string[] = [];
  const server: Server = createServer((request, response) => {
    asked.push(request.url!);
    const { status = 200, type = 'application/json', body } = answer(request.url!, url());
    response.writeHead(status, { 'content-type': type, location: '/app' }).end(body);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: url(), asked, close: () => new Promise((done) => server.close(done)) };
}

const describedAt = (id: string, changes: object = {}): string =>
  JSON.stringify({ client_id: id, client_name: 'Described app', redirect_uris: [redirectUri], ...changes });

describe('apps that describe themselves at an address', () => {
  let server: TestServer;
  let closed: TestServer;
  let documents: Awaited<ReturnType<typeof documentServer>>;
  beforeAll(async () => {
    documents = await documentServer((path, self) => {
      if (path === '/large') return { body: describedAt(`${self}/large`, { pad: 'x'.repeat(20_000) }) };
      if (path === '/moved') return { status: 302, body: '' };
      if (path === '/page') return { type: 'text/html', body: describedAt(`${self}/page`) };
      if (path === '/other') return { body: describedAt(`${self}/app`) };
      if (path === '/secret')
        return { body: describedAt(`${self}/secret`, { token_endpoint_auth_method: 'client_secret_basic' }) };
      return { body: describedAt(self + path) };
    });
    server = await startServer({ config: { SHEAF_FETCH_ALLOW: ['127.0.0.1'] } });
    closed = await startServer();
  });
  afterAll(async () => {
    await server.close();
    await closed.close();
    await documents.close();
  });

  test('[T81] a document is read through the guard: a private address is never asked', async () => {
    const cookie = await signInAs(closed, closed.owner.userId);
    const before = documents.asked.length;
    const refused = await open(authorizeUrl(closed.url, `${documents.url}/app`), cookie);
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('private address')]);
    for (const id of [
      'https://127.0.0.1/app',
      'https://[::1]/app',
      'https://10.0.0.1/app',
      'https://169.254.169.254/app',
    ])
      expect([id, await (await open(authorizeUrl(closed.url, id), cookie)).text()]).toEqual([
        id,
        expect.stringContaining('private address'),
      ]);
    expect(documents.asked.length).toBe(before);
  });

  test('[T81] caps on size, no redirects, JSON only, about itself, without secrets', async () => {
    const cookie = await signInAs(server, server.owner.userId);
    for (const [path, said] of [
      ['/large', 'could not be read: too large'],
      ['/moved', 'the server answered with status 302'],
      ['/page', 'must be JSON'],
      ['/other', 'must have its own address as client_id'],
      ['/secret', 'token_endpoint_auth_method: must be &#34;none&#34;'],
      ['/', 'in its plain form, with a path'],
    ] as const) {
      const refused = await open(authorizeUrl(server.url, documents.url + path), cookie);
      expect([path, refused.status, await refused.text()]).toEqual([path, 400, expect.stringContaining(said)]);
    }
    const plain = await open(authorizeUrl(server.url, 'http://example.com/app'), cookie);
    expect(await plain.text()).toContain('must be an address that starts with https://');
  });

  test('[T81] nothing is read for somebody who is not signed in, and a document once in a while', async () => {
    const id = `${documents.url}/app`;
    const before = documents.asked.length;
    const guest = await open(authorizeUrl(server.url, id), '');
    expect([guest.status, guest.headers.get('content-security-policy')]).toEqual([
      200,
      expect.stringContaining("frame-ancestors 'none'"),
    ]);
    expect(documents.asked.length).toBe(before);
    const cookie = await signInAs(server, server.owner.userId);
    const page = await (await open(authorizeUrl(server.url, id), cookie)).text();
    expect(page).toContain('<strong>Described app</strong>');
    expect(page).toContain(`<code>${new URL(id).host}</code>`);
    const answer = await allow(authorizeUrl(server.url, id), cookie);
    const tokens = (await (await askTokens(server.url, codeForm(id, answer.get('code')!))).json()) as Tokens;
    expect((await callTool(server.url, tokens.access_token, 'account_get_me')).data.client_id).toBe(id);
    expect(documents.asked.length).toBe(before + 1);
  });
});

describe('registration and consent', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.close());

  const registering = (metadata: object): Promise<Response> =>
    fetch(`${server.url}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(metadata),
    });

  test('[T82] redirect addresses: https, this computer, or an app of its own', async () => {
    for (const [uri, fault] of [
      ['https://app.example/cb', undefined],
      ['http://localhost/cb', undefined],
      ['cursor://anysphere.cursor/callback', undefined],
      ['vscode://vscode.github-authentication/did-authenticate', undefined],
      ['com.example.app:/callback', undefined],
      ['http://app.example/cb', 'must start with https:// unless it is on this computer'],
      ['https://app.example/cb#x', 'must have no fragment'],
      ['https://a:b@app.example/cb', 'must have no user name or password'],
      ['/cb', 'must be an absolute address'],
    ] as const) {
      const response = await registering({ redirect_uris: [uri] });
      const answer = await response.json();
      expect([uri, response.status, answer]).toEqual(
        fault === undefined
          ? [uri, 201, expect.objectContaining({ token_endpoint_auth_method: 'none', redirect_uris: [uri] })]
          : [
              uri,
              400,
              {
                error: 'invalid_redirect_uri',
                error_description: `redirect_uris[0]: ${fault} (got ${JSON.stringify(uri)})`,
              },
            ],
      );
    }
  });

  test('[T82] redirects match exactly; on this computer the port is free; otherwise nobody is sent anywhere', async () => {
    const cookie = await signInAs(server, server.owner.userId);
    const clientId = await register(server.url, {
      redirect_uris: ['http://127.0.0.1:3456/callback', 'https://app.example/cb?a=1'],
    });
    const statusOf = async (redirect_uri: string): Promise<[number, string | null]> => {
      const answer = await open(authorizeUrl(server.url, clientId, { redirect_uri }), cookie);
      return [answer.status, answer.headers.get('location')];
    };
    for (const good of [
      'http://127.0.0.1:3456/callback',
      'http://127.0.0.1:50123/callback',
      'https://app.example/cb?a=1',
    ])
      expect([good, await statusOf(good)]).toEqual([good, [200, null]]);
    for (const bad of [
      'http://127.0.0.1:3456/callback/',
      'http://127.0.0.1:3456/callback?x=1',
      'http://localhost:3456/callback',
      'https://127.0.0.1:3456/callback',
      'https://app.example:444/cb?a=1',
      'https://app.example/cb',
      'https://app.example/CB?a=1',
      'https://app.example.evil.com/cb?a=1',
      'https://app.example@evil.com/cb?a=1',
    ])
      expect([bad, await statusOf(bad)]).toEqual([bad, [400, null]]);
  });

  test('[T82] the page names the app and its host, refuses frames, and takes its own form only', async () => {
    const cookie = await signInAs(server, server.owner.userId);
    const clientId = await register(server.url, { client_name: 'Evil <b>app</b>\u202e', redirect_uris: [redirectUri] });
    const page = await open(authorizeUrl(server.url, clientId), cookie);
    const html = await page.text();
    expect(html).toContain('<strong>Evil &#60;b&#62;app&#60;/b&#62;</strong>');
    expect(html).toContain('<code>127.0.0.1:3456</code>');
    expect(page.headers.get('x-frame-options')).toBe('DENY');
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const form = formIn(html);
    for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }] as Record<string, string>[])
      expect([headers, (await submit(server.url, form, cookie, headers)).status]).toEqual([headers, 403]);
    const mine = await signInAs(server, (await server.newUser()).userId);
    expect((await submit(server.url, form, mine)).status).toBe(400);
    const again = await signInAs(server, server.owner.userId);
    expect((await submit(server.url, form, again)).status).toBe(400);
    form.set('request', `${form.get('request')}x`);
    expect((await submit(server.url, form, cookie)).status).toBe(400);
    const { apps } = (await server.call('http', 'account', 'list_connections', {})).data;
    expect(apps).toEqual([]);
  });

  test('[finding R22] redirect addresses are allowed by rule: every other scheme is refused', async () => {
    for (const scheme of [
      'javascript',
      'data',
      'file',
      'ms-msdt',
      'search-ms',
      'view-source',
      'feed:javascript',
      'feed',
      'intent',
      'ms-word',
      'ssh',
      'x',
      '.com.example',
      'com.',
      'blob:https',
    ]) {
      const uri = `${scheme}://app.example/cb`;
      const response = await registering({ redirect_uris: [uri] });
      expect([uri, response.status, await response.json()]).toEqual([
        uri,
        400,
        { error: 'invalid_redirect_uri', error_description: expect.stringContaining('redirect_uris[0]: must ') },
      ]);
    }
  });

  test('[finding R22] a faulty request sends nobody anywhere before they allowed the app; then it is told, with our name', async () => {
    const cookie = await signInAs(server, server.owner.userId);
    const clientId = await register(server.url);
    const faulty = [
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ code_challenge_method: 'plain' }, 'invalid_request'],
      [{ code_challenge_method: undefined }, 'invalid_request'],
      [{ code_challenge: 'short' }, 'invalid_request'],
      [{ scope: 'everything' }, 'invalid_scope'],
      [{ resource: 'https://elsewhere.example/mcp' }, 'invalid_target'],
      [{ state: 'x'.repeat(2001) }, 'invalid_request'],
    ] as const;
    for (const [changes, error] of faulty) {
      const answer = await open(authorizeUrl(server.url, clientId, changes), cookie);
      expect([changes, answer.status, answer.headers.get('location')]).toEqual([changes, 400, null]);
      const page = await answer.text();
      expect(page).toContain('This app cannot be connected.');
      const link = /<a href="([^"]*)" rel="noreferrer">/.exec(page)![1]!.replaceAll('&#38;', '&');
      expect([link.startsWith(`${redirectUri}?`), new URL(link).searchParams.get('error')]).toEqual([true, error]);
    }
    const allowed = await connect(server, server.owner);
    for (const [changes, error] of faulty) {
      const answer = await open(authorizeUrl(server.url, allowed.clientId, changes), allowed.cookie);
      const told = new URL(answer.headers.get('location')!).searchParams;
      const state = 'state' in changes ? changes.state : 'xyz';
      expect([changes, told.get('error'), told.get('state'), told.get('iss')]).toEqual([
        changes,
        error,
        state,
        server.url,
      ]);
    }
  });

  test('[T82] registration is limited by where it comes from', async () => {
    const now = Date.now();
    const own = await startServer({ clock: { now: () => now } });
    try {
      const statuses: number[] = [];
      for (let tries = 0; tries < 22; tries++) {
        const response = await fetch(`${own.url}/oauth/register`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ redirect_uris: [redirectUri] }),
        });
        statuses.push(response.status);
        if (response.status === 429) expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
      }
      expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 201));
      expect(statuses[20]).toBe(429);
    } finally {
      await own.close();
    }
  });

  test('[T83] without SHEAF_PUBLIC_URL apps connect on this computer only; with one, under https', async () => {
    const asked = (url: string, host: string): Promise<number> =>
      new Promise((done, failed) => {
        import('node:http')
          .then(({ get }) =>
            get(`${url}/.well-known/oauth-protected-resource/mcp`, { headers: { host } }, (answer) => {
              answer.resume();
              done(answer.statusCode!);
            }).on('error', failed),
          )
          .catch(failed);
      });
    const { port } = new URL(server.url);
    expect(await asked(server.url, `localhost:${port}`)).toBe(200);
    expect(await asked(server.url, `192.168.1.5:${port}`)).toBe(404);
    expect(await asked(server.url, 'sheaf.example')).toBe(404);
    for (const [publicUrl, status] of [
      ['https://sheaf.example', 200],
      ['http://sheaf.example', 404],
    ] as const) {
      const named = await startServer({ config: { SHEAF_PUBLIC_URL: publicUrl } });
      expect([publicUrl, await asked(named.url, 'sheaf.example')]).toEqual([publicUrl, status]);
      await named.close();
    }
  });
});
