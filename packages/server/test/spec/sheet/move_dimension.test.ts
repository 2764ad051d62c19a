import { expect, test } from 'vitest';
import { at, nothing, onTool, r4, refused } from './support.ts';

onTool('move_dimension', ({ sheet }) => {
  test('[S35] the block ends up before what stood at `to`, counted before the move, down and up', async () => {
    const s = await sheet('a\nb\nc\nd\ne\n');
    expect(await s.call('move_dimension', { dimension_type: 'row', index: 1, count: 2, to: 4 })).toEqual(nothing);
    expect(await s.csv('A1:A5')).toBe('a\nd\nb\nc\ne\n');
    await s.ok('move_dimension', { dimension_type: 'row', index: 2, count: 2, to: 1 });
    expect(await s.csv('A1:A5')).toBe('a\nb\nc\nd\ne\n');
    await s.ok('move_dimension', { dimension_type: 'row', index: 4, count: 1, to: 0 });
    expect(await s.csv('A1:A5')).toBe('e\na\nb\nc\nd\n');
  });

  test('[S35] references follow as when rows are cut and inserted; styles and links go along', async () => {
    const s = await sheet('a\nb\nc\nd\ne\n');
    await s.put('C1', '=A2\n');
    await s.ok('set_cell_style', { ...r4('A2'), format: { font_size: 20 } });
    await s.ok('set_link', { ...at('A2'), url: 'https://example.com/' });
    await s.ok('move_dimension', { dimension_type: 'row', index: 1, count: 1, to: 4 });
    expect(await s.formula('C1')).toBe('=A4');
    expect(await s.csv('C1')).toBe('b\n');
    expect((await s.ok('get_cell_style', r4('A4'))).cells[0].font_size).toBe(20);
    expect((await s.cells('A4'))[0]).toMatchObject({ row: 3, col: 0, value_type: 'RICH_STRING', string_value: 'b' });
  });

  test('[S35] before itself or right behind itself nothing moves and no revision is made', async () => {
    const s = await sheet('a\nb\nc\n');
    const version = async () => (await s.ok('get_history', { limit: 1 })).revisions[0].version;
    const before = await version();
    expect(await s.call('move_dimension', { dimension_type: 'row', index: 1, count: 2, to: 1 })).toEqual(nothing);
    expect(await s.call('move_dimension', { dimension_type: 'row', index: 1, count: 2, to: 3 })).toEqual(nothing);
    expect([await s.csv('A1:A3'), await version()]).toEqual(['a\nb\nc\n', before]);
  });

  test('[S35] `to` inside the block is 310001, a merge that would be cut 310008; nothing changes', async () => {
    const s = await sheet('a\nb\nc\nd\n');
    expect(await s.call('move_dimension', { dimension_type: 'row', index: 1, count: 3, to: 2 })).toEqual(
      refused(310001, 'to: must not be inside the moved block, 1 to 3 (got 2)'),
    );
    await s.ok('merge_cell', r4('C2:C3'));
    expect(await s.call('move_dimension', { dimension_type: 'row', index: 1, count: 1, to: 4 })).toMatchObject({
      code: 310008,
      data: {},
    });
    expect(await s.csv('A1:A4')).toBe('a\nb\nc\nd\n');
  });

  test('[S36] columns; `to` may be the very end, no more', async () => {
    const s = await sheet('a,b,c\n');
    await s.ok('move_dimension', { dimension_type: 'col', index: 0, count: 1, to: 26 });
    expect(await s.csv('A1:C1')).toBe('b,c,\n');
    expect(await s.csv('Z1')).toBe('a\n');
    expect(await s.call('move_dimension', { dimension_type: 'col', index: 0, count: 1, to: 27 })).toEqual(
      refused(310001, 'to: must be at most 26 (got 27)'),
    );
    expect(await s.call('move_dimension', { dimension_type: 'col', index: 25, count: 2, to: 0 })).toEqual(
      refused(310001, 'count: cols 25 to 26 do not all exist; the last is 25'),
    );
    expect((await s.ok('get_sheet_info')).sheets[0]).toMatchObject({ row_count: 200, col_count: 26 });
  });

  test('[finding T2] a protected range keeps what is moved inside it, a pivot table and a chart their rows', async () => {
    const s = await sheet('k,n\na,1\nb,2\nc,3\n');
    await s.ok('add_protect_range', { range: { start_row: 1, start_col: 0, end_row: 4, end_col: 2 } });
    await s.ok('add_chart', { chart_type: 'CHART_LINE', data_range: r4('A1:B4'), drawing_id: 'c' });
    await s.ok('add_pivot_table', {
      pivot_table_id: 'p',
      source_sheet_id: s.sheet_id,
      source_range: r4('A1:B4'),
      anchor_sheet_id: s.sheet_id,
      anchor_row: 0,
      anchor_col: 5,
    });
    await s.ok('update_pivot_table', {
      pivot_table_id: 'p',
      row_groups: [{ source_data_column: 0 }],
      column_groups: [],
      pivot_values: [{ source_data_column: 1, summarize_function: 'SUM' }],
      filters: [],
      calculated_values: [],
    });
    expect(await s.csv('G5')).toBe('6\n');
    for (const [index, to] of [
      [1, 4],
      [3, 1],
      [2, 4],
      [1, 3],
    ] as const) {
      await s.ok('move_dimension', { dimension_type: 'row', index, count: 1, to });
      expect((await s.ok('get_protect_ranges')).ranges[0].range, `${index} to ${to}`).toEqual({
        start_row: 1,
        start_col: 0,
        end_row: 4,
        end_col: 2,
      });
      expect((await s.ok('get_charts')).charts[0].data_range).toEqual(r4('A1:B4'));
      expect(await s.csv('G5')).toBe('6\n');
    }
    await s.ok('move_dimension', { dimension_type: 'row', index: 2, count: 1, to: 9 });
    expect((await s.ok('get_protect_ranges')).ranges[0].range).toEqual({
      start_row: 1,
      start_col: 0,
      end_row: 3,
      end_col: 2,
    });
  });
});
