import { expect, test } from 'vitest';
import { nothing, onTool, r4, refused } from './support.ts';

const table = 'region,item,units\nnorth,pear,1\nsouth,pear,2\n';

onTool('remove_pivot_table', ({ call, sheet }) => {
  test('[S82] takes away what it shows; its source stays; unknown ones are 310004', async () => {
    const s = await sheet(table);
    await call('add_pivot_table', {
      file_id: s.file_id,
      pivot_table_id: 'p1',
      source_sheet_id: s.sheet_id,
      source_range: r4('A1:C3'),
      anchor_sheet_id: s.sheet_id,
      anchor_row: 10,
    });
    await s.ok('update_pivot_table', {
      pivot_table_id: 'p1',
      row_groups: [{ source_data_column: 0 }],
      pivot_values: [{ source_data_column: 2, summarize_function: 'SUM' }],
    });
    expect(await s.csv('A12:B12')).toBe('north,1\n');
    const { sheet_id } = await s.ok('add_sheet', {});
    expect(await s.call('remove_pivot_table', { sheet_id, pivot_table_id: 'p1' })).toEqual(
      refused(310004, `pivot_table_id: "p1" is on sub-sheet ${s.sheet_id}, not on ${sheet_id}`),
    );
    expect(await s.call('remove_pivot_table', { pivot_table_id: 'p1' })).toEqual(nothing);
    expect(await s.csv('A11:B14')).toBe('');
    expect(await s.csv('A1:C3')).toBe(table);
    expect(await s.call('remove_pivot_table', { pivot_table_id: 'p1' })).toEqual(
      refused(310004, 'pivot_table_id: there is no pivot table "p1"; there are none'),
    );
    expect(await call('get_pivot_table_detail', { file_id: s.file_id, pivot_table_id: 'p1' })).toMatchObject({
      code: 310004,
      data: {},
    });
  });

  test('[S82] nothing of it is left to refresh: the source changes as before', async () => {
    const s = await sheet(table);
    await call('add_pivot_table', {
      file_id: s.file_id,
      pivot_table_id: 'p1',
      source_sheet_id: s.sheet_id,
      source_range: r4('A1:C3'),
      anchor_sheet_id: s.sheet_id,
      anchor_row: 10,
    });
    await s.ok('remove_pivot_table', { pivot_table_id: 'p1' });
    await s.put('A2', 'east\n');
    expect(await s.ok('get_used_range')).toMatchObject({ range: `${s.sheet_id}$A1:C3` });
    expect(await call('validate_file_data', { file_id: s.file_id })).toMatchObject({ data: { is_valid: true } });
  });
});
