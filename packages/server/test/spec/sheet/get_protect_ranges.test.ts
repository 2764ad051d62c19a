import { expect, test } from 'vitest';
import { onTool, refused } from './support.ts';

onTool('get_protect_ranges', ({ call, sheet }) => {
  test('[S94] the ranges of the sub-sheet, in the order they were made, ends exclusive', async () => {
    const s = await sheet();
    expect(await s.ok('get_protect_ranges')).toEqual({ ranges: [] });
    const one = await s.ok('add_protect_range', { range: { start_row: 5, start_col: 5, end_row: 6, end_col: 6 } });
    const two = await s.ok('add_protect_range', { range: { start_row: 0, start_col: 0, end_row: 2, end_col: 3 } });
    const { sheet_id: other } = await s.ok('add_sheet', {});
    await s.ok('add_protect_range', { sheet_id: other, whole_sheet: true });
    expect(await s.ok('get_protect_ranges')).toEqual({
      ranges: [
        { protect_range_id: one.protect_range_id, range: { start_row: 5, start_col: 5, end_row: 6, end_col: 6 } },
        { protect_range_id: two.protect_range_id, range: { start_row: 0, start_col: 0, end_row: 2, end_col: 3 } },
      ],
    });
  });

  test('[S96] a protected sub-sheet is told as its whole grid, and grows with it', async () => {
    const s = await sheet();
    const { protect_range_id } = await s.ok('add_protect_range', { whole_sheet: true });
    expect((await s.ok('get_protect_ranges')).ranges).toEqual([
      { protect_range_id, range: { start_row: 0, start_col: 0, end_row: 200, end_col: 26 } },
    ]);
    await s.ok('set_cell_value', { row: 300, col: 30, value_type: 'NUMBER', number_value: 1 });
    expect((await s.ok('get_protect_ranges')).ranges).toEqual([
      { protect_range_id, range: { start_row: 0, start_col: 0, end_row: 301, end_col: 31 } },
    ]);
  });

  test('[S94] ranges move with their cells', async () => {
    const s = await sheet();
    const { protect_range_id } = await s.ok('add_protect_range', {
      range: { start_row: 1, start_col: 1, end_row: 3, end_col: 3 },
    });
    await s.ok('insert_dimension', { dimension_type: 'row', index: 0, count: 2 });
    await s.ok('insert_dimension', { dimension_type: 'col', index: 2, count: 1 });
    expect((await s.ok('get_protect_ranges')).ranges).toEqual([
      { protect_range_id, range: { start_row: 3, start_col: 1, end_row: 5, end_col: 4 } },
    ]);
    await s.ok('delete_dimension', { dimension_type: 'row', index: 3, count: 1 });
    expect((await s.ok('get_protect_ranges')).ranges[0].range).toEqual({
      start_row: 3,
      start_col: 1,
      end_row: 4,
      end_col: 4,
    });
    await s.ok('delete_dimension', { dimension_type: 'row', index: 3, count: 1 });
    expect((await s.ok('get_protect_ranges')).ranges).toEqual([]);
  });

  test('[S18] takes file_url; an unknown sub-sheet is 310003', async () => {
    const s = await sheet();
    expect(await call('get_protect_ranges', { file_url: `/sheet/${s.file_id}`, sheet_id: s.sheet_id })).toMatchObject({
      code: 0,
      data: { ranges: [] },
    });
    expect(await s.call('get_protect_ranges', { sheet_id: 'none' })).toEqual(
      refused(310003, `sheet_id: there is no sub-sheet "none"; there are ${s.sheet_id} (Sheet1)`),
    );
  });
});
