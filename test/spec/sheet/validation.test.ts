import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { eachSurface } from '../../support/server.ts';
import { at, newSheet } from './support.ts';

eachSurface('sheet', 'validate_file_data', (call, server) => {
  const validate = async (file_id: string, input: Record<string, unknown> = {}) => (await call('validate_file_data', { file_id, ...input })).data;
  /** Revision 3 of the document says this instead of what it said. */
  const damage = (file_id: string, mutations: string, version = 3) =>
    server().app.database.write(null, (tx) => tx.run('UPDATE revision SET mutations = ? WHERE document_id = ? AND version = ?', mutations, file_id, version));
  const three = async () => {
    const s = await newSheet(call, server(), '1\n');
    await s.put('A2', '2\n');
    return s;
  };
  /** A copied document begins with a snapshot; its bytes are changed and its checksum with them. */
  const withSnapshot = async (change: (bytes: Buffer) => Buffer, checksum = true) => {
    const s = await newSheet(call, server(), 'text,1,=A1\n');
    const { data } = await server().call('http', 'manage', 'copy_file', { file_id: s.file_id });
    const file_id = data.file_id as string;
    const { services, database } = server().app;
    const chunks: Buffer[] = [];
    for await (const chunk of (await services.blobs.get(`sheets/${file_id}/0`))!) chunks.push(chunk as Buffer);
    const bytes = change(Buffer.concat(chunks));
    await services.blobs.put(`sheets/${file_id}/0`, bytes, bytes.length);
    if (checksum) await database.write(null, (tx) => tx.run('UPDATE document_snapshot SET sha256 = ?, size = ? WHERE document_id = ?', createHash('sha256').update(bytes).digest('hex'), bytes.length, file_id));
    return file_id;
  };

  test('[S120] a document that is well: every version, newest by default', async () => {
    const s = await three();
    const valid = { is_valid: true, ret_code: 0, stage: '', failed_mutation_type: 0, err_msg: '' };
    expect(await validate(s.file_id)).toEqual({ ...valid, checked_version: 3 });
    expect(await validate(s.file_id, { version: 2 })).toEqual({ ...valid, checked_version: 2 });
    expect(await validate(s.file_id, { version: 1, is_latest: true })).toEqual({ ...valid, checked_version: 3 });
    expect(await call('validate_file_data', { file_id: s.file_id, version: 4 })).toEqual({ code: 310004, msg: 'version: the newest is 3 (got 4)', data: {} });
  });

  test('[S121] RebuildWorkbook.workbook_cmds: the head of the snapshot', async () => {
    const file_id = await withSnapshot((bytes) => bytes.fill(0, 0, 4));
    expect(await validate(file_id)).toEqual({ is_valid: false, checked_version: 0, ret_code: 1, stage: 'RebuildWorkbook.workbook_cmds', failed_mutation_type: 0, err_msg: 'these bytes are no snapshot of a document' });
  });

  test('[S122] a first snapshot whose checksum is wrong is told, and never served as an empty document', async () => {
    const file_id = await withSnapshot((bytes) => bytes.fill(0, 20, 30), false);
    expect(await validate(file_id)).toMatchObject({ is_valid: false, stage: 'RebuildWorkbook.workbook_cmds', err_msg: 'the snapshot that the document begins with is damaged or missing' });
    expect(await call('get_sheet_info', { file_id })).toMatchObject({ code: 310012, data: {} });
    expect(await call('add_sheet', { file_id })).toMatchObject({ code: 310012, data: {} });
  });

  test('[S123] RebuildWorkbook.revisions: a revision that is missing, no JSON, or of an unknown kind', async () => {
    const gap = await three();
    await server().app.database.write(null, (tx) => tx.run('DELETE FROM revision WHERE document_id = ? AND version = 2', gap.file_id));
    expect(await validate(gap.file_id)).toMatchObject({ is_valid: false, ret_code: 1, stage: 'RebuildWorkbook.revisions', failed_mutation_type: 0, err_msg: 'revision 3 stands where revision 2 should' });
    const torn = await three();
    await damage(torn.file_id, '[{"type":1,');
    expect(await validate(torn.file_id)).toMatchObject({ is_valid: false, stage: 'RebuildWorkbook.revisions', err_msg: expect.stringContaining('revision 3 is not JSON') });
    const strange = await three();
    await damage(strange.file_id, '[{"type":77,"data":{}}]');
    expect(await validate(strange.file_id)).toMatchObject({ is_valid: false, stage: 'RebuildWorkbook.revisions', failed_mutation_type: 77, err_msg: 'revision 3 holds a mutation of the unknown kind 77' });
    const short = await three();
    await server().app.database.write(null, (tx) => tx.run('DELETE FROM revision WHERE document_id = ? AND version = 3', short.file_id));
    expect(await validate(short.file_id)).toMatchObject({ is_valid: false, stage: 'RebuildWorkbook.revisions', err_msg: 'the log ends at version 2, version 3 is missing' });
    // Versions before the damage are well.
    expect(await validate(torn.file_id, { version: 2 })).toMatchObject({ is_valid: true });
  });

  test('[S124] RebuildSheet: the cells of the snapshot', async () => {
    const file_id = await withSnapshot((bytes) => bytes.subarray(0, bytes.length - 8));
    expect(await validate(file_id)).toMatchObject({ is_valid: false, ret_code: 1, stage: 'RebuildSheet', failed_mutation_type: 0 });
  });

  test('[S125] RebuildSheetWithTrim: a snapshot that holds more than its document', async () => {
    const file_id = await withSnapshot((bytes) => Buffer.concat([bytes, Buffer.from([1, 2, 3])]));
    expect(await validate(file_id)).toMatchObject({ is_valid: false, ret_code: 1, stage: 'RebuildSheetWithTrim', failed_mutation_type: 0 });
  });

  test('[S126] ApplyNewRevisions: a mutation that does not apply, and one that gives another document', async () => {
    const s = await three();
    await damage(s.file_id, JSON.stringify([{ type: 18, data: { sheet: s.sheet_id, id: 'none' } }]));
    expect(await validate(s.file_id)).toMatchObject({ is_valid: false, ret_code: 1, stage: 'ApplyNewRevisions', failed_mutation_type: 18, err_msg: "id: there is no filter 'none'" });
    const other = await three();
    await damage(other.file_id, JSON.stringify([{ type: 1, data: { sheet: other.sheet_id, values: [[1, 0, [99]]] } }]));
    expect(await validate(other.file_id)).toMatchObject({ is_valid: false, ret_code: 2, stage: 'ApplyNewRevisions', failed_mutation_type: 0, err_msg: 'the document rebuilt from its log differs from the one that is served' });
  });

  test('[S127] the version travels in x-sheaf-version and _meta.version; reads and writes without effect carry none', async () => {
    const s = await newSheet(call, server());
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
    const s = await newSheet(call, server(), '1\n');
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

  test('[S129] the 49 tools of the specification are listed in less than 12,000 tokens', async () => {
    const { url, owner } = server();
    const list = async (path: string) => {
      const response = await fetch(`${url}${path}`, { method: 'POST', headers: { 'content-type': 'application/json', authorization: `Bearer ${owner.apiKey}` }, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }) });
      return ((await response.json()) as { result: { tools: { name: string }[] } }).result.tools;
    };
    const own = ['batch', 'get_used_range', 'append_rows', 'replace', 'copy_sheet', 'set_dimension_visible', 'get_history', 'revert', 'describe_sheet', 'render_chart', 'get_filters', 'get_images', 'update_image', 'delete_image', 'get_view', 'enter_cells', 'copy_range', 'list_functions', 'summarize_range', 'find_edge'].map((name) => `sheet_${name}`);
    const tools = (await list('/mcp?modules=sheet')).filter((one) => !own.includes(one.name));
    expect(tools).toHaveLength(49);
    expect(Buffer.byteLength(JSON.stringify({ tools }))).toBeLessThan(48_000);
  });
});
