import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '@sheaf/tools/testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ database: 'sqlite' });
});
afterAll(() => server.close());

test('the official client 2.4.0 connects without a handshake, lists, calls and reads', async () => {
  const load = createRequire(fileURLToPath(new URL('../../../../tools/outside/package.json', import.meta.url)));
  const { Client, StreamableHTTPClientTransport } = load('@modelcontextprotocol/client');
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const methods: string[] = [];
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${server.owner.apiKey}` } },
      fetch: (url: string, init: RequestInit) => {
        methods.push(new Headers(init.headers).get('mcp-method') ?? '');
        return fetch(url, init);
      },
    }),
  );
  try {
    const { tools } = await client.listTools();
    expect(tools.map((tool: { name: string }) => tool.name)).toContain('find_tools');
    const result = await client.callTool({ name: 'account_get_me', arguments: {} });
    expect(result.structuredContent.name).toBe('owner');
    const { contents } = await client.readResource({ uri: 'sheaf://docs/note' });
    expect(contents[0].mimeType).toBe('text/markdown');
    expect(methods.slice(0, 2)).toEqual(['server/discover', 'tools/list']);
    expect(methods).not.toContain('initialize');
  } finally {
    await client.close();
  }
});
