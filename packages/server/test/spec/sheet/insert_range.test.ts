import { expect, test } from 'vitest';
import { nothing, onTool, r4, refused } from './support.ts';

onTool('insert_range', ({ sheet }) => {
  test('[S37] col: the selection and what stands right of it shift right', async () => {
    const s = await sheet('1,2,3\n4,5,6\n7,8,9\n');
    expect(await s.call('insert_range', { ...r4('B1:B2'), dimension_type: 'col' })).toEqual(nothing);
    expect(await s.csv('A1:D3')).toBe('1,,2,3\n4,,5,6\n7,8,9,\n');
  });

  test('[S37] row: the selection and what stands below it shift down', async () => {
    const s = await sheet('1,2,3\n4,5,6\n7,8,9\n');
    await s.ok('insert_range', { ...r4('A1:B2'), dimension_type: 'row' });
    expect(await s.csv('A1:C5')).toBe(',,3\n,,6\n1,2,9\n4,5,\n7,8,\n');
  });

  test('[S37] references, styles and merges move with their cells', async () => {
    const s = await sheet('1,2,3\n4,5,6\n');
    await s.put('E1', '=B2\n');
    await s.put('E2', '=SUM(B1:C1)\n');
    await s.ok('set_cell_style', { ...r4('B2'), format: { font_size: 20 } });
    await s.ok('merge_cell', r4('B4:B5'));
    await s.ok('insert_range', { ...r4('B1'), dimension_type: 'row' });
    expect(await s.formula('E1')).toBe('=B3');
    expect((await s.ok('get_cell_style', r4('B3'))).cells[0].font_size).toBe(20);
    expect((await s.ok('get_merged_cells', r4('A1:Z9'))).merged_cells).toEqual([`${s.sheet_id}$B5:B6`]);
  });

  test('[S39] an edit that would cut a merge is 310008, names it and changes nothing', async () => {
    const s = await sheet('1,2,3\n4,5,6\n');
    await s.ok('merge_cell', r4('C1:C2'));
    const cut = await s.call('insert_range', { ...r4('A1'), dimension_type: 'col' });
    expect(cut).toMatchObject({ code: 310008, data: {} });
    expect(cut.msg).toContain('C1:C2');
    expect(await s.csv('A1:C2')).toBe('1,2,3\n4,5,\n');
  });

  test("[finding T7] cells of other columns that fill the last row are in nobody's way", async () => {
    const s = await sheet('1,2,3\n');
    await s.ok('set_cell_value', { row: 1_048_575, col: 2, value_type: 'STRING', string_value: 'last' });
    await s.ok('insert_range', { ...r4('A1:B1'), dimension_type: 'row' });
    expect(await s.csv('A1:C2')).toBe(',,3\n1,2,\n');
  });

  test('[finding T7] room inside a merged area would stretch it: refused', async () => {
    const s = await sheet('1,2,3\n4,5,6\n');
    await s.ok('merge_cell', r4('A1:A3'));
    const cut = await s.call('insert_range', { ...r4('A2'), dimension_type: 'row' });
    expect(cut).toMatchObject({ code: 310008, data: {} });
    expect(cut.msg).toContain('A1:A3');
    await s.ok('insert_range', { ...r4('A1'), dimension_type: 'row' });
    expect((await s.ok('get_merged_cells', r4('A1:Z9'))).merged_cells).toEqual([`${s.sheet_id}$A2:A4`]);
  });

  test('[S37] nothing is pushed off the grid: past its limits the call is refused', async () => {
    const s = await sheet();
    await s.ok('set_cell_value', { row: 0, col: 16_383, value_type: 'STRING', string_value: 'last' });
    expect(await s.call('insert_range', { ...r4('A1:B1'), dimension_type: 'col' })).toEqual(
      refused(310006, 'end_col: room for 2 would push cells past the last of 16384 cols'),
    );
    expect(
      (await s.ok('get_cell_data', { start_row: 0, start_col: 16_383, end_row: 0, end_col: 16_383, return_csv: true }))
        .csv_data,
    ).toBe('last\n');
  });

  test('[S37] dimension_type is row or col; an end before its start is 310001', async () => {
    const s = await sheet();
    expect(await s.call('insert_range', { ...r4('A1'), dimension_type: 'down' })).toMatchObject({
      code: 310001,
      data: {},
    });
    expect(await s.call('insert_range', r4('A1'))).toEqual(
      refused(310001, 'dimension_type: is required; must be one of row, col'),
    );
    expect(
      await s.call('insert_range', { start_row: 1, start_col: 0, end_row: 0, end_col: 0, dimension_type: 'row' }),
    ).toEqual(refused(310001, 'end_row: must be at least start_row, 1 (got 0)'));
  });
});
