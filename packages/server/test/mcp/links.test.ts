import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '@sheaf/tools/testing/test-server.ts';
import { rpc, type Rpc } from './wire.ts';

/** Long bodies of our own tools are links to resources, where the version of the request knows them. */

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ database: 'sqlite' });
});
afterAll(() => server.close());

const callTool = async (name: string, args: object, options: Parameters<Rpc>[2] = {}) =>
  (await rpc(server, 'tools/call', { name, arguments: args }, options)).body.result;
const read = async (uri: string) => (await rpc(server, 'resources/read', { uri })).body.result.contents[0];
const linkOf = (result: any) => result.content.find((item: { type: string }) => item.type === 'resource_link');

describe('a note that is long', () => {
  const text = `# Long\n\n${'pears and plums 🍐 '.repeat(3000)}end`;
  let note_id: string;
  beforeAll(async () => {
    ({ note_id } = (await callTool('note_import_doc', { content_format: 1, content: text })).structuredContent);
  });

  test('is its beginning and a link, behind which is all of it', async () => {
    const result = await callTool('note_export_note', { note_id });
    const { content } = result.structuredContent;
    expect(text.startsWith(content)).toBe(true);
    expect(content.length).toBeLessThan(1100);
    expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent);
    expect(result.content[1].text).toContain(`of ${text.length} characters`);
    expect(linkOf(result)).toEqual({
      type: 'resource_link',
      uri: `sheaf://note/${note_id}`,
      name: 'Long.md',
      mimeType: 'text/markdown',
    });
    expect((await read(linkOf(result).uri)).text).toBe(text);
  });

  test.each([
    ['of 2024-11-05', { version: 'older', headers: { 'mcp-protocol-version': '2024-11-05' } }],
    ['that names no version', { version: 'older' }],
    ['that wants no links', { query: '?links=never' }],
  ] as const)('is whole for a request %s', async (_name, options) => {
    const result = await callTool('note_export_note', { note_id }, options);
    expect(result.structuredContent.content).toBe(text);
    expect(linkOf(result)).toBeUndefined();
  });

  test('is a link for older versions that know it', async () => {
    const headers = { 'mcp-protocol-version': '2025-06-18' };
    expect(linkOf(await callTool('note_export_note', { note_id }, { version: 'older', headers }))).toBeDefined();
  });

  test('has no link where no resource holds the same, nor where it is short; over HTTP it is whole', async () => {
    for (const more of [{ format: 'text' }, { version: 1 }]) {
      const result = await callTool('note_export_note', { note_id, ...more });
      expect([result.structuredContent.content.length > 20_000, linkOf(result)]).toEqual([true, undefined]);
    }
    const short = (await callTool('note_import_doc', { content_format: 1, content: '# Short' })).structuredContent;
    expect((await callTool('note_export_note', { note_id: short.note_id })).content).toHaveLength(1);
    const { data } = await server.call('http', 'note', 'export_note', { note_id });
    expect(data.content).toBe(text);
  });
});

test('a spreadsheet as a file is a link: to a resource, or to where it is stored', async () => {
  const rows = Array.from({ length: 3000 }, (_, row) => `${row},${(row * 7919) % 10007},pear ${row}`).join('\n');
  const content = Buffer.from(rows).toString('base64');
  const { file_id } = (await callTool('manage_import_file', { title: 'Fruit', content })).structuredContent;
  const result = await callTool('manage_export_file', { file_id });
  expect(result.structuredContent).toMatchObject({ file_name: 'Fruit.xlsx' });
  expect(result.structuredContent.content).toBe('');
  expect(linkOf(result)).toMatchObject({ uri: `sheaf://file/${file_id}`, name: 'Fruit.xlsx' });
  const { blob, mimeType } = await read(linkOf(result).uri);
  expect([Buffer.from(blob, 'base64').subarray(0, 2).toString(), mimeType]).toEqual(['PK', linkOf(result).mimeType]);
  const inline = await callTool('manage_export_file', { file_id, as_link: false });
  expect(Buffer.from(inline.structuredContent.content, 'base64').subarray(0, 2).toString()).toBe('PK');
  const stored = await callTool('manage_export_file', { file_id, as_link: true });
  expect(linkOf(stored).uri).toBe(stored.structuredContent.url);
  const stranger = await server.newUser();
  const refused = await rpc(server, 'resources/read', { uri: linkOf(result).uri }, { as: stranger });
  expect(refused.body.error.code).toBe(-32602);
});

test('a part of an item links to the whole', async () => {
  const text = 'plums '.repeat(500);
  const { knowledge_base_id } = (await server.call('http', 'wiki', 'create_knowledge_base', { name: 'Parts' })).data;
  const { media_id } = (
    await server.call('http', 'wiki', 'upload_knowledge', {
      knowledge_base_id,
      file_name: 'plums.txt',
      content: Buffer.from(text).toString('base64'),
    })
  ).data;
  await server.call('http', 'wiki', 'get_knowledge_state', { media_ids: [media_id], wait_seconds: 30 });
  const part = await callTool('wiki_get_knowledge_content', { media_id, max_tokens: 50 });
  expect(linkOf(part).uri).toBe(`sheaf://knowledge/${media_id}`);
  expect((await read(linkOf(part).uri)).text.trim()).toBe(text.trim());
  expect(linkOf(await callTool('wiki_get_knowledge_content', { media_id }))).toBeUndefined();
});
