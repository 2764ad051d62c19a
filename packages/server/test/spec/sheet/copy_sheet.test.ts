import { expect, test } from 'vitest';
import { at, onTool, r4, sheetOf } from './support.ts';

onTool('copy_sheet', ({ call, sheet }) => {
  test('[S106] takes everything along, with ids of its own', async () => {
    const s = await sheet('k,v,=SUM(B2:B3)\na,1\nb,2\n');
    await s.ok('set_cell_style', { ...r4('A1'), format: { font_size: 22 } });
    await s.ok('merge_cell', r4('E1:F2'));
    await s.ok('set_link', { ...at('A2'), url: 'https://example.com/' });
    await s.ok('set_filter', { ...r4('A1:B3'), filter_id: 'f' });
    await s.ok('set_freeze', { row_count: 1, col_count: 0 });
    await s.ok('add_chart', { chart_type: 'CHART_PIE', data_range: r4('A1:B3'), drawing_id: 'c' });
    await call('add_pivot_table', {
      file_id: s.file_id,
      pivot_table_id: 'p',
      name: 'P',
      source_sheet_id: s.sheet_id,
      source_range: r4('A1:B3'),
      anchor_sheet_id: s.sheet_id,
      anchor_row: 20,
      anchor_col: 0,
    });
    await s.ok('update_pivot_table', {
      pivot_table_id: 'p',
      row_groups: [{ source_data_column: 0 }],
      pivot_values: [{ source_data_column: 1, summarize_function: 'SUM' }],
    });
    const made = await s.ok('copy_sheet');
    expect(made).toMatchObject({ sheet_id: expect.any(String), sheet_name: 'Sheet1 (2)' });
    const copy = sheetOf(call, s.file_id, made.sheet_id);
    expect(await copy.csv('A1:C3')).toBe('k,v,3\na,1,\nb,2,\n');
    expect(await copy.csv('A21:B24')).toBe(await s.csv('A21:B24'));
    expect(await copy.formula('C1')).toBe('=SUM(B2:B3)');
    expect((await copy.ok('get_cell_style', r4('A1'))).cells[0].font_size).toBe(22);
    expect((await copy.ok('get_merged_cells', r4('A1:Z9'))).merged_cells).toEqual([`${made.sheet_id}$E1:F2`]);
    expect((await copy.cells('A2'))[0]!.value_type).toBe('RICH_STRING');
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
});
