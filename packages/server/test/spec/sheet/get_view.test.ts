import { expect, test } from 'vitest';
import { at, onTool, r4, refused } from './support.ts';

onTool('get_view', ({ sheet }) => {
  test('[S117] shown texts, kinds, what editing begins with, styles, merges, links', async () => {
    const s = await sheet('name,share,due\npear,0.125,45000\n=1/0,TRUE,=B2*2\n');
    await s.ok('set_cell_style', { ...r4('B2:B3'), format: { number_format_pattern: '0.0%', bold: true } });
    await s.ok('set_cell_style', { ...r4('C2'), format: { number_format_pattern: 'd/m/yy' } });
    await s.ok('merge_cell', r4('E1:F2'));
    await s.ok('set_link', { ...at('A2'), url: 'https://example.com/' });
    const view = await s.ok('get_view', r4('A1:F3'));
    expect(view).toEqual({
      version: expect.any(Number),
      cells: [
        [0, 0, 'name', 0],
        [0, 1, 'share', 0],
        [0, 2, 'due', 0],
        [1, 0, 'pear', 0],
        [1, 1, '12.5%', 1],
        [1, 2, '15/3/23', 1, '2023-03-15'],
        [2, 0, '#DIV/0!', 3, '=1/0'],
        [2, 1, 'TRUE', 2],
        [2, 2, '0.25', 1, '=B2*2'],
      ],
      styles: [
        [1, 1, 2, 0],
        [2, 1, 1, 1],
      ],
      looks: [{ bold: true, numberFormat: '0.0%' }, { numberFormat: 'd/m/yy' }],
      merges: [[0, 4, 1, 5]],
      links: [[1, 0, 'https://example.com/']],
    });
    expect(await s.call('get_view', { start_row: 0, start_col: 0, end_row: 19_999, end_col: 1 })).toEqual({
      code: 310006,
      msg: 'end_row: a region of at most 20000 cells can be read at once (got 40000)',
      data: {},
    });
  });

  test('[S117] tables with what their styles do to cells', async () => {
    const s = await sheet('name,share\npear,1\nplum,2\n');
    const { table_id } = await s.ok('set_table', {
      range: 'A1:B3',
      style: 'TableStyleMedium2',
      style_parts: ['row_stripes', 'first_column'],
    });
    const { tables } = await s.ok('get_view', r4('B2:C9'));
    expect(tables).toEqual([
      {
        region: [0, 0, 2, 1],
        heads: 1,
        feet: 0,
        marks: ['first_column', 'row_stripes'],
        whole: { borderTop: 'thin:8FAADC', borderBottom: 'thin:8FAADC' },
        outline: { line: 'thin:8FAADC' },
        stripe: { bgColor: 'FFDAE3F3' },
        header: { bgColor: 'FF4472C4', fontColor: 'FFFFFFFF', bold: true },
        totals: { bold: true, borderTop: 'double:4472C4' },
        ends: { bold: true },
      },
    ]);
    expect(await s.ok('get_view', r4('C4:D9'))).not.toHaveProperty('tables');
    for (const style of ['', 'TableStyleMedium29', 'TableStyleDark12', 'Ours']) {
      await s.ok('set_table', { table_id, range: 'A1:B3', style });
      expect(await s.ok('get_view', r4('A1:B3'))).not.toHaveProperty('tables');
    }
  });

  test('[S117] colors of number formats', async () => {
    const s = await sheet('5,-5,text\n');
    await s.ok('set_cell_style', { ...r4('A1:C1'), format: { number_format_pattern: '[Color10]0;[Red]-0;0;[Blue]@' } });
    expect((await s.ok('get_view', r4('A1:C1'))).colours).toEqual([
      [0, 0, '008000'],
      [0, 1, 'FF0000'],
      [0, 2, '0000FF'],
    ]);
  });

  test('[S117] with layout: sizes, freeze, rows hidden by hand and by filters', async () => {
    const s = await sheet('k\na\nb\na\n');
    await s.ok('set_dimension_size', {
      dimensions: [
        { dimension_type: 'col', start_index: 1, end_index: 2, size: 120 },
        { dimension_type: 'row', index: 0, size: 30 },
      ],
    });
    await s.ok('set_freeze', { row_count: 1, col_count: 2 });
    await s.ok('set_filter', { ...r4('A1:A4'), filter_id: 'f' });
    await s.ok('update_filter', { filter_id: 'f', columns: [{ col: 0, visible_values: ['a'] }] });
    await s.ok('set_dimension_visible', { dimension_type: 'row', index: 9, count: 2, visible: false });
    await s.ok('set_dimension_visible', { dimension_type: 'col', index: 5, count: 1, visible: false });
    expect((await s.ok('get_view', { ...r4('A1'), layout: true })).layout).toEqual({
      rows: 200,
      cols: 26,
      frozen_rows: 1,
      frozen_cols: 2,
      row_sizes: [[0, 0, 30]],
      col_sizes: [[1, 2, 120]],
      hidden_rows: [
        [2, 2],
        [9, 10],
      ],
      hidden_cols: [[5, 5]],
      used: 'A1:A4',
    });
  });

  test('one area only', async () => {
    const s = await sheet('1\n');
    expect(await s.call('get_view', { range: 'A1,A3' })).toEqual(
      refused(310001, 'range: must name one area, because the tool takes one (got 2)'),
    );
  });
});
