import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type Key, type TestServer } from '@sheaf/tools/testing/test-server.ts';
import { listen, metaOf, rpc, type Rpc } from './wire.ts';

/** MCP 2026-07-28, as its clients send it, beside the older versions. */

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ database: 'sqlite' });
});
afterAll(() => server.close());

const send: Rpc = (method, params, options) => rpc(server, method, params, options);
const callTool = (name: string, args: object, options: Parameters<Rpc>[2] = {}) =>
  send('tools/call', { name, arguments: args }, options);

describe('each request says its version', () => {
  test('server/discover tells versions, capabilities and who answers; only what is served', async () => {
    const { status, body } = await send('server/discover');
    expect(status).toBe(200);
    expect(body.result).toMatchObject({
      resultType: 'complete',
      supportedVersions: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'],
      capabilities: { tools: {}, resources: { subscribe: true }, completions: {} },
      cacheScope: 'public',
      ttlMs: 300_000,
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'sheaf' } },
    });
    expect(Object.keys(body.result.capabilities)).toEqual([
      'tools',
      'resources',
      'completions',
      'extensions',
      'prompts',
    ]);
    expect(body.result.instructions).toContain('find_tools');
  });

  test('results say what they are; those of older versions stay as they were', async () => {
    const list = (await send('tools/list')).body.result;
    expect([list.resultType, list.ttlMs, list.cacheScope]).toEqual(['complete', 300_000, 'public']);
    const called = (await callTool('account_get_me', {})).body.result;
    expect([called.resultType, called.structuredContent.name]).toEqual(['complete', 'owner']);
    const older = (await send('tools/list', {}, { version: 'older' })).body.result;
    expect(Object.keys(older)).toEqual(['tools']);
    expect(older.tools).toEqual(list.tools);
  });

  test.each([
    ['no _meta', { _meta: undefined }, -32602],
    ['no version', { _meta: { 'io.modelcontextprotocol/clientCapabilities': {} } }, -32602],
    ['no capabilities', { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } }, -32602],
  ])('%s is malformed', async (_name, params, code) => {
    const { status, body } = await send('server/discover', params);
    expect([status, body.error.code, body.id]).toEqual([400, code, 1]);
  });

  test('a version that nobody knows is refused with those that are', async () => {
    const meta = { ...metaOf(), 'io.modelcontextprotocol/protocolVersion': '2031-01-01' };
    const { status, body } = await send(
      'tools/list',
      { _meta: meta },
      { headers: { 'mcp-protocol-version': '2031-01-01' } },
    );
    expect([status, body.error.code, body.error.data.requested]).toEqual([400, -32022, '2031-01-01']);
    expect(body.error.data.supported[0]).toBe('2026-07-28');
  });

  test.each([
    ['another version', { 'mcp-protocol-version': '2025-11-25' }],
    ['no version', { 'mcp-protocol-version': '' }],
    ['another method', { 'mcp-method': 'tools/list' }],
    ['a method in other letters', { 'mcp-method': 'Tools/Call' }],
    ['no method', { 'mcp-method': '' }],
    ['another name', { 'mcp-name': 'account_list_keys' }],
    ['no name', { 'mcp-name': '' }],
    ['a name in broken Base64', { 'mcp-name': '=?base64?YWNjb3VudF9nZXRfbWU?=' }],
  ])('headers that say something else than the body (%s) are refused', async (_name, headers) => {
    const { status, body } = await callTool('account_get_me', {}, { headers });
    expect([status, body.error?.code]).toEqual([400, -32020]);
  });

  test('a name that is no header is sent in Base64', async () => {
    const headers = { 'mcp-name': `=?base64?${Buffer.from('account_get_me').toString('base64')}?=` };
    expect((await callTool('account_get_me', {}, { headers })).body.result.structuredContent.name).toBe('owner');
  });

  test.each(['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'tasks/list'])(
    '%s is not of this version, or not served: 404',
    async (method) => {
      const { status, body } = await send(method);
      expect([status, body.error.code]).toEqual([404, -32601]);
    },
  );

  test('over its rate a key gets the number of the contract and when to try again', async () => {
    const limited = await startServer({ database: 'sqlite', config: { SHEAF_RATE_LIMIT: 1 } });
    try {
      let refused: Awaited<ReturnType<Rpc>> | undefined;
      for (let tries = 0; tries < 20 && refused?.status !== 429; tries++) refused = await rpc(limited, 'tools/list');
      expect([refused?.status, refused?.body.error.code]).toEqual([429, 20002]);
    } finally {
      await limited.close();
    }
  });

  test('an answer is JSON whatever is accepted, without a progress token', async () => {
    for (const accept of ['*/*', 'text/event-stream', 'application/json, text/event-stream']) {
      const { type, body } = await callTool('account_get_me', {}, { headers: { accept } });
      expect([accept, type, body.result.structuredContent.name]).toEqual([accept, 'application/json', 'owner']);
    }
  });
});

describe('a call that takes something away', () => {
  const asking = { _meta: metaOf({ elicitation: {} }) };
  const newNote = async (): Promise<string> =>
    (await callTool('note_import_doc', { content_format: 1, content: '# Doomed' })).body.result.structuredContent
      .note_id;
  const remove = (note_id: string, more: object = {}, name = 'note_delete_note', as?: Key) =>
    send(
      'tools/call',
      name === 'call_tool'
        ? { name, arguments: { name: 'note_delete_note', arguments: { note_id } }, ...asking, ...more }
        : { name, arguments: { note_id }, ...asking, ...more },
      { as },
    );
  const exists = async (note_id: string): Promise<boolean> =>
    (await callTool('note_export_note', { note_id })).body.result.isError !== true;

  test.each(['note_delete_note', 'call_tool'])(
    'is confirmed by a person where the client can ask (%s)',
    async (name) => {
      const id = await newNote();
      const { result } = (await remove(id, {}, name)).body;
      expect(result.resultType).toBe('input_required');
      const { confirm } = result.inputRequests;
      expect([confirm.method, confirm.params.message]).toEqual(['elicitation/create', expect.stringContaining(id)]);
      expect(await exists(id)).toBe(true);
      const { requestState } = result;
      const declined = (await remove(id, { requestState, inputResponses: { confirm: { action: 'decline' } } }, name))
        .body;
      expect(declined.result.isError).toBe(true);
      expect(await exists(id)).toBe(true);
      const inputResponses = { confirm: { action: 'accept', content: { confirm: true } } };
      expect((await remove(id, { requestState, inputResponses }, name)).body.result.isError).toBeUndefined();
      expect(await exists(id)).toBe(false);
    },
  );

  test('what was confirmed is this call, by this person, now; a changed state is refused', async () => {
    const [one, other] = [await newNote(), await newNote()];
    const { requestState } = (await remove(one)).body.result;
    const inputResponses = { confirm: { action: 'accept', content: { confirm: true } } };
    expect((await remove(other, { requestState, inputResponses })).body.error.code).toBe(-32602);
    expect((await remove(one, { requestState: `${requestState}x`, inputResponses })).body.error.code).toBe(-32602);
    const stranger = await server.newUser();
    expect((await remove(one, { requestState, inputResponses }, 'note_delete_note', stranger)).body.error.code).toBe(
      -32602,
    );
    // An answer that does not fit the form is asked for again.
    const silent = { requestState, inputResponses: { confirm: { action: 'accept', content: {} } } };
    expect((await remove(one, silent)).body.result.resultType).toBe('input_required');
    expect([await exists(one), await exists(other)]).toEqual([true, true]);
  });

  test('is done at once where the client cannot ask, or says that nobody is to be asked', async () => {
    const [one, other] = [await newNote(), await newNote()];
    await callTool('note_delete_note', { note_id: one });
    await send(
      'tools/call',
      { name: 'note_delete_note', arguments: { note_id: other }, ...asking },
      { query: '?confirm=never' },
    );
    expect([await exists(one), await exists(other)]).toEqual([false, false]);
  });
});

describe('resources', () => {
  const read = async (uri: string, options: Parameters<Rpc>[2] = {}) =>
    (await send('resources/read', { uri }, options)).body;

  test('templates are announced, and everything announced can be read', async () => {
    const { resourceTemplates } = (await send('resources/templates/list')).body.result;
    expect(resourceTemplates.map((one: { uriTemplate: string }) => one.uriTemplate).sort()).toEqual([
      'sheaf://file/{id}',
      'sheaf://knowledge/{id}',
      'sheaf://note/{id}',
      'sheaf://sheet/{file}/{sheet}{?range}',
    ]);
    await callTool('note_import_doc', { content_format: 1, content: '# Listed' });
    let cursor: string | undefined;
    const uris: string[] = [];
    do {
      const { result } = (await send('resources/list', cursor === undefined ? {} : { cursor })).body;
      uris.push(...result.resources.map((one: { uri: string }) => one.uri));
      cursor = result.nextCursor;
    } while (cursor !== undefined);
    expect(uris.filter((uri) => uri.startsWith('sheaf://docs/'))).toHaveLength(server.app.registry.modules.length);
    expect(uris.some((uri) => uri.startsWith('sheaf://note/'))).toBe(true);
    for (const uri of uris) expect((await read(uri)).result.contents[0].uri).toBe(uri);
    expect((await send('resources/list', { cursor: 'nope' })).body.error.code).toBe(-32602);
  });

  test('a note, a sub-sheet with and without a range, an item of a base', async () => {
    const { note_id } = (await callTool('note_import_doc', { content_format: 1, content: '# Pears\n\nripe' })).body
      .result.structuredContent;
    const note = (await read(`sheaf://note/${note_id}`)).result;
    expect(note).toMatchObject({ ttlMs: 0, cacheScope: 'private', resultType: 'complete' });
    expect(note.contents).toEqual([
      { uri: `sheaf://note/${note_id}`, mimeType: 'text/markdown', text: '# Pears\n\nripe' },
    ]);
    const made = (
      await callTool('manage_import_file', { title: 'T', content: Buffer.from('a,b\n1,2\n').toString('base64') })
    ).body.result.structuredContent;
    const sheet = `sheaf://sheet/${made.file_id}/${made.sheets[0].sheet_id}`;
    expect((await read(sheet)).result.contents[0]).toMatchObject({ mimeType: 'text/csv', text: 'a,b\n1,2\n' });
    expect((await read(`${sheet}?range=B1:B2`)).result.contents[0].text).toBe('b\n2\n');
    const tooLarge = await read(`${sheet}?range=A1:ZZ1000`);
    expect([tooLarge.error.code, tooLarge.error.message]).toEqual([
      -32602,
      'resource not found: range: at most 20000 cells can be read at once, and A1:ZZ1000 has 702000; name a smaller range as ?range=A1:D20',
    ]);
    const base = (await callTool('wiki_create_knowledge_base', { name: 'Fruit' })).body.result.structuredContent;
    const item = (
      await callTool('wiki_upload_knowledge', {
        knowledge_base_id: base.knowledge_base_id,
        file_name: 'plums.md',
        content: Buffer.from('# Plums\n\nblue').toString('base64'),
      })
    ).body.result.structuredContent;
    await callTool('wiki_get_knowledge_state', { media_ids: [item.media_id], wait_seconds: 30 });
    expect((await read(`sheaf://knowledge/${item.media_id}`)).result.contents[0].text).toContain('blue');
    const stranger = await server.newUser();
    for (const uri of [`sheaf://note/${note_id}`, sheet, `sheaf://knowledge/${item.media_id}`]) {
      const { error } = await read(uri, { as: stranger });
      expect([uri, error.code, error.data.uri]).toEqual([uri, -32602, uri]);
    }
    expect((await read('sheaf://note/nope', { version: 'older' })).error.code).toBe(-32002);
    expect((await read('sheaf://elsewhere/1')).error.code).toBe(-32602);
  });

  test('a key for one module sees and reads the resources of that one', async () => {
    const made = await server.call('http', 'account', 'create_key', { name: 'notes', modules: ['note'] });
    const key = { ...server.owner, apiKey: made.data.api_key as string };
    const { resourceTemplates } = (await send('resources/templates/list', {}, { as: key })).body.result;
    expect(resourceTemplates.map((one: { name: string }) => one.name)).toEqual(['note']);
    expect((await read('sheaf://sheet/a/b', { as: key })).error.code).toBe(-32602);
  });

  test('arguments of templates are completed with what the caller has', async () => {
    const made = (
      await callTool('manage_import_file', { title: 'Completed', content: Buffer.from('x').toString('base64') })
    ).body.result.structuredContent;
    const complete = async (uri: string, name: string, value: string, given?: object, as?: Key) =>
      (
        await send(
          'completion/complete',
          {
            ref: { type: 'ref/resource', uri },
            argument: { name, value },
            ...(given ? { context: { arguments: given } } : {}),
          },
          { as },
        )
      ).body;
    const sheets = 'sheaf://sheet/{file}/{sheet}{?range}';
    expect((await complete(sheets, 'file', made.file_id.slice(0, 12))).result.completion.values).toContain(
      made.file_id,
    );
    expect((await complete(sheets, 'sheet', '', { file: made.file_id })).result.completion).toEqual({
      values: [made.sheets[0].sheet_id],
      hasMore: false,
    });
    const { note_id } = (await callTool('note_import_doc', { content_format: 1, content: '# New' })).body.result
      .structuredContent;
    expect((await complete('sheaf://note/{id}', 'id', '')).result.completion.values).toContain(note_id);
    const stranger = await server.newUser();
    expect((await complete('sheaf://note/{id}', 'id', '', {}, stranger)).result.completion.values).toEqual([]);
    expect((await complete(sheets, 'sheet', '', { file: made.file_id }, stranger)).result.completion.values).toEqual(
      [],
    );
    expect((await complete(sheets, 'row', '')).error.code).toBe(-32602);
    expect((await complete('sheaf://nothing/{id}', 'id', '')).error.code).toBe(-32602);
  });
});

describe('subscriptions/listen', () => {
  test('acknowledges what can be watched, then tells what changed, and nothing else', async () => {
    const note = async (content: string): Promise<string> =>
      (await callTool('note_import_doc', { content_format: 1, content })).body.result.structuredContent.note_id;
    const [watched, other] = [await note('# Watched'), await note('# Other')];
    const made = (await callTool('manage_create_file', { title: 'Watched' })).body.result.structuredContent;
    const sheet = `sheaf://sheet/${made.file_id}/any`;
    const uri = `sheaf://note/${watched}`;
    const stream = await listen(server, {
      toolsListChanged: true,
      resourceSubscriptions: [uri, sheet, 'sheaf://note/nope', 'sheaf://elsewhere/1'],
    });
    try {
      expect(await stream.next()).toEqual({
        jsonrpc: '2.0',
        method: 'notifications/subscriptions/acknowledged',
        params: {
          notifications: { resourceSubscriptions: [uri, sheet] },
          _meta: { 'io.modelcontextprotocol/subscriptionId': 1 },
        },
      });
      await callTool('note_append_doc', { note_id: other, content_format: 1, content: 'more' });
      await callTool('note_append_doc', { note_id: watched, content_format: 1, content: 'more' });
      expect(await stream.next()).toEqual({
        jsonrpc: '2.0',
        method: 'notifications/resources/updated',
        params: { uri, _meta: { 'io.modelcontextprotocol/subscriptionId': 1 } },
      });
      const { sheets } = (await callTool('sheet_get_sheet_info', { file_id: made.file_id })).body.result
        .structuredContent;
      await callTool('sheet_set_cell_value', {
        file_id: made.file_id,
        sheet_id: sheets[0].sheet_id,
        row: 0,
        col: 0,
        value_type: 'STRING',
        string_value: 'x',
      });
      expect((await stream.next()).params.uri).toBe(sheet);
    } finally {
      stream.close();
    }
  });

  test('who loses access hears nothing more, and a stop ends the stream with its result', async () => {
    const own = await startServer({ database: 'sqlite' });
    const guest = await own.newUser();
    const { data } = await own.call('http', 'manage', 'create_file', { title: 'Shared' });
    await own.call('http', 'manage', 'share_file', { file_id: data.file_id, user_id: guest.userId, role: 'viewer' });
    const uri = `sheaf://sheet/${data.file_id}/any`;
    const mine = await listen(own, { resourceSubscriptions: [uri] });
    const theirs = await listen(own, { resourceSubscriptions: [uri] }, guest);
    expect((await theirs.next()).params.notifications.resourceSubscriptions).toEqual([uri]);
    await mine.next();
    await own.call('http', 'manage', 'share_file', { file_id: data.file_id, user_id: guest.userId, role: 'none' });
    await own.call('http', 'sheet', 'add_sheet', { file_id: data.file_id, sheet_name: 'More' });
    expect((await mine.next()).params.uri).toBe(uri);
    await own.close();
    const last = await theirs.next();
    expect(last).toMatchObject({
      id: 1,
      result: { resultType: 'complete', _meta: { 'io.modelcontextprotocol/subscriptionId': 1 } },
    });
    expect((await mine.next()).id).toBe(1);
  });

  test('a filter that is none is refused by its field', async () => {
    const { status, body } = await send('subscriptions/listen', { notifications: { resourceSubscriptions: 'all' } });
    expect([status, body.error.code, body.error.message]).toEqual([
      200,
      -32602,
      'notifications.resourceSubscriptions: must be at most 100 addresses (got "all")',
    ]);
  });
});
