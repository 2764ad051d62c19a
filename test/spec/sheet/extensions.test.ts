import { expect, test } from 'vitest';
import { eachSurface } from '../../support/server.ts';
import { at, newSheet, r4, sheetOf } from './support.ts';

eachSurface('sheet', 'our own tools', (call, server) => {
  const sheet = (csv?: string) => newSheet(call, server(), csv);

  test('[S100] get_used_range: the smallest region with values and formulas', async () => {
    const s = await sheet();
    expect(await s.ok('get_used_range')).toEqual({ is_empty: true, range: '' });
    await s.put('C4', 'x,,=1\n');
    await s.ok('set_cell_style', { ...r4('Z99'), format: { bold: true } });
    expect(await s.ok('get_used_range')).toEqual({ is_empty: false, start_row: 3, start_col: 2, end_row: 3, end_col: 4, range: `${s.sheet_id}$C4:E4` });
  });

  test('[S101] append_rows writes after the last used row of its columns', async () => {
    const s = await sheet('name,n\npear,1\n');
    await s.put('F9', 'far\n');
    expect(await s.ok('append_rows', { rows: [['plum', 2, '=B2*10'], ['fig', null, true]] })).toEqual({ start_row: 2, row_count: 2 });
    expect(await s.csv('A1:C4')).toBe('name,n,\npear,1,\nplum,2,10\nfig,,TRUE\n');
    expect(await s.ok('append_rows', { rows: [['right']], start_col: 4 })).toEqual({ start_row: 0, row_count: 1 });
    expect(await s.ok('append_rows', { rows: [['wide']], start_col: 4, end_col: 5 })).toEqual({ start_row: 9, row_count: 1 });
    expect(await s.call('append_rows', { rows: [['a', 'b']], start_col: 4, end_col: 4 })).toEqual({ code: 310001, msg: 'end_col: must be at least 5, the last column written (got 4)', data: {} });
    expect(await s.call('append_rows', { rows: [['=SUM(']] })).toMatchObject({ code: 310009 });
    expect(await s.call('append_rows', { rows: [[]] })).toMatchObject({ code: 310001 });
  });

  test('[S102] append_rows of many callers at once: every row lands once', async () => {
    const s = await sheet('who\n');
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => s.ok('append_rows', { rows: [[`caller ${i}`]] })));
    expect(answers.map((one) => one.start_row).sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
    expect(new Set((await s.csv('A2:A21')).trim().split('\n')).size).toBe(20);
  });

  test('[S103] replace: text, any case, all sub-sheets; formulas only with match_formulas', async () => {
    const s = await sheet('Pear tree,a pear a PEAR,12\n"=""pear""&A1",=C1*2\n');
    expect((await call('replace', { file_id: s.file_id, search_term: 'pear', replacement: 'plum' })).data).toEqual({ replaced_count: 2 });
    expect(await s.csv('A1:C1')).toBe('plum tree,a plum a plum,12\n');
    expect(await s.formula('A2')).toBe('="pear"&A1');
    expect((await call('replace', { file_id: s.file_id, search_term: 'c1', replacement: 'C1+0', match_formulas: true })).data).toEqual({ replaced_count: 1 });
    expect(await s.cells('B2')).toEqual([{ row: 1, col: 1, value_type: 'FORMULA', number_value: 24, formula: '=C1+0*2' }].map((one) => ({ ...one, number_value: 12 })));
    expect((await call('replace', { file_id: s.file_id, search_term: '1', replacement: '3', match_entire_cell: true })).data).toEqual({ replaced_count: 0 });
    expect((await call('replace', { file_id: s.file_id, search_term: '12', replacement: '30' })).data).toEqual({ replaced_count: 1 });
    expect((await s.cells('C1'))[0]).toEqual({ row: 0, col: 2, value_type: 'NUMBER', number_value: 30 });
  });

  test('[S104] replace with a pattern: groups, the whole cell, ranges; $ is plain without a pattern', async () => {
    const s = await sheet('12 pcs,3 pcs\nx\n');
    expect((await call('replace', { file_id: s.file_id, search_term: '(\\d+) pcs', replacement: '$1 pieces', use_regex: true, end_col: 0 })).data).toEqual({ replaced_count: 1 });
    expect(await s.csv('A1:B1')).toBe('12 pieces,3 pcs\n');
    expect((await call('replace', { file_id: s.file_id, search_term: 'x', replacement: '$1' })).data).toEqual({ replaced_count: 1 });
    expect(await s.csv('A2')).toBe('$1\n');
    expect(await call('replace', { file_id: s.file_id, search_term: '(\\d+)', replacement: '$7', use_regex: true })).toMatchObject({ code: 310001, data: {} });
    expect(await call('replace', { file_id: s.file_id, search_term: '(', replacement: '', use_regex: true })).toMatchObject({ code: 310001 });
    expect((await call('replace', { file_id: s.file_id, search_term: '3 pcs', replacement: '' })).data).toEqual({ replaced_count: 1 });
    expect(await s.cells('B1')).toEqual([]);
  });

  test('[S105] replace keeps links, and never makes a formula of data', async () => {
    const s = await sheet('1\n');
    await s.ok('set_link', { ...at('B1'), url: 'https://example.com/', display_text: 'old' });
    await call('replace', { file_id: s.file_id, search_term: 'old', replacement: 'new' });
    expect((await s.cells('B1'))[0]).toMatchObject({ value_type: 'RICH_STRING', string_value: 'new' });
    await call('replace', { file_id: s.file_id, search_term: '1', replacement: '=1+1' });
    expect(await s.cells('A1')).toEqual([{ row: 0, col: 0, value_type: 'STRING', string_value: '=1+1' }]);
  });

  test('[S106] copy_sheet takes everything along, with ids of its own', async () => {
    const s = await sheet('k,v,=SUM(B2:B3)\na,1\nb,2\n');
    await s.ok('set_cell_style', { ...r4('A1'), format: { font_size: 22 } });
    await s.ok('merge_cell', r4('E1:F2'));
    await s.ok('set_link', { ...at('A2'), url: 'https://example.com/' });
    await s.ok('set_filter', { ...r4('A1:B3'), filter_id: 'f' });
    await s.ok('set_freeze', { row_count: 1, col_count: 0 });
    await s.ok('add_chart', { chart_type: 'CHART_PIE', data_range: r4('A1:B3'), drawing_id: 'c' });
    await call('add_pivot_table', { file_id: s.file_id, pivot_table_id: 'p', name: 'P', source_sheet_id: s.sheet_id, source_range: r4('A1:B3'), anchor_sheet_id: s.sheet_id, anchor_row: 20, anchor_col: 0 });
    await s.ok('update_pivot_table', { pivot_table_id: 'p', row_groups: [{ source_data_column: 0 }], pivot_values: [{ source_data_column: 1, summarize_function: 'SUM' }] });
    const made = await s.ok('copy_sheet');
    expect(made).toEqual({ sheet_id: expect.any(String), sheet_name: 'Sheet1 (2)' });
    const copy = sheetOf(call, s.file_id, made.sheet_id);
    expect(await copy.csv('A1:C3')).toBe('k,v,3\na,1,\nb,2,\n');
    expect(await copy.csv('A21:B24')).toBe(await s.csv('A21:B24'));
    expect(await copy.formula('C1')).toBe('=SUM(B2:B3)');
    expect((await copy.ok('get_cell_style', r4('A1'))).cells[0].font_size).toBe(22);
    expect((await copy.ok('get_merged_cells', r4('A1:Z9'))).merged_cells).toEqual([`${made.sheet_id}$E1:F2`]);
    expect((await copy.cells('A2'))[0].value_type).toBe('RICH_STRING');
    const { objects } = await copy.ok('get_sheet_object_list');
    expect(objects.map((one: any) => one.object_type)).toEqual(['chart', 'pivot_table', 'table']);
    expect(objects.map((one: any) => one.object_id)).not.toEqual(expect.arrayContaining(['c']));
    expect(objects[1].name).toBe('P (2)');
    // They are two: a change of one leaves the other.
    await copy.ok('set_cell_value', { ...at('B2'), value_type: 'NUMBER', number_value: 100 });
    expect(await copy.csv('C1')).toBe('102\n');
    expect(await s.csv('C1')).toBe('3\n');
    expect((await s.ok('get_sheet_info')).sheets.map((one: any) => one.sheet_name)).toEqual(['Sheet1', 'Sheet1 (2)']);
    expect((await s.ok('copy_sheet', { name: 'First', index: 0 })).sheet_name).toBe('First');
    expect((await s.ok('get_sheet_info')).sheets[0].sheet_name).toBe('First');
    expect(await s.call('copy_sheet', { name: 'First' })).toMatchObject({ code: 310008 });
    expect(await s.call('copy_sheet', { index: 9 })).toMatchObject({ code: 310001 });
    expect(await call('validate_file_data', { file_id: s.file_id })).toMatchObject({ data: { is_valid: true } });
  });

  test('[S107] set_dimension_visible hides and shows; what is hidden keeps its content', async () => {
    const s = await sheet('1\n2\n3\n');
    await s.ok('set_cell_value', { ...at('K1'), value_type: 'FORMULA', formula: '=SUBTOTAL(109,A1:A3)' });
    await s.ok('set_dimension_visible', { dimension_type: 'row', index: 1, count: 1, visible: false });
    expect((await s.cells('K1'))[0].number_value).toBe(4);
    expect(await s.csv('A1:A3')).toBe('1\n2\n3\n');
    await s.ok('set_dimension_visible', { dimension_type: 'row', index: 0, count: 3, visible: true });
    expect((await s.cells('K1'))[0].number_value).toBe(6);
    expect(await s.call('set_dimension_visible', { dimension_type: 'col', index: 20, count: 7, visible: false })).toEqual({ code: 310001, msg: 'count: cols 20 to 26 are not all there; the last is 25', data: {} });
  });

  test('[S108] get_history: newest first, paged, with who and what', async () => {
    const s = await sheet('1\n');
    await s.put('A1', '2\n');
    const history = (input: Record<string, unknown>) => call('get_history', { file_id: s.file_id, ...input });
    const first = (await history({ limit: 2 })).data;
    expect(first.revisions.map((one: any) => [one.version, one.tool, one.user_id])).toEqual([[3, 'set_range_value_by_csv', server().owner.userId], [2, 'set_range_value_by_csv', server().owner.userId]]);
    expect(first).toMatchObject({ is_end: false });
    const second = (await history({ limit: 2, cursor: first.next_cursor })).data;
    expect(second).toEqual({ revisions: [{ version: 1, tool: 'create_file', user_id: server().owner.userId, user_name: expect.stringMatching(/./), key_id: '', at: expect.any(Number) }], next_cursor: '', is_end: true });
    expect(await history({ cursor: 'x' })).toMatchObject({ code: 310001 });
  });

  test('[S117] get_history and the place of each revision', async () => {
    const s = await sheet('k,v\na,1\nb,2\n');
    await s.ok('set_range_value', { values: [{ ...at('C3'), value_type: 'NUMBER', number_value: 1 }, { ...at('E9'), value_type: 'FORMULA', formula: '=C3' }] });
    await s.ok('insert_dimension', { dimension_type: 'row', index: 1, count: 2 });
    await s.ok('sort_range', { ...r4('A1:B5'), columns: [{ col: 0, order: 1 }] });
    await s.ok('add_chart', { chart_type: 'CHART_LINE', data_range: r4('A1:B3'), drawing_id: 'c1', location: { row_index: 4, col_index: 3 } });
    await s.ok('set_freeze', { row_count: 1, col_count: 0 });
    const { revisions } = (await call('get_history', { file_id: s.file_id, limit: 6 })).data;
    expect(revisions.map((one: any) => [one.tool, one.range?.replace(s.sheet_id, '')])).toEqual([
      ['set_freeze', undefined],
      ['add_chart', '$D5:D5'],
      ['sort_range', '$A1:B5'],
      ['insert_dimension', '$A2:Z3'],
      ['set_range_value', '$C3:E9'],
      ['set_range_value_by_csv', '$A1:B3'],
    ]);
  });

  test('[S109] revert: the state of an earlier version as a new revision, and back again', { timeout: 60_000 }, async () => {
    const s = await sheet('k,v\na,1\nb,2\nc,=SUM(B2:B3)\n');
    const states: [number, string, string][] = [];
    const keep = async () => {
      const { data } = await server().call('http', 'manage', 'query_file_info', { file_id: s.file_id });
      const { sheets } = await s.ok('get_sheet_info');
      states.push([data.file.version, await s.csv('A1:F12'), JSON.stringify([sheets, await s.ok('get_sheet_object_list'), await s.ok('get_merged_cells', r4('A1:Z50')), await s.ok('get_cell_style', r4('A1:F12'))])]);
    };
    await keep();
    for (const [tool, input] of [
      ['set_cell_style', { ...r4('A1:B2'), format: { font_size: 18, bg_color: 'FF0000' } }],
      ['insert_dimension', { dimension_type: 'row', index: 2, count: 2 }],
      ['add_chart', { chart_type: 'CHART_PIE', data_range: r4('A1:B3'), drawing_id: 'c' }],
      ['sort_range', { ...r4('A2:B6'), columns: [{ col: 0 }] }],
      ['set_filter', { ...r4('A1:B6'), filter_id: 'f' }],
      ['update_filter', { columns: [{ col: 0, visible_values: ['a'] }] }],
      ['merge_cell', r4('D1:E1')],
      ['delete_dimension', { dimension_type: 'col', index: 1, count: 1 }],
      ['move_dimension', { dimension_type: 'row', index: 0, count: 1, to: 4 }],
      ['clear_range_all', r4('A1:F12')],
      ['add_sheet', { name: 'More' }],
      ['add_pivot_table', { pivot_table_id: 'p', source_sheet_id: s.sheet_id, source_range: r4('A1:B4'), create_new_sheet: true, new_sheet_id: 'piv' }],
      ['rename_sheet', { name: 'Renamed' }],
    ] as const) {
      await s.ok(tool, input);
      await keep();
    }
    for (const [version, csv, rest] of states.toReversed()) {
      expect(await s.call('revert', { version })).toMatchObject({ code: 0 });
      const { sheets } = await s.ok('get_sheet_info');
      expect([version, await s.csv('A1:F12')]).toEqual([version, csv]);
      expect(JSON.stringify([sheets, await s.ok('get_sheet_object_list'), await s.ok('get_merged_cells', r4('A1:Z50')), await s.ok('get_cell_style', r4('A1:F12'))])).toBe(rest);
    }
    const [last] = states.slice(-1);
    await s.ok('revert', { version: last![0] });
    expect(await s.csv('A1:F12')).toBe(last![1]);
    expect(await call('validate_file_data', { file_id: s.file_id })).toMatchObject({ data: { is_valid: true } });
    expect(await s.call('revert', { version: 999 })).toMatchObject({ code: 310004 });
    expect((await call('get_history', { file_id: s.file_id, limit: 1 })).data.revisions[0]).toMatchObject({ tool: 'revert', reverted_to: last![0] });
  });

  test('[S110] batch: one revision, each call sees the earlier ones, answers in order', async () => {
    const s = await sheet('b,2\na,1\n');
    const before = (await call('get_history', { file_id: s.file_id, limit: 1 })).data.revisions[0].version;
    const on = (tool: string, input: Record<string, unknown>) => ({ tool, arguments: { sheet_id: s.sheet_id, ...input } });
    const { results } = await s.ok('batch', {
      calls: [on('insert_dimension', { dimension_type: 'row', index: 0, count: 1 }), on('set_range_value_by_csv', { csv_data: 'k,v' }), on('sheet_sort_range', { ...r4('A1:B3'), has_header: true, columns: [{ col: 0, order: 1 }] }), { tool: 'add_sheet', arguments: { name: 'New' } }, on('append_rows', { rows: [['c', '=SUM(B2:B3)']] })],
    });
    expect(results).toEqual([{}, {}, {}, { sheet_id: expect.any(String) }, { start_row: 3, row_count: 1 }]);
    expect(await s.csv('A1:B4')).toBe('k,v\na,1\nb,2\nc,3\n');
    expect((await call('get_history', { file_id: s.file_id, limit: 1 })).data.revisions[0]).toMatchObject({ version: before + 1, tool: 'batch' });
    expect(await call('validate_file_data', { file_id: s.file_id })).toMatchObject({ data: { is_valid: true } });
    await s.ok('revert', { version: before });
    expect(await s.csv('A1:B4')).toBe('b,2\na,1\n,\n,\n');
  });

  test('[S111] batch: when one fails nothing is changed and the answer says which', async () => {
    const s = await sheet('1\n');
    const version = async () => (await call('get_history', { file_id: s.file_id, limit: 1 })).data.revisions[0].version;
    const before = await version();
    const write = { tool: 'set_cell_value', arguments: { sheet_id: s.sheet_id, ...at('A1'), value_type: 'NUMBER', number_value: 9 } };
    const batch = (...calls: unknown[]) => s.call('batch', { calls });
    expect(await batch(write, { tool: 'delete_chart', arguments: { sheet_id: s.sheet_id, drawing_id: 'none' } })).toMatchObject({ code: 310004, msg: expect.stringMatching(/^calls\[1\]: drawing_id: /), data: {} });
    expect(await batch(write, { tool: 'set_cell_value', arguments: { sheet_id: s.sheet_id, ...at('A1'), value_type: 'FORMULA', formula: '=(' } })).toMatchObject({ code: 310009, msg: expect.stringContaining('calls[1]: ') });
    expect(await batch(write, { tool: 'merge_cell', arguments: { sheet_id: s.sheet_id } })).toEqual({ code: 310001, msg: 'calls[1].arguments.start_row: is required', data: {} });
    expect(await batch({ tool: 'get_cell_data', arguments: {} })).toMatchObject({ code: 310001, msg: 'calls[0].tool: must be a tool that writes, other than batch and revert (got "get_cell_data")' });
    expect(await batch({ tool: 'batch', arguments: {} })).toMatchObject({ code: 310001 });
    expect(await batch({ tool: 'nothing', arguments: {} })).toMatchObject({ code: 310001, msg: 'calls[0].tool: there is no tool "nothing"' });
    expect(await batch({ ...write, arguments: { ...write.arguments, file_id: 'doc_other' } })).toMatchObject({ code: 310001 });
    expect(await s.csv('A1')).toBe('1\n');
    expect(await version()).toBe(before);
  });

  test('[S112] describe_sheet: tables, headings, types, samples', async () => {
    const s = await sheet('name,price,total\npear,3,=B2*2\nplum,1,=B3*2\n');
    await s.put('F10', '1,2\n3,4\n');
    expect(await s.ok('describe_sheet')).toEqual({
      sheets: [
        {
          sheet_id: s.sheet_id,
          sheet_name: 'Sheet1',
          used_range: `${s.sheet_id}$A1:G11`,
          frozen_rows: 0,
          frozen_cols: 0,
          charts: 0,
          pivot_tables: 0,
          filters: 0,
          images: 0,
          regions: [
            {
              range: `${s.sheet_id}$A1:C3`,
              row_count: 3,
              col_count: 3,
              has_header: true,
              columns: [
                { col: 0, letter: 'A', header: 'name', type: 'text', samples: ['pear', 'plum'] },
                { col: 1, letter: 'B', header: 'price', type: 'number', samples: ['3', '1'] },
                { col: 2, letter: 'C', header: 'total', type: 'number', formula: '=B2*2', samples: ['6', '2'] },
              ],
            },
            {
              range: `${s.sheet_id}$F10:G11`,
              row_count: 2,
              col_count: 2,
              has_header: false,
              columns: [
                { col: 5, letter: 'F', type: 'number', samples: ['1', '3'] },
                { col: 6, letter: 'G', type: 'number', samples: ['2', '4'] },
              ],
            },
          ],
        },
      ],
      truncated: false,
    });
  });

  test('[S113] describe_sheet keeps its budget', async () => {
    const s = await sheet(`${Array.from({ length: 200 }, (_, i) => `heading ${i}`).join(',')}\n${Array.from({ length: 200 }, (_, i) => `some longer text number ${i}`).join(',')}\n`);
    for (const max_tokens of [100, 500, 5000]) {
      const answer = await s.ok('describe_sheet', { sheet_id: undefined, max_tokens });
      expect(answer.truncated).toBe(true);
      expect(JSON.stringify(answer).length).toBeLessThanOrEqual(max_tokens * 4 + 100);
    }
    expect((await s.ok('describe_sheet', { max_tokens: 50_000 })).truncated).toBe(false);
  });
});
