import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { modules } from '../../src/modules.ts';
import { inputSchema } from '../../src/kernel/describe-operation.ts';
import { examples } from '../spec/examples.ts';
import { startServer, type Answer, type TestServer } from '@sheaf/tools/testing/test-server.ts';

const guards: Record<string, unknown> = {
  base_version: 999_999,
  assert: ['1 = 2'],
  dry_run: true,
  return_changes: true,
};

describe('[finding C14] guards work in every operation that writes, or are refused', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.close());

  for (const module of Object.values(modules)) {
    const writing = Object.values(module.operations).filter(({ effect }) => effect !== 'read');
    test(`${module.name}: none of ${writing.length} operations ignores one`, { timeout: 240_000 }, async () => {
      for (const operation of writing) {
        const input = await examples[module.name as keyof typeof examples][operation.name]!(server);
        const known = Object.keys(inputSchema(operation).properties ?? {});
        for (const [guard, value] of Object.entries(guards)) {
          if (known.includes(guard)) continue;
          const answer = await server.call('http', module.name, operation.name, { ...input, [guard]: value });
          expect([operation.name, guard, answer]).toEqual([
            operation.name,
            guard,
            { code: module.errors.invalid_parameter.code, msg: expect.stringContaining(`${guard}: `), data: {} },
          ]);
        }
      }
    });
  }

  test('a stale base_version of append_doc is a conflict, and the note stays as it was', async () => {
    const { data } = await server.call('http', 'note', 'import_doc', { content_format: 1, content: '# Plan' });
    const append = (content: string, base_version: unknown): Promise<Answer> =>
      server.call('mcp', 'note', 'append_doc', { note_id: data.note_id, content_format: 1, content, base_version });
    expect((await append('one', 1)).code).toBe(0);
    expect(await append('two', 1)).toMatchObject({ code: 210008 });
    expect((await append('three', 2)).code).toBe(0);
    const read = await server.call('http', 'note', 'get_doc_content', {
      note_id: data.note_id,
      target_content_format: 0,
    });
    expect(read.data.content).not.toContain('two');
  });

  test('idempotency_key works as a field over HTTP and MCP, and is refused where it is no text', async () => {
    const input = { content_format: 1, content: '# Once', idempotency_key: 'key-1' };
    const first = await server.call('http', 'note', 'import_doc', input);
    expect((await server.call('mcp', 'note', 'import_doc', input)).data.note_id).toBe(first.data.note_id);
    for (const surface of ['http', 'mcp'] as const)
      expect(await server.call(surface, 'note', 'import_doc', { ...input, idempotency_key: 7 })).toMatchObject({
        code: 210001,
        msg: expect.stringContaining('idempotency_key: '),
      });
  });

  test('other unknown fields of specified tools are ignored, and the remark says so', async () => {
    const remark = async (name: string, input: object): Promise<unknown> => {
      const response = await fetch(`${server.url}/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${server.owner.apiKey}` },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }),
      });
      const { result } = (await response.json()) as { result: { content: { text: string }[]; _meta?: object } };
      return [result.content[1]?.text, result._meta];
    };
    expect(await remark('note_search_note', { query: 'x', start: 0, end: 5 })).toEqual([
      'Ignored unknown fields: query (did you mean query_info?)',
      { ignored: ['query'] },
    ]);
    const file = await server.call('http', 'manage', 'create_file', { title: 'Book' });
    expect(await remark('sheet_add_sheet', { file_id: file.data.file_id, sheet_name: 'Costs' })).toEqual([
      expect.stringContaining('Ignored unknown fields: sheet_name'),
      expect.objectContaining({ ignored: ['sheet_name'] }),
    ]);
  });
});
