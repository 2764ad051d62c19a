import { expect, test } from 'vitest';
import { eachSurface } from '../../support/server.ts';
import { at, newSheet, r4 } from './support.ts';

eachSurface('sheet', 'structure', (call, server) => {
  const sheet = (csv?: string) => newSheet(call, server(), csv);
  const merged = async (s: Awaited<ReturnType<typeof sheet>>, range: string) => ((await s.ok('get_merged_cells', r4(range))).merged_cells as string[]).map((one) => one.replace(`${s.sheet_id}$`, ''));

  test('[S30] merge_cell: all by default, rows, columns; the top-left value survives', async () => {
    const s = await sheet('a,b\nc,d\n');
    await s.ok('merge_cell', r4('A1:B2'));
    expect((await s.ok('get_merged_cells', r4('B2'))).merged_cells).toEqual([`${s.sheet_id}$A1:B2`]);
    expect(await s.csv('A1:B2')).toBe('a,\n,\n');
    await s.ok('merge_cell', { ...r4('D1:E2'), merge_type: 'rows' });
    await s.ok('merge_cell', { ...r4('D4:E5'), merge_type: 'columns' });
    await s.ok('merge_cell', { ...r4('G1:H1'), merge_type: 'all' });
    expect(await merged(s, 'A1:Z20')).toEqual(['A1:B2', 'D1:E1', 'G1:H1', 'D2:E2', 'D4:D5', 'E4:E5']);
    expect(await merged(s, 'D2:D4')).toEqual(['D2:E2', 'D4:D5']);
    expect(await s.call('merge_cell', r4('J1'))).toEqual({ code: 310001, msg: 'end_row: a merge needs at least two cells', data: {} });
  });

  test('[S31] a merge that cuts an existing one is an error and changes nothing; unmerge_cell takes apart all it touches', async () => {
    const s = await sheet('a,b\nc,d\n');
    await s.ok('merge_cell', r4('A1:A2'));
    const cut = await s.call('merge_cell', r4('A2:B2'));
    expect(cut).toMatchObject({ code: 310008, data: {} });
    expect(cut.msg).toContain('A1:A2');
    expect(await s.csv('A1:B2')).toBe('a,b\n,d\n');
    await s.ok('unmerge_cell', r4('A2:C9'));
    expect(await merged(s, 'A1:Z20')).toEqual([]);
  });

  test('[S32] insert_dimension before and after; formulas, styles and merges move along', async () => {
    const s = await sheet('1\n2\n=A1+A2\n');
    await s.ok('set_cell_style', { ...r4('A2'), format: { font_size: 20 } });
    await s.ok('merge_cell', r4('C2:D3'));
    await s.ok('insert_dimension', { dimension_type: 'row', index: 1, count: 2 });
    expect(await s.csv('A1:A5')).toBe('1\n\n\n2\n3\n');
    expect(await s.formula('A5')).toBe('=A1+A4');
    expect((await s.ok('get_cell_style', r4('A4'))).cells[0].font_size).toBe(20);
    expect(await merged(s, 'A1:Z20')).toEqual(['C4:D5']);
    await s.ok('insert_dimension', { dimension_type: 'col', index: 0, count: 1, direction: 'after' });
    expect(await s.csv('A5:B5')).toBe('3,\n');
    expect(await merged(s, 'A1:Z20')).toEqual(['D4:E5']);
    expect((await s.ok('get_sheet_info')).sheets[0]).toMatchObject({ row_count: 202, col_count: 27 });
  });

  test('[S33] insert past the end and past the limit are refused', async () => {
    const s = await sheet();
    await s.ok('insert_dimension', { dimension_type: 'row', index: 199, count: 1, direction: 'after' });
    expect(await s.call('insert_dimension', { dimension_type: 'row', index: 300, count: 1 })).toEqual({ code: 310001, msg: 'index: must be at most 200, the last row (got 300)', data: {} });
    expect(await s.call('insert_dimension', { dimension_type: 'col', index: 0, count: 16_384 })).toMatchObject({ code: 310006 });
  });

  test('[S34] delete_dimension: references to deleted cells become #REF!, ranges shrink', async () => {
    const s = await sheet('1,=A2,=SUM(A1:A3)\n2\n3\n');
    await s.ok('delete_dimension', { dimension_type: 'row', index: 1, count: 1 });
    expect(await s.cells('A1:C2')).toEqual([
      { row: 0, col: 0, value_type: 'NUMBER', number_value: 1 },
      { row: 0, col: 1, value_type: 'ERROR', string_value: '#REF!', formula: '=#REF!' },
      { row: 0, col: 2, value_type: 'FORMULA', number_value: 4, formula: '=SUM(A1:A2)' },
      { row: 1, col: 0, value_type: 'NUMBER', number_value: 3 },
    ]);
    expect(await s.call('delete_dimension', { dimension_type: 'row', index: 198, count: 2 })).toEqual({ code: 310001, msg: 'count: rows 198 to 199 are not all there; the last is 198', data: {} });
    expect(await s.call('delete_dimension', { dimension_type: 'col', index: 0, count: 26 })).toEqual({ code: 310001, msg: 'count: a sub-sheet keeps at least one col (it has 26)', data: {} });
  });

  test('[S35] move_dimension: the block ends up before what stood at `to`; references follow', async () => {
    const s = await sheet('a\nb\nc\nd\ne\n');
    await s.put('C1', '=A2');
    await s.ok('move_dimension', { dimension_type: 'row', index: 1, count: 2, to: 4 });
    expect(await s.csv('A1:A5')).toBe('a\nd\nb\nc\ne\n');
    expect(await s.formula('C1')).toBe('=A3');
    await s.ok('move_dimension', { dimension_type: 'row', index: 2, count: 2, to: 1 });
    expect(await s.csv('A1:A5')).toBe('a\nb\nc\nd\ne\n');
    expect(await s.call('move_dimension', { dimension_type: 'row', index: 1, count: 3, to: 2 })).toEqual({ code: 310001, msg: 'to: must not lie inside the moved block, 1 to 3 (got 2)', data: {} });
    // Before itself or right behind itself nothing moves.
    await s.ok('move_dimension', { dimension_type: 'row', index: 1, count: 2, to: 1 });
    await s.ok('move_dimension', { dimension_type: 'row', index: 1, count: 2, to: 3 });
    expect(await s.csv('A1:A5')).toBe('a\nb\nc\nd\ne\n');
  });

  test('[S36] move_dimension of columns, to the very end', async () => {
    const s = await sheet('a,b,c\n');
    await s.ok('move_dimension', { dimension_type: 'col', index: 0, count: 1, to: 26 });
    expect(await s.csv('A1:C1')).toBe('b,c,\n');
    expect(await s.csv('Z1')).toBe('a\n');
    expect(await s.call('move_dimension', { dimension_type: 'col', index: 0, count: 1, to: 27 })).toMatchObject({ code: 310001 });
    expect(await s.call('move_dimension', { dimension_type: 'col', index: 25, count: 2, to: 0 })).toMatchObject({ code: 310001 });
  });

  test('[S37] insert_range: the selection and what is right of it or below makes room', async () => {
    const s = await sheet('1,2,3\n4,5,6\n7,8,9\n');
    await s.ok('insert_range', { ...r4('B1:B2'), dimension_type: 'col' });
    expect(await s.csv('A1:D3')).toBe('1,,2,3\n4,,5,6\n7,8,9,\n');
    await s.ok('insert_range', { ...r4('A1:A2'), dimension_type: 'row' });
    expect(await s.csv('A1:A5')).toBe('\n\n1\n4\n7\n');
  });

  test('[S38] delete_range closes up; formulas follow, those to deleted cells become #REF!', async () => {
    const s = await sheet('1,2,3\n4,5,6\n7,8,9\n');
    await s.put('E1', '=B2');
    await s.put('E5', '=B1');
    await s.ok('delete_range', { ...r4('B1:B1'), dimension_type: 'row' });
    expect(await s.csv('A1:C3')).toBe('1,5,3\n4,8,6\n7,,9\n');
    expect(await s.formula('E1')).toBe('=B1');
    expect(await s.formula('E5')).toBe('=#REF!');
    await s.ok('delete_range', { ...r4('A1:A2'), dimension_type: 'col' });
    expect(await s.csv('A1:C3')).toBe('5,3,\n8,6,\n7,,9\n');
  });

  test('[S39] insert_range that would cut a merge is an error and changes nothing', async () => {
    const s = await sheet('1,2,3\n4,5,6\n');
    await s.ok('merge_cell', r4('C1:C2'));
    const cut = await s.call('insert_range', { ...r4('A1'), dimension_type: 'col' });
    expect(cut).toMatchObject({ code: 310008, data: {} });
    expect(cut.msg).toContain('C1:C2');
    expect(await s.csv('A1:C2')).toBe('1,2,3\n4,5,\n');
  });

  test('[S40] structural edits carry links, filters, charts, pivots and protections with them', async () => {
    const s = await sheet('k,v\na,1\nb,2\n');
    await s.ok('set_link', { ...at('A2'), url: 'https://example.com/' });
    await s.ok('set_filter', { ...r4('A1:B3'), filter_id: 'f' });
    await s.ok('add_chart', { chart_type: 'CHART_PIE', data_range: r4('A1:B3'), drawing_id: 'c' });
    await call('add_pivot_table', { file_id: s.file_id, pivot_table_id: 'p', source_sheet_id: s.sheet_id, source_range: r4('A1:B3'), anchor_sheet_id: s.sheet_id, anchor_row: 0, anchor_col: 10 });
    await s.ok('add_protect_range', { range: { start_row: 0, start_col: 0, end_row: 1, end_col: 2 } });
    await s.ok('insert_dimension', { dimension_type: 'row', index: 0, count: 3 });
    expect((await s.cells('A5'))[0]).toMatchObject({ value_type: 'RICH_STRING', string_value: 'a' });
    const { objects } = await s.ok('get_sheet_object_list');
    expect(objects.map((one: any) => [one.object_id, one.data_range.replace(`${s.sheet_id}$`, '')])).toEqual([['c', 'A4:B6'], ['p', 'A4:B6'], ['f', 'A4:B6']]);
    expect((await s.ok('get_protect_ranges')).ranges.map((one: any) => one.range)).toEqual([{ start_row: 3, start_col: 0, end_row: 4, end_col: 2 }]);
    expect((await call('get_pivot_table_detail', { file_id: s.file_id, pivot_table_id: 'p' })).data.pivot_table).toMatchObject({ anchor_row: 3, source_data_range: { start_row_index: 3, end_row_index: 5 } });
  });

  test('[S41] sub-sheets: add, default names, places, rename, move, delete', async () => {
    const s = await sheet('1\n');
    const names = async () => (await s.ok('get_sheet_info')).sheets.map((one: any) => one.sheet_name);
    const add = async (input: Record<string, unknown>) => {
      const { data } = await call('add_sheet', { file_id: s.file_id, ...input });
      return data.sheet_id as string;
    };
    const last = await add({});
    await add({ name: 'First', index: 0 });
    await add({ name: 'Appended', index: 0, append_index: true });
    expect(await names()).toEqual(['First', 'Sheet1', 'Sheet2', 'Appended']);
    expect((await s.ok('get_sheet_info')).sheets[0]).toEqual({ sheet_id: expect.any(String), sheet_name: 'First', sheet_type: 'worksheet', row_count: 200, col_count: 26 });
    await s.ok('rename_sheet', { sheet_id: last, name: 'Renamed' });
    await s.ok('move_sheet', { src_index: 3, dest_index: 1 });
    expect(await names()).toEqual(['First', 'Appended', 'Sheet1', 'Renamed']);
    await s.ok('move_sheet', { src_index: 0, dest_index: 2 });
    expect(await names()).toEqual(['Appended', 'Sheet1', 'First', 'Renamed']);
    expect(await call('move_sheet', { file_id: s.file_id, src_index: 4, dest_index: 0 })).toEqual({ code: 310001, msg: 'src_index: must be at most 3, the last sub-sheet (got 4)', data: {} });
    await s.ok('delete_sheet', { sheet_id: last });
    expect(await names()).toEqual(['Appended', 'Sheet1', 'First']);
  });

  test('[S42] names: 31 characters, free, and without what formulas could not say', async () => {
    const s = await sheet();
    const add = (name: string) => call('add_sheet', { file_id: s.file_id, name });
    expect(await add('字'.repeat(31))).toMatchObject({ code: 0 });
    expect(await add('字'.repeat(32))).toEqual({ code: 310001, msg: 'name: must be at most 31 characters (got 32)', data: {} });
    expect(await add('sheet1')).toEqual({ code: 310008, msg: 'name: a sub-sheet named "Sheet1" exists', data: {} });
    for (const wrong of ['a/b', 'a:b', 'a?b', 'a*b', 'a[b', 'a]b', 'a\\b', "'a", ' ']) expect(await add(wrong), wrong).toMatchObject({ code: 310001 });
    expect(await s.call('rename_sheet', { name: 'x'.repeat(32) })).toMatchObject({ code: 310001 });
  });

  test('[S43] formulas follow a renamed sub-sheet and lose a deleted one; the last one stays', async () => {
    const s = await sheet('5\n');
    const { data } = await call('add_sheet', { file_id: s.file_id, name: 'Other' });
    const other = data.sheet_id as string;
    await call('set_cell_value', { file_id: s.file_id, sheet_id: other, ...at('A1'), value_type: 'FORMULA', formula: '=Sheet1!A1*2' });
    await s.ok('rename_sheet', { name: 'My data' });
    const read = async () => (await call('get_cell_data', { file_id: s.file_id, sheet_id: other, ...r4('A1') })).data.cells[0];
    expect(await read()).toMatchObject({ value_type: 'FORMULA', number_value: 10, formula: "='My data'!A1*2" });
    await s.ok('delete_sheet');
    expect(await read()).toMatchObject({ value_type: 'ERROR', string_value: '#REF!' });
    expect(await call('delete_sheet', { file_id: s.file_id, sheet_id: other })).toEqual({ code: 310008, msg: 'sheet_id: a document keeps at least one sub-sheet', data: {} });
  });
});
