import { expect, test } from 'vitest';
import { nothing, onTool, refused } from './support.ts';

onTool('set_dimension_visible', ({ sheet }) => {
  test('[S107] hides and shows; what is hidden keeps its content', async () => {
    const s = await sheet('1\n2\n3\n');
    await s.put('K1', '"=SUBTOTAL(109,A1:A3)"\n');
    expect(
      await s.call('set_dimension_visible', { dimension_type: 'row', index: 1, count: 1, visible: false }),
    ).toEqual(nothing);
    expect(await s.csv('K1')).toBe('4\n');
    expect(await s.csv('A1:A3')).toBe('1\n2\n3\n');
    await s.ok('set_dimension_visible', { dimension_type: 'row', index: 0, count: 3, visible: true });
    expect(await s.csv('K1')).toBe('6\n');
  });

  test('[S107] columns; charts over hidden ones reach further', async () => {
    const s = await sheet('1\n2\n');
    await s.ok('add_chart', {
      chart_type: 'CHART_LINE',
      data_range: { start_row: 0, start_col: 0, end_row: 1, end_col: 0 },
      drawing_id: 'c',
      location: { row_index: 0, col_index: 0, width: 150, height: 10 },
    });
    const covered = async () =>
      (await s.ok('get_sheet_object_list')).objects[0].display_range.replace(`${s.sheet_id}$`, '');
    expect(await covered()).toBe('A1:B1');
    await s.ok('set_dimension_visible', { dimension_type: 'col', index: 1, count: 1, visible: false });
    expect(await covered()).toBe('A1:C1');
  });

  test('[S107] only what is there', async () => {
    const s = await sheet();
    expect(
      await s.call('set_dimension_visible', { dimension_type: 'col', index: 20, count: 7, visible: false }),
    ).toEqual(refused(310001, 'count: cols 20 to 26 do not all exist; the last is 25'));
    expect(await s.call('set_dimension_visible', { dimension_type: 'row', index: 0, count: 1 })).toEqual(
      refused(310001, 'visible: is required'),
    );
  });
});
