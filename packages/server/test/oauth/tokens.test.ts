import { describe, expect, test } from 'vitest';
import { freshPostgres } from '@sheaf/tools/testing/postgres.ts';
import { eachServer, startServer } from '@sheaf/tools/testing/test-server.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';
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
  refreshForm,
  register,
  signInAs,
  submit,
  type Tokens,
} from './support.ts';

const scopes = (
  'wiki:read wiki:write note:read note:write sheet:read sheet:write manage:read manage:write account:read ' +
  'sharing:read sharing:write inbox:read inbox:write'
).split(' ');

eachServer('apps that connect by address', (server) => {
  const post = (path: string, token: string, body: object = {}): Promise<Response> =>
    fetch(server().url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });

  test('a refusal leads to the description, and that to the endpoints', async () => {
    const { url } = server();
    for (const path of ['/mcp', '/openapi/mcp', '/openapi/account/v1/get_me']) {
      const refused = await fetch(url + path, { method: 'POST', body: '{}' });
      const resource = path.startsWith('/openapi/account') ? '/openapi' : path;
      const metadata = `${url}/.well-known/oauth-protected-resource${resource}`;
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
        401,
        `Bearer resource_metadata="${metadata}"`,
      ]);
      expect(await (await fetch(metadata)).json()).toEqual({
        resource: url + resource,
        authorization_servers: [url],
        scopes_supported: expect.arrayContaining(scopes),
        bearer_methods_supported: ['header'],
        resource_name: 'sheaf',
        resource_documentation: `${url}/docs`,
      });
    }
    const atRoot = await fetch(`${url}/.well-known/oauth-protected-resource`);
    expect(await atRoot.json()).toMatchObject({ resource: `${url}/mcp` });
    const described = await (await fetch(`${url}/.well-known/oauth-authorization-server`)).json();
    expect(described).toMatchObject({
      issuer: url,
      authorization_endpoint: `${url}/oauth/authorize`,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      token_endpoint_auth_methods_supported: ['none'],
    });
    expect((described as { scopes_supported: string[] }).scopes_supported.toSorted()).toEqual(scopes.toSorted());
  });

  test('an app is connected, works as the person within its scopes, is listed, and is revoked', async () => {
    const member = await server().newUser();
    const cookie = await signInAs(server(), member.userId);
    const clientId = await register(server().url);
    const answer = await allow(authorizeUrl(server().url, clientId, { scope: 'note:write sheet:read' }), cookie);
    expect([answer.get('state'), answer.get('iss')]).toEqual(['xyz', server().url]);
    const issued = await askTokens(server().url, codeForm(clientId, answer.get('code')!));
    expect(issued.headers.get('cache-control')).toBe('no-store');
    const tokens = (await issued.json()) as Tokens;
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'note:write sheet:read' });
    const me = await callTool(server().url, tokens.access_token, 'account_get_me');
    expect(me.data).toMatchObject({ user_id: member.userId, client_id: clientId });
    const made = await callTool(server().url, tokens.access_token, 'note_import_doc', {
      content_format: 1,
      content: '# Hi',
    });
    expect(made.data.note_id).toMatch(/^note_/);
    const written = await callTool(server().url, tokens.access_token, 'manage_create_file', { title: 'x' });
    expect(written.message).toContain('this app has no access to the module manage (it has access to note, sheet)');
    const asks = (scope: string) =>
      `Bearer error="insufficient_scope", scope="${scope}", ` +
      `resource_metadata="${server().url}/.well-known/oauth-protected-resource/mcp"`;
    expect([written.status, written.challenge]).toEqual([403, asks('note:write sheet:read manage:write')]);
    const sheet = await callTool(server().url, tokens.access_token, 'sheet_add_sheet', {});
    expect([sheet.status, sheet.challenge]).toEqual([403, asks('note:write sheet:write')]);
    expect(sheet.message).toContain('this app is read-only in the module sheet; add_sheet requires write access');
    const { data } = await server().call('http', 'account', 'list_connections', {}, member);
    expect(data.apps).toEqual([
      {
        connection_id: expect.stringMatching(/^connection_/),
        client_id: clientId,
        name: 'Test app',
        host: '127.0.0.1:3456',
        scopes: ['note:write', 'sheet:read'],
        resource: '/mcp',
        create_time: expect.any(Number),
        last_used_time: expect.any(Number),
      },
    ]);
    const { connection_id } = data.apps[0];
    const audit = await server().call('http', 'account', 'list_audit', { operation: 'note.import_doc' }, member);
    expect(audit.data.rows[0]).toMatchObject({ user_id: member.userId, key_id: connection_id });
    const stranger = await server().newUser();
    expect((await server().call('http', 'account', 'revoke_connection', { connection_id }, stranger)).code).toBe(
      410002,
    );
    expect((await server().call('mcp', 'account', 'revoke_connection', { connection_id }, member)).code).toBe(0);
    const refused = await callTool(server().url, tokens.access_token, 'account_get_me');
    expect([refused.status, refused.challenge]).toEqual([
      401,
      `Bearer error="invalid_token", resource_metadata="${server().url}/.well-known/oauth-protected-resource/mcp"`,
    ]);
    expect(await (await askTokens(server().url, refreshForm(clientId, tokens.refresh_token))).json()).toMatchObject({
      error: 'invalid_grant',
    });
    expect((await server().call('http', 'account', 'list_connections', {}, member)).data).toEqual({
      apps: [],
      identities: [],
    });
  });

  test('the person can take scopes away, or say no', async () => {
    const member = await server().newUser();
    const cookie = await signInAs(server(), member.userId);
    const clientId = await register(server().url);
    const address = authorizeUrl(server().url, clientId);
    const form = formIn(await (await open(address, cookie)).text());
    expect(form.getAll('scope').toSorted()).toEqual(scopes.toSorted());
    form.delete('scope');
    form.append('scope', 'note:read');
    form.append('scope', 'account:write');
    const less = new URL((await submit(server().url, form, cookie)).headers.get('location')!).searchParams;
    const tokens = (await (await askTokens(server().url, codeForm(clientId, less.get('code')!))).json()) as Tokens;
    expect(tokens.scope).toBe('note:read');
    form.set('decision', 'deny');
    const denied = new URL((await submit(server().url, form, cookie)).headers.get('location')!).searchParams;
    expect([denied.get('error'), denied.get('iss'), denied.get('code')]).toEqual(['access_denied', server().url, null]);
  });

  test('[T83] a token is for one address, and never for what makes keys', async () => {
    const member = await server().newUser();
    const forAgents = await connect(server(), member);
    const forOperations = await connect(server(), member, { resource: `${server().url}/openapi` });
    expect((await callTool(server().url, forAgents.access_token, 'account_get_me')).status).toBe(200);
    expect((await callTool(server().url, forOperations.access_token, 'account_get_me')).status).toBe(401);
    expect((await post('/openapi/account/v1/get_me', forOperations.access_token)).status).toBe(200);
    expect((await post('/openapi/account/v1/get_me', forAgents.access_token)).status).toBe(401);
    expect((await post('/openapi/mcp', forOperations.access_token)).status).toBe(401);
    const [elsewhere, other] = [`${server().url}/elsewhere`, 'https://other.example/mcp'];
    for (const resource of [elsewhere, other]) {
      // Connected before: what is wrong is told to the app.
      const refused = await open(authorizeUrl(server().url, forAgents.clientId, { resource }), forAgents.cookie);
      const told = new URL(refused.headers.get('location')!).searchParams;
      expect([told.get('error'), told.get('error_description')]).toEqual([
        'invalid_target',
        expect.stringContaining(resource),
      ]);
    }
    const moved = { ...refreshForm(forAgents.clientId, forAgents.refresh_token), resource: `${server().url}/openapi` };
    expect(await (await askTokens(server().url, moved)).json()).toMatchObject({ error: 'invalid_target' });

    const greedy = await connect(server(), server().owner, {
      resource: `${server().url}/openapi`,
      scope: 'account:read account:write',
    });
    expect(greedy.scope).toBe('account:read');
    const beyond = await post('/openapi/note/v1/import_doc', greedy.access_token, { content_format: 1, content: 'x' });
    expect([beyond.status, beyond.headers.get('www-authenticate')]).toEqual([
      403,
      'Bearer error="insufficient_scope", scope="account:read note:write", ' +
        `resource_metadata="${server().url}/.well-known/oauth-protected-resource/openapi"`,
    ]);
    for (const [operation, input] of [
      ['create_key', { name: 'x' }],
      ['set_password', { password: 'long enough' }],
      ['create_sign_in_link', {}],
      ['create_user', { name: 'x' }],
      ['revoke_connection', { connection_id: 'x' }],
    ] as const) {
      const response = await post(`/openapi/account/v1/${operation}`, greedy.access_token, input);
      // Nothing to ask for: no app is given this.
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([200, null]);
      const answer = await response.json();
      const msg = `this app is read-only; ${operation} requires write access`;
      expect([operation, answer]).toMatchObject([operation, { code: 410007, msg, data: {} }]);
    }
  });

  test('[T83] a refresh token is good once: the second use ends what came of the first', async () => {
    const { clientId, ...first } = await connect(server(), await server().newUser());
    const answers = await Promise.all(
      [1, 2].map(async () => askTokens(server().url, refreshForm(clientId, first.refresh_token))),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    const won = (await answers.find(({ status }) => status === 200)!.json()) as Tokens;
    expect(await answers.find(({ status }) => status === 400)!.json()).toEqual({
      error: 'invalid_grant',
      error_description: 'refresh_token: it was used before, and so the app was disconnected',
    });
    for (const token of [first.access_token, won.access_token])
      expect((await callTool(server().url, token, 'account_get_me')).status).toBe(401);
    expect((await askTokens(server().url, refreshForm(clientId, won.refresh_token))).status).toBe(400);
  });

  test('[T83] a refresh gives new tokens, ends the old ones, and never gives more than before', async () => {
    const { clientId, ...first } = await connect(server(), await server().newUser(), {
      scope: 'note:read sheet:write',
    });
    const more = { ...refreshForm(clientId, first.refresh_token), scope: 'note:read wiki:read' };
    expect(await (await askTokens(server().url, more)).json()).toMatchObject({ error: 'invalid_scope' });
    const less = { ...refreshForm(clientId, first.refresh_token), scope: 'note:read' };
    const second = (await (await askTokens(server().url, less)).json()) as Tokens;
    expect(second.scope).toBe('note:read');
    expect((await callTool(server().url, first.access_token, 'account_get_me')).status).toBe(401);
    expect((await callTool(server().url, second.access_token, 'account_get_me')).data.scopes).toEqual({
      modules: ['note'],
      access: 'read',
    });
    const other = await register(server().url);
    expect((await askTokens(server().url, refreshForm(other, second.refresh_token))).status).toBe(400);
    const third = (await (await askTokens(server().url, refreshForm(clientId, second.refresh_token))).json()) as Tokens;
    expect(third.scope).toBe('note:read sheet:write');
  });

  test('[T83] a code is good once, in time, for its app, its address and its verifier', async () => {
    const member = await server().newUser();
    const cookie = await signInAs(server(), member.userId);
    const clientId = await register(server().url);
    const other = await register(server().url);
    const newCode = async (): Promise<string> =>
      (await allow(authorizeUrl(server().url, clientId), cookie)).get('code')!;
    const code = await newCode();
    for (const [changes, said] of [
      [{ client_id: other }, 'code: it is not valid, or was issued to another app'],
      [{ redirect_uri: `${redirectUri}/` }, 'redirect_uri: must be the one for which the code was issued'],
      [{ code_verifier: 'x'.repeat(43) }, 'code_verifier: does not match the code_challenge'],
      [{ code_verifier: '' }, 'code_verifier: does not match the code_challenge'],
    ] as const) {
      const refused = await askTokens(server().url, { ...codeForm(clientId, code), ...changes });
      expect([refused.status, await refused.json()]).toEqual([
        400,
        { error: 'invalid_grant', error_description: said },
      ]);
    }
    const tokens = (await (await askTokens(server().url, codeForm(clientId, code))).json()) as Tokens;
    expect((await callTool(server().url, tokens.access_token, 'account_get_me')).status).toBe(200);
    expect(await (await askTokens(server().url, codeForm(clientId, code))).json()).toEqual({
      error: 'invalid_grant',
      error_description: 'code: it was used before, and so the app was disconnected',
    });
    expect((await callTool(server().url, tokens.access_token, 'account_get_me')).status).toBe(401);
  });

  test('what is stored of codes and tokens is their hashes', async () => {
    const tokens = await connect(server(), await server().newUser());
    const { database } = server().app;
    const tables = ['oauth_client', 'oauth_grant', 'oauth_code', 'oauth_token', 'audit'];
    const stored = JSON.stringify(await Promise.all(tables.map((table) => database.all(`SELECT * FROM ${table}`))));
    expect(stored).toContain(tokens.clientId);
    for (const secret of [tokens.access_token, tokens.refresh_token]) {
      expect(secret.length).toBeGreaterThan(60);
      expect(stored).not.toContain(secret.slice(14));
    }
  });

  test('[finding R24] access ends with a suspension, for good, a new password, a revocation and the user', async () => {
    const use = async (token: string): Promise<number> =>
      (await callTool(server().url, token, 'account_get_me')).status;
    const member = await server().newUser();
    const { access_token, refresh_token, clientId } = await connect(server(), member);
    await server().call('http', 'account', 'suspend_user', { user_id: member.userId });
    expect(await use(access_token)).toBe(401);
    expect((await askTokens(server().url, refreshForm(clientId, refresh_token))).status).toBe(400);
    await server().call('http', 'account', 'resume_user', { user_id: member.userId });
    expect(await use(access_token)).toBe(401);
    expect((await askTokens(server().url, refreshForm(clientId, refresh_token))).status).toBe(400);

    const fresh = await connect(server(), member);
    expect(await use(fresh.access_token)).toBe(200);
    await server().call('http', 'account', 'set_password', { password: 'a new password' }, member);
    expect(await use(fresh.access_token)).toBe(401);
    expect((await askTokens(server().url, refreshForm(fresh.clientId, fresh.refresh_token))).status).toBe(400);
    expect((await server().call('http', 'account', 'get_me', {}, member)).code).toBe(0);

    const again = await connect(server(), member);
    const revoke = (token: string, client_id: string): Promise<Response> =>
      fetch(`${server().url}/oauth/revoke`, { method: 'POST', body: new URLSearchParams({ token, client_id }) });
    expect((await revoke(again.refresh_token, 'app_other')).status).toBe(200);
    expect(await use(again.access_token)).toBe(200);
    expect((await revoke('rt_nothing', again.clientId)).status).toBe(200);
    expect((await revoke(again.refresh_token, again.clientId)).status).toBe(200);
    expect(await use(again.access_token)).toBe(401);

    const last = await connect(server(), member);
    await server().call('http', 'account', 'delete_user', { user_id: member.userId });
    expect(await use(last.access_token)).toBe(401);
    const { database } = server().app;
    expect(await database.all('SELECT id FROM oauth_grant WHERE user_id = ?', member.userId)).toEqual([]);
  });

  test('a key works as before in the same header', async () => {
    expect((await callTool(server().url, server().owner.apiKey, 'account_get_me')).status).toBe(200);
  });
});

describe('over time and nodes', () => {
  test('[T83] codes, tokens and apps that nobody connects end; connections that are used stay', async () => {
    let now = Date.now();
    const server = await startServer({ clock: { now: () => now } });
    try {
      const day = 24 * 60 * 60 * 1000;
      const cookie = await signInAs(server, server.owner.userId);
      const clientId = await register(server.url);
      const late = (await allow(authorizeUrl(server.url, clientId), cookie)).get('code')!;
      now += 2 * 60_000;
      expect(await (await askTokens(server.url, codeForm(clientId, late))).json()).toMatchObject({
        error_description: 'code: it has expired',
      });
      const unused = await register(server.url);
      const { clientId: used, access_token, refresh_token } = await connect(server, server.owner);
      now += 60 * 60_000;
      expect((await callTool(server.url, access_token, 'account_get_me')).status).toBe(401);
      now += 2 * day;
      await server.app.services.apps.deleteExpired(now - day);
      expect(await server.app.services.apps.client(unused)).toBeUndefined();
      expect(await server.app.services.apps.client(used)).toBeDefined();
      const next = (await (await askTokens(server.url, refreshForm(used, refresh_token))).json()) as Tokens;
      expect((await callTool(server.url, next.access_token, 'account_get_me')).status).toBe(200);
      now += 32 * day;
      expect((await askTokens(server.url, refreshForm(used, next.refresh_token))).status).toBe(400);
      await server.app.services.apps.deleteExpired(now - day);
      expect(await server.app.database.all('SELECT id FROM oauth_grant')).toEqual([]);
    } finally {
      await server.close();
    }
  });

  test('three nodes: asked on one, redeemed on another, used on the third, ended everywhere', async () => {
    const databaseUrl = await freshPostgres();
    const folder = await temporaryFolder();
    const config = { SHEAF_PUBLIC_URL: 'http://127.0.0.1:9' };
    const [a, b, c] = [
      await startServer({ database: 'postgres', databaseUrl, folder, config }),
      await startServer({ database: 'postgres', databaseUrl, folder, config }),
      await startServer({ database: 'postgres', databaseUrl, folder, config }),
    ];
    try {
      const cookie = await signInAs(a, a.owner.userId);
      const clientId = await register(b.url);
      const asked = authorizeUrl(a.url, clientId, { resource: 'http://127.0.0.1:9/mcp' });
      const page = await (await open(asked, cookie)).text();
      const answer = await submit(c.url, formIn(page), cookie);
      const told = new URL(answer.headers.get('location')!).searchParams;
      expect(told.get('iss')).toBe('http://127.0.0.1:9');
      const tokens = (await (await askTokens(b.url, codeForm(clientId, told.get('code')!))).json()) as Tokens;
      for (const { url } of [a, b, c])
        expect((await callTool(url, tokens.access_token, 'account_get_me')).status).toBe(200);
      const raced = await Promise.all(
        [a, b, c].map(({ url }) => askTokens(url, refreshForm(clientId, tokens.refresh_token))),
      );
      expect(raced.map(({ status }) => status).toSorted()).toEqual([200, 400, 400]);
      const won = (await raced.find(({ status }) => status === 200)!.json()) as Tokens;
      for (const { url } of [a, b, c])
        expect((await callTool(url, won.access_token, 'account_get_me')).status).toBe(401);

      const again = (await allow(asked.replace(a.url, b.url), cookie)).get('code')!;
      const last = (await (await askTokens(c.url, codeForm(clientId, again))).json()) as Tokens;
      expect((await callTool(a.url, last.access_token, 'account_get_me')).status).toBe(200);
      await b.call('http', 'account', 'set_password', { password: 'a new password' }, a.owner);
      for (const { url } of [a, b, c])
        expect((await callTool(url, last.access_token, 'account_get_me')).status).toBe(401);
    } finally {
      for (const node of [c, b, a]) await node.close();
    }
  });
});
