import { z } from 'zod';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { account } from '../../src/modules/account/index.ts';
import { call } from '@sheaf/client';
import { commandUsage } from '../../src/kernel/describe-operation.ts';
import { renderModuleMarkdown } from '../../src/kernel/markdown-docs.ts';
import { text } from '../../src/kernel/field-schemas.ts';
import { defineModule } from '../../src/kernel/module.ts';
import { operation } from '../../src/kernel/operation.ts';
import { readFlags } from '../../src/transports/cli/call.ts';
import { startServer, type TestServer } from '@sheaf/tools/testing/test-server.ts';

/** All that a new operation takes: this definition, and its name in the module's list. */
const shout = operation({
  name: 'shout',
  summary: 'Says it louder.',
  effect: 'read',
  input: z.object({ words: text('What to say.', { min: 1, max: 20 }) }),
  output: z.object({ louder: text('The same in capitals.') }),
  async run(input) {
    return { louder: input.words.toUpperCase() };
  },
});
const withToy = defineModule({ ...account, operations: { ...account.operations, shout } });

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ product: 'sources', database: 'sqlite', modules: { account: withToy } });
});
afterAll(() => server.close());

describe('an operation in one file', () => {
  test('is on HTTP and MCP', async () => {
    for (const surface of ['http', 'mcp'] as const) {
      expect(await server.call(surface, 'account', 'shout', { words: 'hi' })).toEqual({
        code: 0,
        msg: 'success',
        data: { louder: 'HI' },
      });
      expect(await server.call(surface, 'account', 'shout', {})).toEqual({
        code: 410001,
        msg: 'words: is required',
        data: {},
      });
    }
  });

  test('is in the tool list, OpenAPI and the docs', async () => {
    const list = await fetch(`${server.url}/mcp?tools=all`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: server.owner.apiKey },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    });
    const tools = ((await list.json()) as { result: { tools: { name: string; annotations: object }[] } }).result.tools;
    expect(tools.find((tool) => tool.name === 'account_shout')?.annotations).toEqual({
      readOnlyHint: true,
    });
    const openapi = (await (await fetch(`${server.url}/openapi.json`)).json()) as { paths: Record<string, unknown> };
    expect(openapi.paths['/openapi/account/v1/shout']).toBeDefined();
    expect(await (await fetch(`${server.url}/docs`)).text()).toContain('<h2>shout</h2>');
    expect(renderModuleMarkdown(withToy)).toContain('## shout');
  });

  test('is on the command line and the client', async () => {
    const entry = server.app.registry.find('account.shout')!;
    expect(commandUsage(entry)).toContain('sheaf call account.shout');
    expect(readFlags(entry, ['--words', 'hello']).input).toEqual({ words: 'hello' });
    const answer = await call({ url: server.url, ...server.owner }, 'account', 'shout', { words: 'hi' });
    expect(answer.data).toEqual({ louder: 'HI' });
  });
});
