import { expect, test } from 'vitest';
import { at, nothing, onTool, r4 } from './support.ts';

onTool('versions and roles', ({ server, sheet }) => {
  test('[S127] the version travels in x-sheaf-version and _meta.version; reads and writes without effect carry none', async () => {
    const s = await sheet();
    const { url, owner } = server();
    const write = {
      file_id: s.file_id,
      sheet_id: s.sheet_id,
      cell: { ...at('A1'), value_type: 'NUMBER', number_value: 1 },
    };
    const http = (tool: string, input: unknown) =>
      fetch(`${url}/openapi/sheet/v1/${tool}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${owner.apiKey}` },
        body: JSON.stringify(input),
      });
    const mcp = async (tool: string, input: unknown) => {
      const response = await fetch(`${url}/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${owner.apiKey}` },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: `sheet.${tool}`, arguments: input },
        }),
      });
      return ((await response.json()) as { result: any }).result;
    };
    expect((await http('set_cell_value', write)).headers.get('x-sheaf-version')).toBe('2');
    expect(await mcp('set_cell_value', write)).toMatchObject({ structuredContent: {}, _meta: { version: 3 } });
    expect((await http('get_sheet_info', { file_id: s.file_id })).headers.get('x-sheaf-version')).toBeNull();
    expect((await http('unset_freeze', write)).headers.get('x-sheaf-version')).toBeNull();
    const { file_id, sheet_id } = write;
    expect((await mcp('unset_freeze', { file_id, sheet_id }))._meta).toBeUndefined();
  });

  test('[S127] a call that leaves the document as it is makes no revision', async () => {
    const s = await sheet('name,n\na,1\nb,2\n');
    const version = async (): Promise<number> =>
      (await server().call('http', 'manage', 'query_file_info', { file_id: s.file_id })).data.file.version as number;
    const box = { border_positions: [0, 1, 2, 3], border_style: 2, border_color: 'FF0000' };
    const row_groups = [{ source_data_column: 0 }];
    await s.ok('add_chart', { drawing_id: 'c', chart_type: 'CHART_LINE', data_range: r4('A1:B3') });
    await s.ok('set_filter', { ...r4('A1:B3'), filter_id: 'f' });
    await s.ok('add_pivot_table', {
      pivot_table_id: 'p',
      source_sheet_id: s.sheet_id,
      source_range: r4('A1:B3'),
      anchor_sheet_id: s.sheet_id,
      anchor_row: 20,
      anchor_col: 0,
    });
    const { protect_range_id } = await s.ok('add_protect_range', {
      range: { start_row: 50, start_col: 0, end_row: 51, end_col: 1 },
    });
    // Each of these changes something once, and nothing the second time.
    const calls: [string, Record<string, unknown>][] = [
      ['set_cell_style', { ...r4('A1:B9'), format: { bold: true, font_size: 12 } }],
      ['set_cell_style', { ...r4('A1:A4'), format: { bold: false } }],
      ['set_border', { ...r4('C1:D4'), ...box }],
      ['clear_border', r4('C1:D4')],
      ['clear_range_style', r4('A1:B9')],
      ['set_cell_style', { ...r4('C1:D1'), format: { number_format_pattern: '0.00' } }],
      ['set_cell_style', { ...r4('C1:D1'), is_clear: true }],
      [
        'set_dimension_size',
        {
          dimensions: [
            { dimension_type: 'row', start_index: 2, end_index: 5, size: 30 },
            { dimension_type: 'col', index: 1, size: 80 },
          ],
        },
      ],
      ['set_dimension_size', { dimensions: [{ dimension_type: 'row', index: 3, is_clear: true }] }],
      ['set_dimension_visible', { dimension_type: 'row', index: 90, count: 2, visible: false }],
      ['set_freeze', { row_count: 1, col_count: 1 }],
      ['unset_freeze', {}],
      ['update_chart', { drawing_id: 'c', title: 'Lines', options_json: '{"yAxis":{"min":0}}' }],
      ['update_filter', { columns: [{ col: 0, visible_values: ['a'] }] }],
      ['update_pivot_table', { pivot_table_id: 'p', row_groups }],
      ['update_protect_range', { protect_range_id, range: { start_row: 50, start_col: 0, end_row: 52, end_col: 1 } }],
      ['rename_sheet', { name: 'Numbers' }],
      ['merge_cell', r4('F1:G2')],
      ['unmerge_cell', r4('F1:G2')],
      ['set_link', { ...at('H1'), url: 'https://example.com/', display_text: 'there' }],
      ['clear_link', at('H1')],
      ['clear_range_cells', r4('H1:H3')],
      ['clear_range_all', r4('A1:B3')],
      [
        'batch',
        {
          calls: [
            { tool: 'clear_range_all', arguments: { sheet_id: s.sheet_id, ...r4('A1:Z9') } },
            { tool: 'set_freeze', arguments: { sheet_id: s.sheet_id, row_count: 2, col_count: 0 } },
          ],
        },
      ],
    ];
    for (const [tool, input] of calls) {
      const before = await version();
      // Our own tools answer the version of a change too.
      const { version: _, ...first } = await s.ok(tool, input);
      expect([tool, await version()]).toEqual([tool, before + 1]);
      expect([tool, await s.ok(tool, input)]).toEqual([tool, first]);
      expect([tool, await version()]).toEqual([tool, before + 1]);
    }
    const before = await version();
    await s.ok('copy_range', { source: r4('A1:B3'), target: r4('A1:B3'), move: true });
    expect(await s.ok('clear_range_cells', { ...r4('A1:Z9'), return_changes: true })).toEqual({
      changes: [],
      changed_count: 0,
    });
    expect(await version()).toBe(before);
    expect((await s.ok('get_history', {})).revisions[0]).toMatchObject({ version: before, tool: 'batch' });
    // What grows the grid changes it; so does a value that is written again.
    await s.ok('set_cell_style', { ...r4('A300'), format: { bold: false } });
    await s.put('A1', '1\n');
    await s.put('A1', '1\n');
    expect(await version()).toBe(before + 3);
    // A batch keeps those of its calls that do something; cells under a merge count as well.
    await s.ok('merge_cell', r4('F1:G2'));
    await s.put('G2', 'x\n');
    await s.ok('batch', {
      calls: [
        { tool: 'clear_range_cells', arguments: { sheet_id: s.sheet_id, ...r4('P1:Q9') } },
        { tool: 'merge_cell', arguments: { sheet_id: s.sheet_id, ...r4('F1:G2') } },
      ],
    });
    expect(await version()).toBe(before + 6);
    expect(await s.csv('F1:G2')).toBe(',\n,\n');
    expect(await s.ok('validate_file_data', {})).toMatchObject({ is_valid: true, checked_version: before + 6 });
  });

  test('[S127] nothing on cells that somebody else protected is refused all the same', async () => {
    const s = await sheet();
    const editor = await server().newUser();
    await server().call('http', 'manage', 'share_file', { file_id: s.file_id, user_id: editor.userId, role: 'editor' });
    await s.ok('add_protect_range', { range: { start_row: 0, start_col: 0, end_row: 2, end_col: 2 } });
    expect(await s.call('clear_range_cells', r4('A1'), editor)).toMatchObject({ code: 310005 });
    expect(await s.call('clear_range_cells', r4('C3'), editor)).toEqual(nothing);
  });

  test('[S128] roles: a stranger sees no document, a viewer reads and does not write, an editor does both', async () => {
    const s = await sheet('1\n');
    const user = await server().newUser();
    const share = (role: string) =>
      server().call('http', 'manage', 'share_file', { file_id: s.file_id, user_id: user.userId, role });
    const write = () => s.call('set_cell_value', { ...at('A1'), value_type: 'NUMBER', number_value: 2 }, user);
    const read = () =>
      s.call('get_cell_data', { start_row: 0, start_col: 0, end_row: 0, end_col: 0, return_csv: true }, user);
    const none = `file_id: there is no document "${s.file_id}"`;
    expect([await read(), await write()]).toEqual([
      { code: 310002, msg: none, data: {} },
      { code: 310002, msg: none, data: {} },
    ]);
    await share('viewer');
    expect(await read()).toMatchObject({ code: 0, data: { csv_data: '1\n' } });
    expect(await write()).toEqual({
      code: 310007,
      msg: 'file_id: this requires the role editor on the document; yours is viewer',
      data: {},
    });
    for (const [tool, input] of [
      ['batch', { calls: [{ tool: 'add_sheet', arguments: {} }] }],
      ['revert', { version: 1 }],
      ['add_sheet', {}],
      ['insert_image', { row_index: 0, col_index: 0, content: 'AAAA' }],
      ['replace', { search_term: '1', replacement: '2' }],
    ] as const) {
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
