import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startServer, type Key, type TestServer } from '@sheaf/tools/testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ database: 'sqlite' });
});
afterAll(() => server.close());

interface Tool {
  name: string;
  description: string;
  inputSchema: { properties?: Record<string, Field>; required?: string[] };
  outputSchema?: { type: string };
  title?: string;
  annotations: Record<string, boolean>;
}

interface Field {
  description?: string;
  properties?: Record<string, Field>;
  items?: Field;
}

async function rpc(method: string, params: object = {}, query = '', as: Key = server.owner): Promise<any> {
  const response = await fetch(`${server.url}/mcp${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${as.apiKey}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return response.json();
}

async function toolsOf(query: string): Promise<Tool[]> {
  return (await rpc('tools/list', {}, query)).result.tools as Tool[];
}

/** What agents pay: four bytes are about a token. Output schemas are for clients, not for models. */
const tokens = (tools: Tool[]): number =>
  Buffer.byteLength(JSON.stringify({ tools: tools.map(({ outputSchema: _, ...tool }) => tool) })) / 4;

async function call(name: string, args: unknown, as: Key = server.owner): Promise<any> {
  return (await rpc('tools/call', { name, arguments: args }, '', as)).result;
}

const failureOf = (result: any): { code: number; msg: string } => JSON.parse(result.content[0].text);

describe('[finding C11] the list of tools', () => {
  test('by default has the 65 specified tools, a dozen of ours, search, fetch and three to reach the rest, in 18,000 tokens', async () => {
    const tools = await toolsOf('');
    const names = tools.map((tool) => tool.name);
    expect(tokens(tools)).toBeLessThanOrEqual(18_000);
    expect(names.slice(-3)).toEqual(['find_tools', 'call_read_tool', 'call_tool']);
    expect(names.length - 65 - 5).toBeGreaterThanOrEqual(12);
    expect(names.length - 65 - 5).toBeLessThanOrEqual(15);
    for (const name of [
      'account_get_me',
      'manage_create_file',
      'wiki_search_all',
      'wiki_search_passages',
      'sheet_set_cell_value',
      'note_import_doc',
    ])
      expect(names).toContain(name);
    expect(names).not.toContain('account_delete_user');
  });

  test('is about 30 tools and those three with ?tools=core, in 8,000 tokens', async () => {
    const tools = await toolsOf('?tools=core');
    expect(tokens(tools)).toBeLessThanOrEqual(8_000);
    expect(tools.length).toBeGreaterThanOrEqual(20);
    expect(tools.length).toBeLessThanOrEqual(35);
    expect(tools.map((tool) => tool.name)).toContain('wiki_search_passages');
    expect(tools.slice(-3).map((tool) => tool.name)).toEqual(['find_tools', 'call_read_tool', 'call_tool']);
  });

  test('is everything with ?tools=all, and everything of some with ?modules=, in 45,000 tokens', async () => {
    const all = await toolsOf('?tools=all');
    expect(tokens(all)).toBeLessThanOrEqual(45_000);
    const unlisted = [
      ...['describe_sheet', 'enter_cells', 'find_edge', 'get_used_range', 'get_view', 'summarize_range'].map(
        (name) => `sheet_${name}`,
      ),
      'note_sync_note',
    ];
    expect(all).toHaveLength(server.app.registry.entries().length - unlisted.length + 2);
    // Covered by newer ones, or for the page: in no list, and still called by whoever knows them.
    for (const name of unlisted) {
      expect(all.some((tool) => tool.name === name)).toBe(false);
      expect((await call(name, {})).isError).toBe(true);
    }
    const every = await toolsOf('?modules=account,note,wiki,sheet,manage,sharing,inbox');
    expect(every).toEqual(all);
    expect((await toolsOf('?modules=note')).every((tool) => tool.name.startsWith('note_'))).toBe(true);
  });

  test('names the choices where another one is asked for', async () => {
    for (const tools of ['some', 'toString'])
      expect((await rpc('tools/list', {}, `?tools=${tools}`)).error).toEqual({
        code: -32602,
        message: `tools: must be one of core, default, all (got "${tools}")`,
      });
  });

  test('[finding T14] describes every parameter, and says of a region that it counts from 0 and includes its end', async () => {
    const bare: string[] = [];
    const common = ['idempotency_key', 'reason', 'dry_run', 'return_changes', 'assert', 'mode'];
    const look = (path: string, fields: Record<string, Field> = {}, around?: string): void => {
      for (const [name, field] of Object.entries(fields)) {
        // The one field of a wrapper that was described already, and what the instructions explain once.
        if (!field.description && !(name === 'value' && around) && !common.includes(name)) bare.push(`${path}.${name}`);
        look(`${path}.${name}`, field.properties, field.description);
        look(`${path}.${name}[]`, field.items?.properties, field.description);
      }
    };
    const tools = await toolsOf('?tools=all');
    for (const tool of tools.filter((one) => !one.description.startsWith('Deprecated:')))
      look(tool.name, tool.inputSchema.properties);
    expect(bare).toEqual([]);
    const region = tools.find((tool) => tool.name === 'sheet_clear_range_all')!.inputSchema.properties!;
    expect([region['start_row']!.description, region['end_row']!.description, region['file_id']!.description]).toEqual([
      '0-based.',
      '0-based, inclusive.',
      'Or file_url.',
    ]);
  });

  test('[finding C12] every tool has a title and an output schema, and names the common options it takes in 12 tokens each', async () => {
    const tools = (await toolsOf('?tools=all')).filter((tool) => !tool.description.startsWith('Deprecated:'));
    expect(
      tools.filter((tool) => !tool.title || tool.outputSchema?.type !== 'object').map((tool) => tool.name),
    ).toEqual([]);
    const fieldsOf = (name: string): Record<string, Field> =>
      tools.find((tool) => tool.name === name)!.inputSchema.properties!;
    expect(fieldsOf('sheet_set_cell_value')).toMatchObject({
      idempotency_key: { type: 'string' },
      reason: { type: 'string' },
      dry_run: { type: 'boolean' },
      return_changes: { type: 'boolean' },
      assert: { type: 'string' },
    });
    expect(fieldsOf('note_append_doc')).toHaveProperty('idempotency_key');
    expect(fieldsOf('wiki_search_all')).toHaveProperty('mode');
    expect(fieldsOf('sheet_read')).not.toHaveProperty('idempotency_key');
    for (const name of ['idempotency_key', 'reason', 'dry_run', 'return_changes', 'assert'])
      expect(
        (JSON.stringify({ [name]: fieldsOf('sheet_set_cell_value')[name] }).length - 1) / 4,
        name,
      ).toBeLessThanOrEqual(12);
  });

  test('gives examples that are JSON', () => {
    const examples = server.app.registry
      .entries()
      .map(({ name, operation }) => ({ name, example: /\nExample: (.*)$/s.exec(operation.summary)?.[1] }))
      .filter(({ example }) => example !== undefined);
    expect(examples.length).toBeGreaterThan(100);
    for (const { name, example } of examples) expect(() => JSON.parse(example!) as unknown, name).not.toThrow();
  });

  test('announces only what is served', async () => {
    const { capabilities } = (await rpc('initialize', { protocolVersion: '2025-11-25', capabilities: {} })).result;
    const methods: Record<string, [string, object]> = {
      logging: ['logging/setLevel', { level: 'info' }],
    };
    for (const [capability, [method, params]] of Object.entries(methods)) {
      expect([capability, capabilities[capability]]).toEqual([capability, undefined]);
      expect((await rpc(method, params)).error.code).toBe(-32601);
    }
  });
});

describe('find_tools', () => {
  const found = async (query: string): Promise<string[]> =>
    ((await call('find_tools', { query })).structuredContent.tools as Tool[]).map((tool) => tool.name);

  test('finds what the list leaves out by what it does, with its arguments', async () => {
    expect(await found('share a spreadsheet with somebody')).toContain('manage_share_file');
    expect(await found('restore a deleted note')).toContain('note_restore_note');
    expect(await found('undo the last change')).toContain('sheet_undo_revision');
    expect(await found('suspending users')).toContain('account_suspend_user');
    const { tools } = (await call('find_tools', { query: 'rename file', limit: 1 })).structuredContent;
    expect(tools).toHaveLength(1);
    expect(tools[0]).toMatchObject({ name: 'manage_rename_file', effect: 'write' });
    expect(Object.keys(tools[0].inputSchema.properties)).toEqual(['file_id', 'title', 'idempotency_key', 'reason']);
  });

  test('lists all of them in a line each without a query, and never what the key may not call', async () => {
    const { tools } = (await call('find_tools', {})).structuredContent;
    expect(tools.map((tool: Tool) => tool.name)).toContain('account_delete_user');
    const member = await server.newUser();
    const theirs = (await call('find_tools', {}, member)).structuredContent.tools.map((tool: Tool) => tool.name);
    expect(theirs).not.toContain('account_delete_user');
    expect(theirs).toContain('manage_share_file');
  });

  test.each([
    [{ query: 'x'.repeat(257) }, 'query: must be a string of at most 256 characters'],
    [{ query: 7 }, 'query: must be a string'],
    [{ limit: 21 }, 'limit: must be 1 to 20 (got 21)'],
    [[], 'the arguments: must be an object (got an array of 0)'],
  ])('refuses %j', async (args, message) => {
    const result = await call('find_tools', args);
    expect(result.isError).toBe(true);
    expect(failureOf(result).msg).toContain(message);
  });
});

describe('call_read_tool and call_tool', () => {
  test('call what is not listed, and answer as it does', async () => {
    // Until the index has caught up with the start, a search says so.
    await vi.waitFor(async () =>
      expect(await call('manage_search_file', { query: 'nothing' })).not.toHaveProperty(
        'structuredContent.index_behind',
      ),
    );
    const direct = await call('manage_search_file', { query: 'nothing' });
    expect(await call('call_read_tool', { name: 'manage_search_file', arguments: { query: 'nothing' } })).toEqual(
      direct,
    );
    const made = await call('call_tool', { name: 'note.add_notebook', arguments: { name: 'By another' } });
    expect(made.structuredContent).toMatchObject({ folder: { name: 'By another' } });
    expect(await call('call_tool', { name: 'wiki_delete_session' })).toEqual(await call('wiki_delete_session', {}));
  });

  test('say that the one changes nothing and the other may destroy', async () => {
    const tools = await toolsOf('?tools=core');
    const hints = Object.fromEntries(tools.map((tool) => [tool.name, tool.annotations]));
    expect(hints['call_read_tool']).toMatchObject({ readOnlyHint: true });
    expect(hints['call_tool']).toMatchObject({ destructiveHint: true });
    const refused = await call('call_read_tool', { name: 'note_add_notebook', arguments: { name: 'Not by reading' } });
    expect(failureOf(refused).msg).toBe('name: note_add_notebook changes something; call it with call_tool');
    const { notebooks = [], folders = [] } = (await call('note_list_notebook', { cursor: '', limit: 20 }))
      .structuredContent;
    expect(JSON.stringify([notebooks, folders])).not.toContain('Not by reading');
  });

  test('give nobody more than a direct call would: scope, effect, owner', async () => {
    const keyOf = async (fields: object): Promise<Key> => {
      const { data } = await server.call('http', 'account', 'create_key', { name: 'narrow', ...fields });
      return { ...server.owner, apiKey: data['api_key'] as string };
    };
    const notes = await keyOf({ modules: ['note'] });
    const reader = await keyOf({ access: 'read' });
    const member = await server.newUser();
    const cases: [Key, string, object][] = [
      [notes, 'manage_create_file', { title: 'No' }],
      [reader, 'note_import_doc', { content_format: 1, content: '# No' }],
      [member, 'account_list_users', {}],
    ];
    for (const [key, name, args] of cases) {
      const direct = await call(name, args, key);
      expect(direct.isError).toBe(true);
      expect(await call('call_tool', { name, arguments: args }, key)).toEqual(direct);
    }
    expect(await call('call_read_tool', { name: 'account_list_users' }, member)).toEqual(
      await call('account_list_users', {}, member),
    );
  });

  test('take from the same limit, once', async () => {
    const limited = await startServer({ database: 'sqlite', config: { SHEAF_RATE_LIMIT: 1 } });
    try {
      const statuses: number[] = [];
      for (let turn = 0; turn < 12; turn++) {
        const response = await fetch(`${limited.url}/mcp`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: limited.owner.apiKey },
          body: JSON.stringify({
            jsonrpc: '2.0',
            id: 1,
            method: 'tools/call',
            params: { name: 'call_read_tool', arguments: { name: turn % 2 ? 'account_get_me' : 'nope' } },
          }),
        });
        const { result } = (await response.json()) as { result?: Parameters<typeof failureOf>[0] };
        statuses.push(result?.isError ? failureOf(result).code : response.status);
      }
      // A burst of four, then refusals: of known and unknown names alike.
      expect(statuses.slice(0, 4)).toEqual([410001, 200, 410001, 200]);
      expect(statuses.slice(4).filter((status) => status === 410001 || status === 200).length).toBeLessThanOrEqual(2);
    } finally {
      await limited.close();
    }
  });

  test('do not call themselves, and take no text for an object', async () => {
    expect(failureOf(await call('call_tool', { name: 'call_tool', arguments: {} })).msg).toBe(
      'name: tool not found: call_tool; find_tools lists them',
    );
    expect(failureOf(await call('call_tool', { name: 'account_get_me', arguments: '{}' })).msg).toBe(
      'arguments: must be an object (got "{}")',
    );
    expect(failureOf(await call('call_tool', {})).msg).toBe('name: must be the name of a tool (got undefined)');
  });

  test('a repeat with the same idempotency_key has one effect, beside the arguments or among them', async () => {
    const ids = new Set<string>();
    for (const args of [
      { name: 'account_create_key', arguments: { name: 'once' }, idempotency_key: 'meta-1' },
      { name: 'account_create_key', arguments: { name: 'once', idempotency_key: 'meta-1' } },
    ])
      ids.add((await call('call_tool', args)).structuredContent.key.key_id);
    expect(ids.size).toBe(1);
  });
});
