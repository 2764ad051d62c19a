import { expect, test } from 'vitest';
import { exportedParts } from './exported.ts';
import { done, nothing, onTool, refused, versionOf } from './support.ts';

onTool('set_dimension_visible', ({ sheet, server }) => {
  test('[S107] hides and shows; what is hidden keeps its content', async () => {
    const s = await sheet('1\n2\n3\n');
    await s.put('K1', '"=SUBTOTAL(109,A1:A3)"\n');
    expect(
      await s.call('set_dimension_visible', { dimension_type: 'row', index: 1, count: 1, visible: false }),
    ).toEqual(done);
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

  test('rows and columns are grouped; groups follow edits, are exported and reverted', async () => {
    const s = await sheet('1\n2\n3\n4\n');
    const outline = async () => (await s.ok('list_objects', { object_types: ['sheet'] })).sheets[0].outline;
    expect(await outline()).toBeUndefined();
    const before = await versionOf(server(), s);
    const rows = (index: number, count: number, outline_level: number, more = {}) =>
      s.call('set_dimension_visible', { dimension_type: 'row', index, count, outline_level, ...more });
    expect(await rows(0, 4, 1)).toEqual(done);
    expect(await rows(1, 2, 2, { visible: false })).toEqual(done);
    expect(await rows(1, 2, 2)).toEqual(nothing);
    expect(await versionOf(server(), s)).toBe(before + 2);
    await s.ok('set_dimension_visible', { dimension_type: 'col', index: 1, count: 1, outline_level: 3 });
    const made = {
      rows: [
        [0, 0, 1],
        [1, 2, 2],
        [3, 3, 1],
      ],
      cols: [[1, 1, 3]],
    };
    expect(await outline()).toEqual(made);
    const xml = (await exportedParts(server(), s))['xl/worksheets/sheet1.xml']!;
    for (const piece of ['outlineLevelRow="2" outlineLevelCol="3"', '<row r="2" hidden="1" outlineLevel="2">'])
      expect(xml).toContain(piece);
    await s.ok('insert_dimension', { dimension_type: 'row', index: 0, count: 1 });
    expect((await outline()).rows).toEqual([
      [1, 1, 1],
      [2, 3, 2],
      [4, 4, 1],
    ]);
    await s.ok('revert', { version: before });
    expect(await outline()).toBeUndefined();
    expect((await rows(0, 1, 8)).code).toBe(310001);
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
