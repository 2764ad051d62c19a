import { expect, test } from 'vitest';
import { nothing, onTool, r4, refused } from './support.ts';

onTool('delete_dimension', ({ sheet }) => {
  test('[S34] references to deleted cells become #REF!, ranges shrink', async () => {
    const s = await sheet('1,=A2,=SUM(A1:A3)\n2\n3\n');
    expect(await s.call('delete_dimension', { dimension_type: 'row', index: 1, count: 1 })).toEqual(nothing);
    expect(await s.cells('A1:C2')).toEqual([
      { row: 0, col: 0, value_type: 'NUMBER', number_value: 1 },
      { row: 0, col: 1, value_type: 'ERROR', string_value: '#REF!', formula: '=#REF!' },
      { row: 0, col: 2, value_type: 'FORMULA', number_value: 4, formula: '=SUM(A1:A2)' },
      { row: 1, col: 0, value_type: 'NUMBER', number_value: 3 },
    ]);
    expect((await s.ok('get_sheet_info')).sheets[0]).toMatchObject({ row_count: 199, col_count: 26 });
  });

  test('[S34] columns; styles, merges and filters move along or shrink', async () => {
    const s = await sheet('a,b,c,d\n');
    await s.ok('set_cell_style', { ...r4('D1'), format: { font_size: 20 } });
    await s.ok('merge_cell', r4('B3:D3'));
    await s.ok('set_filter', { ...r4('A1:D2'), filter_id: 'f' });
    await s.ok('delete_dimension', { dimension_type: 'col', index: 1, count: 2 });
    expect(await s.csv('A1:C1')).toBe('a,d,\n');
    expect((await s.ok('get_cell_style', r4('B1'))).cells[0].font_size).toBe(20);
    expect((await s.ok('get_merged_cells', r4('A1:Z9'))).merged_cells).toEqual([]);
    expect((await s.ok('get_sheet_object_list')).objects[0].data_range).toBe(`${s.sheet_id}$A1:B2`);
  });

  test('[S34] only what is there; at least one row and column stay', async () => {
    const s = await sheet();
    expect(await s.call('delete_dimension', { dimension_type: 'row', index: 199, count: 2 })).toEqual(
      refused(310001, 'count: rows 199 to 200 do not all exist; the last is 199'),
    );
    expect(await s.call('delete_dimension', { dimension_type: 'col', index: 0, count: 26 })).toEqual(
      refused(310001, 'count: a sub-sheet must keep at least one col (it has 26)'),
    );
    expect(await s.call('delete_dimension', { dimension_type: 'col', index: 1, count: 25 })).toEqual(nothing);
    expect((await s.ok('get_sheet_info')).sheets[0]).toMatchObject({ row_count: 200, col_count: 1 });
    expect(await s.call('delete_dimension', { dimension_type: 'row', index: 0, count: 0 })).toEqual(
      refused(310001, 'count: must be at least 1 (got 0)'),
    );
  });

  test('[S16] return_changes lists dependents', async () => {
    const s = await sheet('1\n2\n');
    await s.put('C1', '=SUM(A1:A2)\n');
    expect(
      await s.ok('delete_dimension', { dimension_type: 'row', index: 1, count: 1, return_changes: true }),
    ).toMatchObject({
      changes: [{ sheet_id: s.sheet_id, row: 0, col: 2, value: 1 }],
    });
  });
});
