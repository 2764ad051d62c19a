import { expect, test } from 'vitest';
import { at, nothing, onTool, r4, refused } from './support.ts';

onTool('insert_dimension', ({ call, sheet }) => {
  test('[S32] before the index by default; formulas, styles and merges move along', async () => {
    const s = await sheet('1\n2\n=A1+A2\n');
    await s.ok('set_cell_style', { ...r4('A2'), format: { font_size: 20 } });
    await s.ok('merge_cell', r4('C2:D3'));
    expect(await s.call('insert_dimension', { dimension_type: 'row', index: 1, count: 2 })).toEqual(nothing);
    expect(await s.csv('A1:A5')).toBe('1\n\n\n2\n3\n');
    expect(await s.formula('A5')).toBe('=A1+A4');
    expect((await s.ok('get_cell_style', r4('A1:A4'))).cells.map((one: any) => one.font_size)).toEqual([0, 0, 0, 20]);
    expect((await s.ok('get_merged_cells', r4('A1:Z20'))).merged_cells).toEqual([`${s.sheet_id}$C4:D5`]);
    expect((await s.ok('get_sheet_info')).sheets[0]).toMatchObject({ row_count: 202, col_count: 26 });
  });

  test('[S32] direction: before and after; columns', async () => {
    const s = await sheet('a,b,c\n');
    await s.ok('insert_dimension', { dimension_type: 'col', index: 0, count: 1, direction: 'after' });
    expect(await s.csv('A1:D1')).toBe('a,,b,c\n');
    await s.ok('insert_dimension', { dimension_type: 'col', index: 0, count: 1, direction: 'before' });
    expect(await s.csv('A1:E1')).toBe(',a,,b,c\n');
    expect((await s.ok('get_sheet_info')).sheets[0]).toMatchObject({ row_count: 200, col_count: 28 });
    expect(
      await s.call('insert_dimension', { dimension_type: 'col', index: 0, count: 1, direction: 'left' }),
    ).toMatchObject({ code: 310001, data: {} });
    expect(await s.call('insert_dimension', { dimension_type: 'column', index: 0, count: 1 })).toMatchObject({
      code: 310001,
      data: {},
    });
  });

  test('[S32] a range that reaches over the place grows', async () => {
    const s = await sheet('1\n2\n3\n');
    await s.put('C1', '=SUM(A1:A3)\n');
    await s.ok('insert_dimension', { dimension_type: 'row', index: 1, count: 1 });
    expect(await s.formula('C1')).toBe('=SUM(A1:A4)');
    await s.ok('set_cell_value', { ...at('A2'), value_type: 'NUMBER', number_value: 10 });
    expect(await s.csv('C1')).toBe('16\n');
  });

  test('[S40] links, filters, charts, pivot tables and protections move with their cells', async () => {
    const s = await sheet('k,v\na,1\nb,2\n');
    await s.ok('set_link', { ...at('A2'), url: 'https://example.com/' });
    await s.ok('set_filter', { ...r4('A1:B3'), filter_id: 'f' });
    await s.ok('add_chart', { chart_type: 'CHART_PIE', data_range: r4('A1:B3'), drawing_id: 'c' });
    await call('add_pivot_table', {
      file_id: s.file_id,
      pivot_table_id: 'p',
      source_sheet_id: s.sheet_id,
      source_range: r4('A1:B3'),
      anchor_sheet_id: s.sheet_id,
      anchor_row: 0,
      anchor_col: 10,
    });
    await s.ok('add_protect_range', { range: { start_row: 0, start_col: 0, end_row: 1, end_col: 2 } });
    await s.ok('insert_dimension', { dimension_type: 'row', index: 0, count: 3 });
    expect((await s.cells('A5'))[0]).toMatchObject({ value_type: 'RICH_STRING', string_value: 'a' });
    const { objects } = await s.ok('get_sheet_object_list');
    expect(objects.map((one: any) => [one.object_id, one.data_range.replace(`${s.sheet_id}$`, '')])).toEqual([
      ['c', 'A4:B6'],
      ['p', 'A4:B6'],
      ['f', 'A4:B6'],
    ]);
    expect((await s.ok('get_protect_ranges')).ranges.map((one: any) => one.range)).toEqual([
      { start_row: 3, start_col: 0, end_row: 4, end_col: 2 },
    ]);
    expect(
      (await call('get_pivot_table_detail', { file_id: s.file_id, pivot_table_id: 'p' })).data.pivot_table,
    ).toMatchObject({ anchor_row: 3, source_data_range: { start_row_index: 3, end_row_index: 5 } });
  });

  test('[S33] past the end is 310001, past the limits 310006', async () => {
    const s = await sheet();
    expect(
      await s.call('insert_dimension', { dimension_type: 'row', index: 199, count: 1, direction: 'after' }),
    ).toEqual(nothing);
    expect(await s.call('insert_dimension', { dimension_type: 'row', index: 300, count: 1 })).toEqual(
      refused(310001, 'index: must be at most 200, the last row (got 300)'),
    );
    expect(
      await s.call('insert_dimension', { dimension_type: 'col', index: 26, count: 1, direction: 'after' }),
    ).toMatchObject({ code: 310001, data: {} });
    expect(await s.call('insert_dimension', { dimension_type: 'col', index: 0, count: 16_358 })).toEqual(nothing);
    await s.put('XFD1', 'x\n');
    expect(await s.call('insert_dimension', { dimension_type: 'col', index: 0, count: 1 })).toMatchObject({
      code: 310006,
      data: {},
    });
    expect(await s.call('insert_dimension', { dimension_type: 'row', index: 0, count: 0 })).toEqual(
      refused(310001, 'count: must be at least 1 (got 0)'),
    );
  });

  test('[S16] return_changes lists dependents', async () => {
    const s = await sheet('1\n2\n');
    await s.put('C1', '=ROW(A2)\n');
    expect(
      await s.ok('insert_dimension', { dimension_type: 'row', index: 1, count: 1, return_changes: true }),
    ).toMatchObject({
      changes: [{ sheet_id: s.sheet_id, row: 0, col: 2, value: 3 }],
    });
  });
});
