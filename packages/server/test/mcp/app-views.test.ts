import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '@sheaf/tools/testing/test-server.ts';
import { png } from '@sheaf/tools/testing/tiny-images.ts';
import { rpc } from './wire.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ database: 'sqlite' });
});
afterAll(() => server.close());

const result = async (method: string, params: object = {}): Promise<any> => {
  const { body } = await rpc(server, method, params as Record<string, unknown>);
  expect(body.error).toBeUndefined();
  return body.result;
};
const call = (name: string, args: object): Promise<any> => result('tools/call', { name, arguments: args });

describe('[T94] views of results', () => {
  const views: Record<string, string> = {
    sheet_read: 'ui://sheaf/grid',
    sheet_render_chart: 'ui://sheaf/chart',
    wiki_search_passages: 'ui://sheaf/passages',
    note_diff_note: 'ui://sheaf/diff',
  };

  test('are named by their tools, and are one static page each of at most 150 kB that names no host', async () => {
    const { tools } = (await rpc(server, 'tools/list', {}, { query: '?tools=all' })).body.result;
    const named = tools
      .filter((tool: any) => tool._meta?.ui)
      .map((tool: any) => [tool.name, tool._meta.ui.resourceUri]);
    expect(Object.fromEntries(named)).toEqual(views);
    for (const uri of Object.values(views)) {
      const [page] = (await result('resources/read', { uri })).contents;
      expect(page.mimeType).toBe('text/html;profile=mcp-app');
      expect(page._meta.ui.csp).toEqual({
        connectDomains: [],
        resourceDomains: [],
        frameDomains: [],
        baseUriDomains: [],
      });
      expect(Buffer.byteLength(page.text)).toBeLessThan(150_000);
      expect(page.text).toMatch(/^<!doctype html>/);
      expect(page.text).not.toMatch(
        /https?:\/\/|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|fetch\(/,
      );
      const other = await server.newUser();
      expect((await rpc(server, 'resources/read', { uri }, { as: other })).body.result.contents).toEqual([page]);
    }
    expect((await rpc(server, 'resources/read', { uri: 'ui://sheaf/other' })).body.error.code).toBe(-32602);
  });

  test('change nothing of what hosts without them get', async () => {
    const { file_id: file } = (await call('manage_create_file', { title: 'Plain' })).structuredContent;
    await call('sheet_write', { file_id: file, range: 'A1', rows: [['a', 1]] });
    const read = await call('sheet_read', { file_id: file });
    expect(read.content).toHaveLength(1);
    expect(JSON.parse(read.content[0].text)).toEqual(read.structuredContent);
  });
});

describe('[finding G9] pictures', () => {
  test('of charts and ranges are images beside the answer, and no base64 in it', async () => {
    const { file_id: file, sheet_id: sheet } = (await call('manage_create_file', { title: 'Chart' })).structuredContent;
    await call('sheet_write', {
      file_id: file,
      range: 'A1',
      rows: [
        ['a', 'b'],
        ['x', 1],
        ['y', 2],
      ],
    });
    const made = await call('sheet_add_chart', {
      file_id: file,
      sheet_id: sheet,
      chart_type: 'CHART_LINE',
      data_range: { start_row: 0, start_col: 0, end_row: 2, end_col: 1 },
      drawing_id: 'c1',
    });
    expect(made.isError, JSON.stringify(made)).toBeUndefined();
    const drawn = await call('sheet_render_chart', { file_id: file, drawing_id: 'c1', format: 'png' });
    const image = drawn.content.find((one: any) => one.type === 'image');
    expect(image.mimeType).toBe('image/png');
    expect(Buffer.from(image.data, 'base64').subarray(1, 4).toString()).toBe('PNG');
    expect(drawn.structuredContent).toMatchObject({ content_type: 'image/png', content: '' });
    const range = await call('sheet_render_range', { file_id: file, range: 'A1:B3' });
    const picture = range.content.find((one: any) => one.type === 'image');
    expect([picture.mimeType, Buffer.from(picture.data, 'base64').subarray(1, 4).toString()]).toEqual([
      'image/png',
      'PNG',
    ]);
    expect(range.structuredContent).toMatchObject({ content_type: 'image/png', content: '' });
    const plain = await server.call('http', 'sheet', 'render_chart', {
      file_id: file,
      drawing_id: 'c1',
      format: 'png',
    });
    expect(plain.data.content).toBe(image.data);
  });

  test('that are items of a base are images beside their text', async () => {
    const { knowledge_base_id: base } = (await call('wiki_create_knowledge_base', { name: 'Pictures' }))
      .structuredContent;
    const bytes = Buffer.from(png, 'base64');
    const { media_id: id } = (
      await call('wiki_upload_knowledge', {
        knowledge_base_id: base,
        file_name: 'dot.png',
        content: bytes.toString('base64'),
      })
    ).structuredContent;
    await call('wiki_get_knowledge_state', { media_ids: [id], wait_seconds: 20 });
    const read = await call('wiki_get_knowledge_content', { media_id: id });
    expect(read.isError, JSON.stringify(read)).toBeUndefined();
    expect(read.content.find((one: any) => one.type === 'image')).toEqual({
      type: 'image',
      data: bytes.toString('base64'),
      mimeType: 'image/png',
    });
  });
});
