import { expect, test } from 'vitest';
import { eachSurface } from '../../support/server.ts';
import { at, newSheet, r4 } from './support.ts';

const table = 'name,kind,price\npear,fruit,3\nleek,herb,2\nplum,fruit,1\n';

eachSurface('sheet', 'filters, sorting, links, find', (call, server) => {
  const sheet = (csv?: string) => newSheet(call, server(), csv);
  type Sheet = Awaited<ReturnType<typeof sheet>>;
  /** SUBTOTAL(103) counts visible rows only. */
  const visible = async (s: Sheet) => {
    await s.ok('set_cell_value', { ...at('K1'), value_type: 'FORMULA', formula: '=SUBTOTAL(103,A2:A4)' });
    return (await s.cells('K1'))[0].number_value as number;
  };

  test('[S50] set_filter makes a table whose object_id is the filter_id; one in use or overlapping is 310008', async () => {
    const s = await sheet(table);
    await s.ok('set_filter', { ...r4('A1:C4'), filter_id: 'mine' });
    expect((await s.ok('get_sheet_object_list', { object_types: ['table'] })).objects).toEqual([
      { object_id: 'mine', object_type: 'table', name: 'Filter A1', display_range: `${s.sheet_id}$A1:C4`, data_range: `${s.sheet_id}$A1:C4`, table_has_header: true, table_column_count: 3 },
    ]);
    expect(await s.call('set_filter', { ...r4('F1:G4'), filter_id: 'mine' })).toEqual({ code: 310008, msg: 'filter_id: "mine" is in use', data: {} });
    expect(await s.call('set_filter', r4('C4:D9'))).toEqual({ code: 310008, msg: 'start_row: the region overlaps filter mine', data: {} });
    await s.ok('set_filter', r4('F1:G4'));
    const { objects } = await s.ok('get_sheet_object_list');
    expect(objects).toHaveLength(2);
    expect(objects[1].object_id).toMatch(/^filter_/);
  });

  test('[S51] update_filter hides rows whose shown text is not listed; an empty list hides all; remove_filter shows them', async () => {
    const s = await sheet(table);
    await s.ok('set_filter', { ...r4('A1:C4'), filter_id: 'f' });
    expect(await visible(s)).toBe(3);
    await s.ok('update_filter', { columns: [{ col: 1, visible_values: ['fruit'] }] });
    expect(await visible(s)).toBe(2);
    await s.ok('update_filter', { columns: [{ col: 0, visible_values: ['plum', 'leek'] }] });
    expect(await visible(s)).toBe(1);
    await s.ok('update_filter', { columns: [] });
    expect(await visible(s)).toBe(1);
    await s.ok('update_filter', { columns: [{ col: 2, visible_values: [] }] });
    expect(await visible(s)).toBe(0);
    await s.ok('remove_filter', { filter_id: 'f' });
    expect(await visible(s)).toBe(3);
    expect((await s.ok('get_sheet_object_list')).objects).toEqual([]);
  });

  test('[S52] update_filter without filter_id: the one that holds the columns, or the only one; several are listed', async () => {
    const s = await sheet(table);
    expect(await s.call('update_filter', { columns: [] })).toMatchObject({ code: 310004 });
    await s.ok('set_filter', { ...r4('A1:C4'), filter_id: 'left' });
    await s.ok('set_filter', { ...r4('E1:G4'), filter_id: 'right' });
    await s.ok('update_filter', { columns: [{ col: 1, visible_values: ['herb'] }] });
    expect(await visible(s)).toBe(1);
    expect(await s.call('update_filter', { columns: [] })).toEqual({ code: 310001, msg: 'filter_id: which filter is not clear; there are left, right', data: {} });
    expect(await s.call('update_filter', { filter_id: 'right', columns: [{ col: 0, visible_values: [] }] })).toEqual({ code: 310001, msg: "columns[0].col: must lie in the filter's range, columns 4 to 6 (got 0)", data: {} });
    expect(await s.call('update_filter', { filter_id: 'none', columns: [] })).toMatchObject({ code: 310004 });
    await s.ok('remove_filter');
    expect((await s.ok('get_sheet_object_list')).objects).toEqual([]);
  });

  test('[S53] is_update_range needs the four fields and replaces the range', async () => {
    const s = await sheet(table);
    await s.ok('set_filter', { ...r4('A1:B4'), filter_id: 'f' });
    expect(await s.call('update_filter', { is_update_range: true, start_row: 0, start_col: 0, end_row: 3 })).toEqual({ code: 310001, msg: 'end_col: is required when is_update_range is true', data: {} });
    await s.ok('update_filter', { is_update_range: true, ...r4('A1:C3'), columns: [{ col: 2, visible_values: ['3'] }] });
    expect((await s.ok('get_sheet_object_list')).objects[0].data_range).toBe(`${s.sheet_id}$A1:C3`);
    expect(await visible(s)).toBe(2);
    // Without the flag the four fields say nothing.
    await s.ok('update_filter', { ...r4('A1:A2'), columns: [] });
    expect((await s.ok('get_sheet_object_list')).objects[0].data_range).toBe(`${s.sheet_id}$A1:C3`);
  });

  test('[S54] sort_range: numbers, text, booleans, errors, blanks last in either direction; 0 descending is the default', async () => {
    const s = await sheet('b,1\n,2\n3,3\ntrue,4\n=1/0,5\nA,6\n10,7\nfalse,8\n');
    await s.ok('sort_range', { ...r4('A1:B8'), columns: [{ col: 0, order: 1 }] });
    expect(await s.csv('A1:B8')).toBe('3,3\n10,7\nA,6\nb,1\nFALSE,8\nTRUE,4\n#DIV/0!,5\n,2\n');
    await s.ok('sort_range', { ...r4('A1:B8'), columns: [{ col: 0 }] });
    expect(await s.csv('A1:B8')).toBe('#DIV/0!,5\nTRUE,4\nFALSE,8\nb,1\nA,6\n10,7\n3,3\n,2\n');
  });

  test('[S55] sort_range: stable, several keys in order, header stays, other columns stay', async () => {
    const s = await sheet('k,n,x\nb,2,r1\na,1,r2\nb,1,r3\na,2,r4\n');
    await s.ok('sort_range', { ...r4('A1:B5'), has_header: true, columns: [{ col: 0, order: 1 }, { col: 1, order: 0 }] });
    expect(await s.csv('A1:C5')).toBe('k,n,x\na,2,r1\na,1,r2\nb,2,r3\nb,1,r4\n');
    await s.ok('sort_range', { ...r4('A2:C5'), columns: [{ col: 1, order: 1 }] });
    expect(await s.csv('A1:C5')).toBe('k,n,x\na,1,r2\nb,1,r4\na,2,r1\nb,2,r3\n');
    expect(await s.call('sort_range', { ...r4('A1:B5'), columns: [{ col: 2 }] })).toEqual({ code: 310001, msg: 'columns[0].col: must lie in the region, columns 0 to 1 (got 2)', data: {} });
  });

  test('[S56] sort_range: relative references stay relative, styles move along, merges inside are refused', async () => {
    const s = await sheet('2,=A1*10\n1,=A2*10\n');
    await s.ok('set_cell_style', { ...r4('A1'), format: { font_size: 33 } });
    await s.ok('sort_range', { ...r4('A1:B2'), columns: [{ col: 0, order: 1 }] });
    expect(await s.csv('A1:B2')).toBe('1,10\n2,20\n');
    expect([await s.formula('B1'), await s.formula('B2')]).toEqual(['=A1*10', '=A2*10']);
    expect((await s.ok('get_cell_style', r4('A2'))).cells[0].font_size).toBe(33);
    await s.ok('merge_cell', r4('A1:B1'));
    expect(await s.call('sort_range', { ...r4('A1:B2'), columns: [{ col: 0 }] })).toEqual({ code: 310008, msg: 'start_row: the region holds merged cells at row 0, column 0; unmerge them first', data: {} });
  });

  test('[S57] sort_range inside a filter by table_id: its rows but the heading, one column only', async () => {
    const s = await sheet(table);
    await s.ok('set_filter', { ...r4('A1:C4'), filter_id: 'f' });
    await s.ok('sort_range', { ...r4('A1:A1'), table_id: 'f', columns: [{ col: 2, order: 1 }] });
    expect(await s.csv('A1:C4')).toBe('name,kind,price\nplum,fruit,1\nleek,herb,2\npear,fruit,3\n');
    expect(await s.call('sort_range', { ...r4('A1:C4'), table_id: 'f', columns: [{ col: 0 }, { col: 1 }] })).toEqual({ code: 310001, msg: 'columns: must have one entry with table_id (got 2)', data: {} });
    expect(await s.call('sort_range', { ...r4('A1:C4'), table_id: 'x', columns: [{ col: 0 }] })).toMatchObject({ code: 310004 });
  });

  test('[S58] links: http, https, mailto and places; clear_link keeps the text', async () => {
    const s = await sheet('text\n');
    await s.ok('set_link', { ...at('A1'), url: 'https://example.com/x?y=1' });
    expect((await s.cells('A1'))[0]).toMatchObject({ value_type: 'RICH_STRING', string_value: 'text' });
    await s.ok('set_link', { ...at('B1'), url: 'mailto:someone@example.com' });
    await s.ok('set_link', { ...at('C1'), url: `#${s.sheet_id}!A1`, display_text: 'up' });
    expect((await s.cells('B1:C1')).map((one) => one.string_value)).toEqual(['mailto:someone@example.com', 'up']);
    await s.ok('clear_link', at('C1'));
    expect(await s.cells('C1')).toEqual([{ row: 0, col: 2, value_type: 'STRING', string_value: 'up' }]);
    expect(await s.call('clear_link', { ...at('A1'), link_id: 'link_other' })).toMatchObject({ code: 310004 });
    await s.ok('clear_link', at('Z9'));
  });

  test('[S59] links that could run are refused, however they are written', async () => {
    const s = await sheet('text\n');
    for (const url of ['javascript:alert(1)', ' JaVaScRiPt:alert(1)', 'java\nscript:alert(1)', 'data:text/html,x', 'vbscript:x', 'file:///etc/passwd', '//example.com', 'ftp://example.com/', 'https:example', 'http://']) {
      expect(await s.call('set_link', { ...at('A1'), url }), url).toMatchObject({ code: 310001, data: {} });
    }
    expect(await s.cells('A1')).toEqual([{ row: 0, col: 0, value_type: 'STRING', string_value: 'text' }]);
  });

  test('[S60] find: shown text, any case, sub-sheet by sub-sheet, with addresses', async () => {
    const s = await sheet('Pear,pEAR tree\n12,=A2*2\n');
    const { data } = await call('add_sheet', { file_id: s.file_id, name: 'Two' });
    const two = data.sheet_id as string;
    await call('set_cell_value', { file_id: s.file_id, sheet_id: two, ...at('AB3'), value_type: 'STRING', string_value: 'a pear' });
    const find = async (input: Record<string, unknown>) => (await call('find', { file_id: s.file_id, ...input })).data;
    expect(await find({ search_term: 'pear' })).toEqual({
      total_results: 3,
      results: [{ sheet_id: s.sheet_id, row: 0, col: 0, address: 'A1' }, { sheet_id: s.sheet_id, row: 0, col: 1, address: 'B1' }, { sheet_id: two, row: 2, col: 27, address: 'AB3' }],
      overflow: false,
      next_offset: 0,
    });
    const places = async (input: Record<string, unknown>) => (await find(input)).results.map((one: any) => one.address);
    expect(await places({ search_term: 'Pear', match_case: true })).toEqual(['A1']);
    expect(await places({ search_term: 'pear', match_entire_cell: true })).toEqual(['A1']);
    expect(await places({ search_term: 'pear', sheet_name: 'Two' })).toEqual(['AB3']);
    expect(await places({ search_term: '^p.*e$', use_regex: true })).toEqual(['B1']);
    expect(await places({ search_term: '24' })).toEqual(['B2']);
    expect(await places({ search_term: 'A2*', match_formulas: true })).toEqual(['B2']);
    expect(await places({ search_term: 'A2*' })).toEqual([]);
    expect(await places({ search_term: 'pear', start_col: 1, end_col: 1 })).toEqual(['B1']);
    expect(await places({ search_term: 'pear', start_row: 1 })).toEqual(['AB3']);
    expect(await call('find', { file_id: s.file_id, search_term: 'x', sheet_name: 'None' })).toMatchObject({ code: 310003 });
    expect(await call('find', { file_id: s.file_id, search_term: '(a', use_regex: true })).toMatchObject({ code: 310001 });
    expect(await call('find', { file_id: s.file_id, search_term: '(a)\\1', use_regex: true })).toMatchObject({ code: 310001 });
  });

  test('[S61] find: 50 a page by default, next_offset leads on; past 100,000 counting stops', async () => {
    const s = await sheet(`${'x\n'.repeat(120)}`);
    const find = async (input: Record<string, unknown>) => (await call('find', { file_id: s.file_id, search_term: 'x', ...input })).data;
    expect(await find({})).toMatchObject({ total_results: 120, overflow: true, next_offset: 50 });
    expect((await find({ offset: 50 })).results[0]).toMatchObject({ row: 50 });
    expect(await find({ offset: 100 })).toMatchObject({ total_results: 120, overflow: false, next_offset: 0 });
    expect((await find({ offset: 119, max_results: 5 })).results).toHaveLength(1);
    expect(await find({ max_results: 120 })).toMatchObject({ overflow: false, next_offset: 0 });
    await s.ok('set_range_value_by_csv', { start_col: 1, csv_data: 'x,x\n'.repeat(50_001) });
    expect(await find({ max_results: 1 })).toMatchObject({ total_results: 100_000, overflow: true, next_offset: 0 });
  });
});
