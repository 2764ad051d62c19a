import { expect, test } from 'vitest';
import { bordersOf } from './exported.ts';
import { at, nothing, onTool, r4, refused } from './support.ts';

onTool('clear_range_style', ({ server, sheet }) => {
  test('[S14] clears the styles of the region and keeps its contents, and answers {}', async () => {
    const s = await sheet('1,2,=A1*2\n4,5,6\n');
    await s.ok('set_cell_style', { ...r4('A1:C2'), format: { font_size: 20, number_format_pattern: '0.0' } });
    expect(await s.call('clear_range_style', r4('A1:B1'))).toEqual(nothing);
    expect(await s.csv('A1:C2')).toBe('1,2,2\n4,5,6\n');
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

  test('[S25] takes borders too; formulas and links stay', async () => {
    const s = await sheet('=1+1,x\n');
    await s.ok('set_link', { ...at('B1'), url: 'https://example.com/' });
    await s.ok('set_border', { ...r4('A1:B1'), border_positions: [0, 1, 2, 3] });
    await s.ok('clear_range_style', r4('A1:B1'));
    expect(await s.formula('A1')).toBe('=1+1');
    expect((await s.cells('B1'))[0]).toMatchObject({ row: 0, col: 1, value_type: 'RICH_STRING', string_value: 'x' });
    expect(await bordersOf(server(), s, 'A1:B1')).toEqual({ A1: {}, B1: {} });
  });

  test('[S6] a date shown as such is a number again', async () => {
    const s = await sheet('45000\n');
    await s.ok('set_cell_style', { ...r4('A1'), format: { number_format_pattern: 'yyyy-mm-dd' } });
    await s.ok('clear_range_style', r4('A1'));
    expect(await s.cells('A1')).toEqual([{ row: 0, col: 0, value_type: 'NUMBER', number_value: 45000 }]);
  });

  test('[S13] an end before its start is 310001', async () => {
    const s = await sheet('1\n');
    expect(await s.call('clear_range_style', { start_row: 0, start_col: 2, end_row: 0, end_col: 1 })).toEqual(
      refused(310001, 'end_col: must be at least start_col, 2 (got 1)'),
    );
  });
});
