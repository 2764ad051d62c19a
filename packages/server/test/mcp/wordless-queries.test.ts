import { expect, test } from 'vitest';
import { eachServer } from '@sheaf/tools/testing/test-server.ts';

const signs = ['- [ ]', '*', '"', '...', '()', '-'];

eachServer('a query of signs alone', (server) => {
  /** The answer over MCP, and what HTTP says beside it. */
  const asked = async (module: string, operation: string, input: object) => {
    const { url, owner } = server();
    const response = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${owner.apiKey}` },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: `${module}_${operation}`, arguments: input },
      }),
    });
    const { result } = (await response.json()) as { result: any };
    const http = await fetch(`${url}/openapi/${module}/v1/${operation}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'svc-openapi-clientid': owner.clientId,
        'svc-openapi-apikey': owner.apiKey,
      },
      body: JSON.stringify(input),
    });
    return { result, code: ((await http.json()) as { code: number }).code, notice: http.headers.get('x-sheaf-notice') };
  };

  test('[finding S11] is refused by our own operations, with the field, the rule and the value', async () => {
    for (const query of signs)
      for (const operation of ['search_all', 'search_passages'])
        expect(await server().call('http', 'wiki', operation, { query })).toEqual({
          code: 110001,
          msg: `query: has no letter, digit or character to search for, and signs alone match nothing (got ${JSON.stringify(query)})`,
          data: {},
        });
  });

  test('[finding S11] finds nothing in specified operations, which say so beside the answer', async () => {
    const base = await server().call('http', 'wiki', 'create_knowledge_base', { name: 'Tasks' });
    const { knowledge_base_id } = base.data;
    await server().call('http', 'note', 'import_doc', { content_format: 1, content: '- [ ] water the plants' });
    await server().call('http', 'manage', 'create_file', { title: 'Plants *' });
    const calls: [module: string, operation: string, field: string, list: string, input: (query: string) => object][] =
      [
        ['wiki', 'search_knowledge', 'query', 'info_list', (query) => ({ query, cursor: '', knowledge_base_id })],
        ['wiki', 'search_knowledge_base', 'query', 'info_list', (query) => ({ query, cursor: '', limit: 20 })],
        ['manage', 'search_file', 'query', 'files', (query) => ({ query })],
      ];
    for (const [type, field] of [
      [0, 'title'],
      [1, 'content'],
    ] as const)
      for (const [operation, list] of [
        ['search_note', 'search_note_infos'],
        ['search_note_book', 'docs'],
      ] as const)
        calls.push([
          'note',
          operation,
          `query_info.${field}`,
          list,
          (query) => ({ search_type: type, query_info: { [field]: query }, start: 0, end: 20 }),
        ]);
    for (const [module, operation, field, list, input] of calls) {
      const notice = `${field} has no letter, digit or character to search for, and signs alone match nothing`;
      for (const query of signs) {
        const told = await asked(module, operation, input(query));
        expect([operation, query, told.result.structuredContent[list]]).toEqual([operation, query, []]);
        expect(told.result.content[1]).toEqual({ type: 'text', text: notice });
        expect(told.result._meta).toEqual({ notice });
        expect([told.code, told.notice]).toEqual([0, notice]);
      }
      const plain = await asked(module, operation, input('plants'));
      expect([operation, plain.result.content.length, plain.notice]).toEqual([operation, 1, null]);
    }
  });

  test('[finding S11] a base that is called by these signs is found, and an empty query finds everything', async () => {
    await server().call('http', 'wiki', 'create_knowledge_base', { name: '***' });
    const named = await asked('wiki', 'search_knowledge_base', { query: '***', cursor: '', limit: 20 });
    expect(named.result.structuredContent.info_list).toMatchObject([{ name: '***' }]);
    expect(named.notice).toBeNull();
    const all = await asked('wiki', 'search_knowledge_base', { query: ' ', cursor: '', limit: 20 });
    expect(all.result.structuredContent.info_list.length).toBeGreaterThan(1);
    expect(all.notice).toBeNull();
  });

  test('[finding S13] a keyword that search_type leaves out is told where nothing else was asked', async () => {
    const told = await asked('note', 'search_note', { query_info: { content: 'plants' }, start: 0, end: 20 });
    expect(told.notice).toBe(
      'query_info.content was ignored because search_type is 0; without query_info.title all notes are listed',
    );
  });
});
