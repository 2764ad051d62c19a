import { expect, test } from 'vitest';
import { nothing, onTool, r4, refused } from './support.ts';

onTool('delete_range', ({ sheet }) => {
  test('[S38] row: what stands below shifts up; references follow or become #REF!', async () => {
    const s = await sheet('1,2,3\n4,5,6\n7,8,9\n');
    await s.put('E1', '=B2\n');
    await s.put('E5', '=B1\n');
    expect(await s.call('delete_range', { ...r4('B1'), dimension_type: 'row' })).toEqual(nothing);
    expect(await s.csv('A1:C3')).toBe('1,5,3\n4,8,6\n7,,9\n');
    expect(await s.formula('E1')).toBe('=B1');
    expect(await s.cells('E5')).toEqual([
      { row: 4, col: 4, value_type: 'ERROR', string_value: '#REF!', formula: '=#REF!' },
    ]);
  });

  test('[S38] col: what stands right shifts left', async () => {
    const s = await sheet('1,2,3\n4,5,6\n7,8,9\n');
    await s.ok('delete_range', { ...r4('A1:A2'), dimension_type: 'col' });
    expect(await s.csv('A1:C3')).toBe('2,3,\n5,6,\n7,8,9\n');
    expect((await s.ok('get_sheet_info')).sheets[0]).toMatchObject({ row_count: 200, col_count: 26 });
  });

  test('[S38] styles and merges move along', async () => {
    const s = await sheet('1\n2\n3\n');
    await s.ok('set_cell_style', { ...r4('A3'), format: { font_size: 20 } });
    await s.ok('merge_cell', r4('A5:A6'));
    await s.ok('delete_range', { ...r4('A1:A2'), dimension_type: 'row' });
    expect((await s.ok('get_cell_style', r4('A1'))).cells[0].font_size).toBe(20);
    expect((await s.ok('get_merged_cells', r4('A1:Z9'))).merged_cells).toEqual([`${s.sheet_id}$A3:A4`]);
  });

  test('[S39] an edit that would cut a merge is 310008 and changes nothing', async () => {
    const s = await sheet('1,2,3\n4,5,6\n');
    await s.ok('merge_cell', r4('C1:C2'));
    const cut = await s.call('delete_range', { ...r4('A1'), dimension_type: 'col' });
    expect(cut).toMatchObject({ code: 310008, data: {} });
    expect(cut.msg).toContain('C1:C2');
    expect(await s.csv('A1:C2')).toBe('1,2,3\n4,5,\n');
  });

  test('[S38] dimension_type is row or col; an end before its start is 310001', async () => {
    const s = await sheet('1\n');
    expect(await s.call('delete_range', { ...r4('A1'), dimension_type: 'up' })).toMatchObject({
      code: 310001,
      data: {},
    });
    expect(
      await s.call('delete_range', { start_row: 0, start_col: 1, end_row: 0, end_col: 0, dimension_type: 'row' }),
    ).toEqual(refused(310001, 'end_col: must be at least start_col, 1 (got 0)'));
    expect(await s.csv('A1')).toBe('1\n');
  });

  test('[S16] return_changes lists dependents', async () => {
    const s = await sheet('1,,=A1\n2\n');
    expect(await s.ok('delete_range', { ...r4('A1'), dimension_type: 'row', return_changes: true })).toMatchObject({
      changes: [
        { sheet_id: s.sheet_id, row: 0, col: 0, value: 2 },
        { sheet_id: s.sheet_id, row: 0, col: 2, value: '#REF!' },
        { sheet_id: s.sheet_id, row: 1, col: 0, value: null },
      ],
    });
  });
});
