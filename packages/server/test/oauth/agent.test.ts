import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isBrowserLeftOut } from '@sheaf/tools/chromium.mjs';
import { openBrowser, type TestBrowser } from '@sheaf/tools/testing/browser.ts';
import { freshPostgres } from '@sheaf/tools/testing/postgres.ts';
import { RoundRobinProxy } from '@sheaf/tools/testing/round-robin-proxy.ts';
import { startServer, type TestServer } from '@sheaf/tools/testing/test-server.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';
import {
  AgentOAuthProvider,
  listen,
  pressAllow,
  signInForConsent,
  stopListening,
} from '@sheaf/tools/testing/agent-oauth-provider.ts';
import { callTool } from './support.ts';

/** A client of the version that `server/discover` came with; nothing older will do for it. */
const newClient = (): Client =>
  new Client({ name: 'agent', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });

describe.skipIf(isBrowserLeftOut)('from an address alone, with the official client and a browser', () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    await listen();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    stopListening();
  });

  /** Discovers, registers, signs in, allows, calls; is refused everywhere once a node has disconnected it. */
  const walk = async (nodes: readonly TestServer[], url = nodes[0]!.url): Promise<void> => {
    const first = nodes[0]!;
    const last = nodes.at(-1)!;
    await last.call('http', 'account', 'set_password', { password: 'correct horse' }, first.owner);
    const agent = new AgentOAuthProvider();
    const address = new URL(`${url}/mcp`);
    const transport = new StreamableHTTPClientTransport(address, { authProvider: agent });
    await expect(newClient().connect(transport)).rejects.toThrow(UnauthorizedError);
    const page = await browser.open();
    await signInForConsent(page, agent.asked!, 'owner', 'correct horse');
    // The client checks who the code is from before it uses it.
    await transport.finishAuth(await pressAllow(page));
    const client = newClient();
    await client.connect(new StreamableHTTPClientTransport(address, { authProvider: agent }));
    expect(await client.callTool({ name: 'account_get_me', arguments: {} })).toMatchObject({
      structuredContent: { user_id: first.owner.userId },
    });
    const token = agent.tokens()!.access_token;
    for (const node of nodes) expect((await callTool(node.url, token, 'account_get_me')).status).toBe(200);
    const { data } = await last.call('http', 'account', 'list_connections', {}, first.owner);
    expect(data.apps).toHaveLength(1);
    const { connection_id } = data.apps[0];
    expect((await last.call('http', 'account', 'revoke_connection', { connection_id }, first.owner)).code).toBe(0);
    for (const node of nodes) expect((await callTool(node.url, token, 'account_get_me')).status).toBe(401);
    agent.asked = undefined;
    await expect(client.callTool({ name: 'account_get_me', arguments: {} })).rejects.toThrow(UnauthorizedError);
    expect(agent.asked).toBeDefined();
    browser.expectClean();
  };

  test('on SQLite', async () => {
    const server = await startServer();
    try {
      await walk([server]);
    } finally {
      await server.close();
    }
  }, 120_000);

  test('on PostgreSQL with three nodes behind one address, each step on another one', async () => {
    const proxy = await RoundRobinProxy.start();
    const options = {
      database: 'postgres',
      databaseUrl: await freshPostgres(),
      folder: await temporaryFolder(),
      config: { SHEAF_PUBLIC_URL: proxy.url },
    } as const;
    const nodes: TestServer[] = [];
    try {
      for (let count = 0; count < 3; count++) nodes.push(await startServer(options));
      proxy.nodes.push(...nodes.map((node) => node.url));
      await walk(nodes, proxy.url);
    } finally {
      proxy.close();
      for (const node of nodes.reverse()) await node.close();
    }
  }, 120_000);
});
