import { expect, test } from 'vitest';
import { onTool, r4, refused } from './support.ts';

onTool('get_merged_cells', ({ sheet }) => {
  test('[S30] the merges that touch the region, as <sheet_id>$A1:B2, from the top down', async () => {
    const s = await sheet();
    for (const range of ['D4:D5', 'A1:B2', 'AA1:AB1', 'D1:E1']) await s.ok('merge_cell', r4(range));
    expect(await s.ok('get_merged_cells', r4('A1:AC9'))).toEqual({
      merged_cells: [`${s.sheet_id}$A1:B2`, `${s.sheet_id}$D1:E1`, `${s.sheet_id}$AA1:AB1`, `${s.sheet_id}$D4:D5`],
    });
    expect(await s.ok('get_merged_cells', r4('B2:C3'))).toEqual({ merged_cells: [`${s.sheet_id}$A1:B2`] });
    expect(await s.ok('get_merged_cells', r4('D5'))).toEqual({ merged_cells: [`${s.sheet_id}$D4:D5`] });
    expect(await s.ok('get_merged_cells', r4('C1:C9'))).toEqual({ merged_cells: [] });
  });

  test('[S30] merges of other sub-sheets are not told', async () => {
    const s = await sheet();
    await s.ok('merge_cell', r4('A1:B2'));
    const { sheet_id } = await s.ok('add_sheet', { name: 'Other' });
    expect(await s.ok('get_merged_cells', { ...r4('A1:B2'), sheet_id })).toEqual({ merged_cells: [] });
  });

  test('[S13] an end before its start is 310001', async () => {
    const s = await sheet();
    expect(await s.call('get_merged_cells', { start_row: 1, start_col: 0, end_row: 0, end_col: 0 })).toEqual(
      refused(310001, 'end_row: must be at least start_row, 1 (got 0)'),
    );
  });
});
