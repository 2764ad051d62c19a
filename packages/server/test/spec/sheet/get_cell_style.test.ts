import { expect, test } from 'vitest';
import { onTool, r4, refused } from './support.ts';

onTool('get_cell_style', ({ sheet }) => {
  test('[S20] one entry for each cell, row by row; what is unset is empty or 0', async () => {
    const s = await sheet('x\n');
    expect(await s.ok('get_cell_style', r4('B2:C3'))).toEqual({
      cells: [
        { row: 1, col: 1, background_color: '', font_color: '', font_size: 0, font_family: '', number_format: '' },
        { row: 1, col: 2, background_color: '', font_color: '', font_size: 0, font_family: '', number_format: '' },
        { row: 2, col: 1, background_color: '', font_color: '', font_size: 0, font_family: '', number_format: '' },
        { row: 2, col: 2, background_color: '', font_color: '', font_size: 0, font_family: '', number_format: '' },
      ],
    });
  });

  test('[S20] every property it tells', async () => {
    const s = await sheet();
    await s.ok('set_cell_style', {
      ...r4('C3'),
      format: {
        bg_color: '80abcdef',
        font_color: '112233',
        font_size: 9,
        font_family: '宋体',
        number_format_pattern: 'yyyy-mm-dd',
        bold: true,
      },
    });
    expect(await s.ok('get_cell_style', r4('C3'))).toEqual({
      cells: [
        {
          row: 2,
          col: 2,
          background_color: '80ABCDEF',
          font_color: 'FF112233',
          font_size: 9,
          font_family: '宋体',
          number_format: 'yyyy-mm-dd',
        },
      ],
    });
  });

  test('[S20] styles follow their cells', async () => {
    const s = await sheet();
    await s.ok('set_cell_style', { ...r4('A1'), format: { font_size: 9 } });
    await s.ok('insert_dimension', { dimension_type: 'row', index: 0, count: 1 });
    expect((await s.ok('get_cell_style', r4('A1:A2'))).cells.map((one: any) => one.font_size)).toEqual([0, 9]);
  });

  test('[S12] 20,000 cells at once, more is 310006; cells outside the grid are none', async () => {
    const s = await sheet();
    const limit = (rows: number) => ({ start_row: 0, start_col: 0, end_row: rows - 1, end_col: 0 });
    expect((await s.ok('get_cell_style', limit(20_000))).cells).toHaveLength(200);
    expect(await s.call('get_cell_style', limit(20_001))).toEqual(
      refused(310006, 'end_row: a region of at most 20000 cells can be read at once (got 20001)'),
    );
    expect(await s.ok('get_cell_style', r4('AZ500'))).toEqual({ cells: [] });
  });

  test('[S13] an end before its start is 310001', async () => {
    const s = await sheet();
    expect(await s.call('get_cell_style', { start_row: 1, start_col: 0, end_row: 0, end_col: 0 })).toEqual(
      refused(310001, 'end_row: must be at least start_row, 1 (got 0)'),
    );
  });
});
