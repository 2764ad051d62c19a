import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '@sheaf/tools/testing/test-server.ts';

let server: TestServer;
let file: { file_id: string; sheet_id: string };
beforeAll(async () => {
  server = await startServer({ database: 'sqlite' });
  const { data } = await server.call('http', 'manage', 'create_file', { title: 'Fields' });
  file = { file_id: data['file_id'] as string, sheet_id: data['sheet_id'] as string };
});
afterAll(() => server.close());

async function tool(name: string, args: object): Promise<any> {
  const response = await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${server.owner.apiKey}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  });
  return ((await response.json()) as { result: unknown }).result;
}

describe('[finding G1] fields that nothing reads', () => {
  test.each([
    ['sheet', 'read', { rang: 'A1' }, 'rang: is not a field of read; did you mean range?'],
    [
      'sheet',
      'replace',
      { search_term: 'a', replacement: 'b', matchcase: true },
      'matchcase: is not a field of replace; did you mean match_case?',
    ],
    [
      'sheet',
      'edit_rows',
      { action: 'sort', sort_by: [{ column: 'a', descend: true }] },
      'sort_by[0].descend: is not a field of edit_rows; did you mean descending?',
    ],
    [
      'manage',
      'rename_file',
      { title: 'x', name: 'y' },
      'name: is not a field of rename_file; there are file_id, title',
    ],
  ])('%s.%s refuses %j by name, with the nearest there is', async (module, operation, input, msg) => {
    for (const surface of ['http', 'mcp'] as const)
      expect(await server.call(surface, module, operation, { file_id: file.file_id, ...input })).toMatchObject({
        code: 310001,
        msg,
      });
  });

  test('[finding G11] specified tools go on, and say over MCP what they did not read, behind the text that clients parse', async () => {
    const answer = await tool('sheet_sort_range', {
      ...file,
      start_row: 0,
      start_col: 0,
      end_row: 1,
      end_col: 1,
      columns: [{ col: 0, ascending: true }],
      csv: true,
    });
    expect(answer._meta.ignored).toEqual(['csv', 'columns[0].ascending']);
    expect(JSON.parse(answer.content[0].text)).toEqual({});
    expect(answer.content[1].text).toMatch(
      /^Ignored unknown fields: csv \(.*\), columns\[0\]\.ascending \(did you mean order\?\)$/,
    );
    const bold = await tool('sheet_set_cell_style', { file_id: file.file_id, range: 'A1', bold: true });
    expect(bold.content[1].text).toBe('Ignored unknown fields: bold (did you mean format.bold?)');
    const done = await tool('sheet_set_cell_style', { file_id: file.file_id, range: 'A1', format: { bold: true } });
    expect(done.content.slice(1)).toEqual([{ type: 'text', text: `version ${done._meta.version}` }]);
    const plain = await tool('sheet_get_sheet_info', { file_id: file.file_id });
    expect(plain.content).toHaveLength(1);
    expect(plain._meta).toBeUndefined();
    expect(await server.call('http', 'sheet', 'get_sheet_info', { ...file, csv: true })).toMatchObject({ code: 0 });
  });

  test('calls of a batch too: nothing is applied', async () => {
    const calls = [{ tool: 'set_freeze', arguments: { ...file, rows: 1, row_count: 1, col_count: 0 } }];
    expect(await server.call('http', 'sheet', 'batch', { file_id: file.file_id, calls })).toMatchObject({
      code: 310001,
      msg:
        'calls[0].arguments.rows: is not a field of set_freeze; there are file_id, file_url, sheet_id, row_count, ' +
        'col_count, return_changes, dry_run, assert',
    });
  });

  test('[finding G7] a missing choice names the choices', async () => {
    expect(await server.call('http', 'sheet', 'edit_rows', { file_id: file.file_id })).toMatchObject({
      code: 310001,
      msg: expect.stringMatching(/^action: is required; must be one of find, delete, move, mark, sort/) as string,
    });
  });
});
