import { expect, test } from 'vitest';
import { at, onTool } from './support.ts';

onTool('versions and roles', ({ server, sheet }) => {
  test('[S127] the version travels in x-sheaf-version and _meta.version; reads and writes without effect carry none', async () => {
    const s = await sheet();
    const { url, owner } = server();
    const write = { file_id: s.file_id, sheet_id: s.sheet_id, cell: { ...at('A1'), value_type: 'NUMBER', number_value: 1 } };
    const http = (tool: string, input: unknown) =>
      fetch(`${url}/openapi/sheet/v1/${tool}`, { method: 'POST', headers: { 'content-type': 'application/json', authorization: `Bearer ${owner.apiKey}` }, body: JSON.stringify(input) });
    const mcp = async (tool: string, input: unknown) => {
      const response = await fetch(`${url}/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${owner.apiKey}` },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: `sheet.${tool}`, arguments: input } }),
      });
      return ((await response.json()) as { result: any }).result;
    };
    expect((await http('set_cell_value', write)).headers.get('x-sheaf-version')).toBe('2');
    expect(await mcp('set_cell_value', write)).toMatchObject({ structuredContent: {}, _meta: { version: 3 } });
    expect((await http('get_sheet_info', { file_id: s.file_id })).headers.get('x-sheaf-version')).toBeNull();
    expect((await http('unset_freeze', write)).headers.get('x-sheaf-version')).toBeNull();
    expect((await mcp('unset_freeze', write))._meta).toBeUndefined();
  });

  test('[S128] roles: a stranger sees no document, a viewer reads and does not write, an editor does both', async () => {
    const s = await sheet('1\n');
    const user = await server().newUser();
    const share = (role: string) => server().call('http', 'manage', 'share_file', { file_id: s.file_id, user_id: user.userId, role });
    const write = () => s.call('set_cell_value', { ...at('A1'), value_type: 'NUMBER', number_value: 2 }, user);
    const read = () => s.call('get_cell_data', { start_row: 0, start_col: 0, end_row: 0, end_col: 0, return_csv: true }, user);
    const none = `file_id: there is no document "${s.file_id}"`;
    expect([await read(), await write()]).toEqual([{ code: 310002, msg: none, data: {} }, { code: 310002, msg: none, data: {} }]);
    await share('viewer');
    expect(await read()).toMatchObject({ code: 0, data: { csv_data: '1\n' } });
    expect(await write()).toEqual({ code: 310007, msg: 'file_id: this needs the role editor on the document, you are viewer', data: {} });
    for (const [tool, input] of [['batch', { calls: [{ tool: 'add_sheet', arguments: {} }] }], ['revert', { version: 1 }], ['add_sheet', {}], ['insert_image', { row_index: 0, col_index: 0, content: 'AAAA' }], ['replace', { search_term: '1', replacement: '2' }]] as const) {
      expect(await s.call(tool, input, user), tool).toMatchObject({ code: 310007, data: {} });
    }
    expect(await s.call('get_history', {}, user)).toMatchObject({ code: 0 });
    await share('editor');
    expect(await write()).toMatchObject({ code: 0 });
    await share('none');
    expect(await write()).toEqual({ code: 310002, msg: none, data: {} });
    expect(await s.csv('A1')).toBe('2\n');
  });
});
