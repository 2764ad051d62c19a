import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type Key, type TestServer } from '@sheaf/tools/testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ database: 'sqlite' });
});
afterAll(() => server.close());

async function call(name: string, args: object, as: Key = server.owner): Promise<any> {
  const response = await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${as.apiKey}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  });
  return ((await response.json()) as any).result;
}

describe('[finding C13] search and fetch, as connectors ask for them', () => {
  test('find files, notes and spreadsheets, and read each by its id', async () => {
    const note = await call('note_import_doc', {
      content_format: 1,
      content: '# Zephyr plan\n\nThe zephyr project starts in May.',
    });
    const { knowledge_base_id: base } = (await call('wiki_create_knowledge_base', { name: 'Zephyr base' }))
      .structuredContent;
    await call('wiki_upload_knowledge', {
      knowledge_base_id: base,
      file_name: 'zephyr.txt',
      content: Buffer.from('Zephyr refunds are paid within 30 days.').toString('base64'),
    });
    const { file_id: file } = (await call('manage_create_file', { title: 'Zephyr costs' })).structuredContent;
    const written = await call('sheet_write', {
      file_id: file,
      range: 'A1',
      rows: [
        ['item', 'zephyr price'],
        ['mast', 120],
      ],
    });
    expect(written.isError, JSON.stringify(written)).toBeUndefined();
    const found = await expect
      .poll(async () => (await call('search', { query: 'zephyr' })).structuredContent.results, { timeout: 20_000 })
      .toHaveLength(3)
      .then(async () => (await call('search', { query: 'zephyr' })).structuredContent.results);
    const byKind = (start: string): any => found.find((one: any) => one.id.startsWith(start));
    for (const one of found) expect(one.url).toBe(server.app.publicUrl.url + one.id);
    expect(byKind('/notes/')).toMatchObject({ title: 'Zephyr plan' });
    const read = async (start: string): Promise<any> =>
      (await call('fetch', { id: byKind(start).id })).structuredContent;
    expect((await read('/notes/')).text).toContain('The zephyr project starts in May.');
    expect((await read('/wiki/')).text).toContain('paid within 30 days');
    expect((await read('/sheet/')).text).toContain('mast\t120');
    expect((await call('fetch', { id: byKind('/notes/').url })).structuredContent.id).toBe(byKind('/notes/').id);
    expect(note.isError).toBeUndefined();
  });

  test('[T95] take ids of this installation only, and answer what the caller may see', async () => {
    const note = (await call('note_import_doc', { content_format: 1, content: 'Only mine: aardvark' }))
      .structuredContent;
    const other = await server.newUser();
    const id = `/notes/${note.note_id ?? note.doc_id}`;
    expect((await call('fetch', { id })).structuredContent.text).toContain('aardvark');
    expect((await call('fetch', { id }, other)).isError).toBe(true);
    expect((await call('search', { query: 'aardvark' }, other)).structuredContent.results).toEqual([]);
    for (const wrong of ['https://elsewhere.example/notes/x', '/etc/passwd', '/notes/../x', '', 7, 'x'.repeat(600)]) {
      const answer = await call('fetch', { id: wrong });
      expect([wrong, answer.isError]).toEqual([wrong, true]);
      expect(JSON.parse(answer.content[0].text).msg).toContain('id');
    }
    expect((await call('search', {})).isError).toBe(true);
  });
});

describe('[finding C13][T97] pages of other origins', () => {
  const origin = 'https://client.example';
  const post = (headers: Record<string, string>): Promise<Response> =>
    fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin, ...headers },
      body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    });

  test('call /mcp with a bearer token, after a preflight, and read the answer', async () => {
    const preflight = await fetch(`${server.url}/mcp`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization, content-type, mcp-protocol-version',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    expect(preflight.headers.get('access-control-allow-methods')).toBe('POST');
    for (const name of ['authorization', 'content-type', 'mcp-protocol-version'])
      expect(preflight.headers.get('access-control-allow-headers')).toContain(name);
    const answer = await post({ authorization: `Bearer ${server.owner.apiKey}` });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
  });

  test('never with cookies, and without a token learn only where to get one', async () => {
    expect((await post({ cookie: 'sheaf_session=anything' })).status).toBe(403);
    const answer = await post({});
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
  });

  test('read the well-known addresses, and nothing else', async () => {
    for (const path of ['/.well-known/oauth-authorization-server', '/.well-known/oauth-protected-resource/mcp']) {
      const answer = await fetch(server.url + path, { headers: { origin } });
      expect([path, answer.headers.get('access-control-allow-origin')]).toEqual([path, '*']);
      expect((await fetch(server.url + path, { method: 'OPTIONS', headers: { origin } })).status).toBe(204);
    }
    for (const path of ['/openapi/account/v1/get_me', '/docs', '/oauth/token'])
      expect((await fetch(server.url + path, { headers: { origin } })).headers.has('access-control-allow-origin')).toBe(
        false,
      );
  });
});

test('[finding C13] a client that knows only the host finds the card of the server, and connects as it says', async () => {
  const origin = 'https://client.example';
  const found = await fetch(`${server.url}/.well-known/ai-catalog.json`, { headers: { origin } });
  expect(found.headers.get('content-type')).toMatch(/^application\/ai-catalog\+json/);
  expect(found.headers.get('access-control-allow-origin')).toBe('*');
  const { entries } = (await found.json()) as any;
  expect(entries).toEqual([
    {
      identifier: 'urn:air:127.0.0.1:mcp:sheaf',
      type: 'application/mcp-server-card+json',
      url: `${server.url}/mcp/server-card`,
    },
  ]);
  const answer = await fetch(entries[0].url, { headers: { accept: entries[0].type, origin } });
  expect(answer.headers.get('content-type')).toMatch(/^application\/mcp-server-card\+json/);
  const card = (await answer.json()) as any;
  expect(card.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  expect(card.description.length).toBeLessThanOrEqual(100);
  const [remote] = card.remotes;
  expect(remote.type).toBe('streamable-http');
  const connected = await fetch(remote.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${server.owner.apiKey}` },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: remote.supportedProtocolVersions[1],
        capabilities: {},
        clientInfo: { name: 't', version: '1' },
      },
    }),
  });
  expect(((await connected.json()) as any).result).toMatchObject({
    protocolVersion: remote.supportedProtocolVersions[1],
    serverInfo: { version: card.version },
  });
});

test('[finding C13] /llms.txt says what this is and where agents connect', async () => {
  const response = await fetch(`${server.url}/llms.txt`);
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  const text = await response.text();
  expect(text).toMatch(/^# sheaf\n\n> /);
  expect(text).toContain(`${server.url}/mcp`);
  for (const { name } of server.app.registry.modules) expect(text).toContain(`- ${name} (`);
  for (const [, address] of text.matchAll(/\]\((.*?)\)/g)) expect((await fetch(address!)).status).toBe(200);
});
