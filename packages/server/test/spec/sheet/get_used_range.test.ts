import { expect, test } from 'vitest';
import { onTool, r4 } from './support.ts';

onTool('get_used_range', ({ sheet }) => {
  test('[S100] the smallest region with values and formulas; styles do not count', async () => {
    const s = await sheet();
    expect(await s.ok('get_used_range')).toEqual({ is_empty: true, range: '' });
    await s.put('C4', 'x,,=1\n');
    await s.ok('set_cell_style', { ...r4('Z99'), format: { bold: true } });
    expect(await s.ok('get_used_range')).toEqual({
      is_empty: false,
      start_row: 3,
      start_col: 2,
      end_row: 3,
      end_col: 4,
      range: `${s.sheet_id}$C4:E4`,
    });
  });

  test('[S100] it shrinks when cells are emptied', async () => {
    const s = await sheet('a,b\nc,d\n');
    await s.ok('clear_range_cells', r4('A2:B2'));
    expect(await s.ok('get_used_range')).toMatchObject({ range: `${s.sheet_id}$A1:B1` });
    await s.ok('clear_range_cells', r4('A1:B1'));
    expect(await s.ok('get_used_range')).toEqual({ is_empty: true, range: '' });
  });
});
