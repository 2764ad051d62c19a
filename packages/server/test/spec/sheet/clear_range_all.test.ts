import { expect, test } from 'vitest';
import { bordersOf } from './exported.ts';
import { at, nothing, onTool, r4, refused } from './support.ts';

onTool('clear_range_all', ({ server, sheet }) => {
  test('[S14] clears contents and styles of the region, and answers {}', async () => {
    const s = await sheet('1,2,=A1*2\n4,5,6\n');
    await s.ok('set_cell_style', { ...r4('A1:C2'), format: { font_size: 20, number_format_pattern: '0.0' } });
    expect(await s.call('clear_range_all', r4('A1:B1'))).toEqual(nothing);
    expect(await s.csv('A1:C2')).toBe(',,0\n4,5,6\n');
    const { cells } = await s.ok('get_cell_style', r4('A1:C2'));
    expect(
      cells.map((one: { font_size: number; number_format: string }) => [one.font_size, one.number_format]),
    ).toEqual([
      [0, ''],
      [0, ''],
      [20, '0.0'],
      [20, '0.0'],
      [20, '0.0'],
      [20, '0.0'],
    ]);
  });

  test('[S14] takes borders and links along', async () => {
    const s = await sheet('x\n');
    await s.ok('set_link', { ...at('A1'), url: 'https://example.com/' });
    await s.ok('set_border', { ...r4('A1'), border_positions: [0] });
    await s.ok('clear_range_all', r4('A1'));
    expect(await s.cells('A1')).toEqual([]);
    await s.ok('set_cell_value', { ...at('A1'), value_type: 'NUMBER', number_value: 1 });
    expect(await s.cells('A1')).toEqual([{ row: 0, col: 0, value_type: 'NUMBER', number_value: 1 }]);
    expect(await bordersOf(server(), s, 'A1')).toEqual({ A1: {} });
  });

  test('[S13] an end before its start is 310001 and changes nothing', async () => {
    const s = await sheet('1\n');
    expect(await s.call('clear_range_all', { start_row: 0, start_col: 3, end_row: 0, end_col: 2 })).toEqual(
      refused(310001, 'end_col: must be at least start_col, 3 (got 2)'),
    );
    expect(await s.csv('A1')).toBe('1\n');
  });
});
