import { expect, test } from 'vitest';
import { at, nothing, onTool, r4, refused } from './support.ts';

onTool('clear_range_cells', ({ sheet }) => {
  test('[S14] empties the cells of the region and keeps their styles, and answers {}', async () => {
    const s = await sheet('1,2,=A1*2\n4,5,6\n');
    await s.ok('set_cell_style', { ...r4('A1:C2'), format: { font_size: 20, number_format_pattern: '0.0' } });
    expect(await s.call('clear_range_cells', r4('A1:B1'))).toEqual(nothing);
    expect(await s.csv('A1:C2')).toBe(',,0\n4,5,6\n');
    const { cells } = await s.ok('get_cell_style', r4('A1:C2'));
    expect(
      cells.map((one: { font_size: number; number_format: string }) => [one.font_size, one.number_format]),
    ).toEqual([
      [20, '0.0'],
      [20, '0.0'],
      [20, '0.0'],
      [20, '0.0'],
      [20, '0.0'],
      [20, '0.0'],
    ]);
  });

  test('[S14] takes formulas and links away; merges and the grid stay', async () => {
    const s = await sheet('=1+1\n');
    await s.ok('set_link', { ...at('B1'), url: 'https://example.com/' });
    await s.ok('merge_cell', r4('C1:D1'));
    await s.ok('clear_range_cells', r4('A1:D1'));
    expect(await s.cells('A1:D1')).toEqual([]);
    expect((await s.ok('get_merged_cells', r4('A1:D1'))).merged_cells).toEqual([`${s.sheet_id}$C1:D1`]);
    await s.ok('set_cell_value', { ...at('B1'), value_type: 'STRING', string_value: 'plain' });
    expect((await s.cells('B1'))[0]!.value_type).toBe('STRING');
  });

  test('[S16] return_changes lists dependents', async () => {
    const s = await sheet('1,=A1+1\n');
    expect(await s.ok('clear_range_cells', { ...r4('A1'), return_changes: true })).toMatchObject({
      changes: [
        { sheet_id: s.sheet_id, row: 0, col: 0, value: null },
        { sheet_id: s.sheet_id, row: 0, col: 1, value: 1 },
      ],
    });
  });

  test('[S13] an end before its start is 310001 and changes nothing', async () => {
    const s = await sheet('1\n');
    expect(await s.call('clear_range_cells', { start_row: 1, start_col: 0, end_row: 0, end_col: 0 })).toEqual(
      refused(310001, 'end_row: must be at least start_row, 1 (got 0)'),
    );
    expect(await s.csv('A1')).toBe('1\n');
  });
});
