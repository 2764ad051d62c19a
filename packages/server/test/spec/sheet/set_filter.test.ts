import { expect, test } from 'vitest';
import { nothing, onTool, r4, refused } from './support.ts';

const table = 'name,kind,price\npear,fruit,3\nleek,herb,2\nplum,fruit,1\n';

onTool('set_filter', ({ sheet }) => {
  test('[S50] makes a table whose object_id is the filter_id, and answers {}', async () => {
    const s = await sheet(table);
    expect(await s.call('set_filter', { ...r4('A1:C4'), filter_id: 'mine' })).toEqual(nothing);
    expect((await s.ok('get_sheet_object_list', { object_types: ['table'] })).objects).toEqual([
      {
        object_id: 'mine',
        object_type: 'table',
        name: 'Filter A1',
        display_range: `${s.sheet_id}$A1:C4`,
        data_range: `${s.sheet_id}$A1:C4`,
        table_has_header: true,
        table_column_count: 3,
      },
    ]);
  });

  test('[S50] the id is made when omitted or empty', async () => {
    const s = await sheet(table);
    await s.ok('set_filter', r4('A1:C4'));
    await s.ok('set_filter', { ...r4('F1:G4'), filter_id: '' });
    const ids = (await s.ok('get_sheet_object_list')).objects.map((one: any) => one.object_id);
    expect(ids).toEqual([expect.stringMatching(/^filter_/), expect.stringMatching(/^filter_/)]);
    expect(ids[0]).not.toBe(ids[1]);
  });

  test('[S50] an id in use, also on another sub-sheet, and an overlap are 310008', async () => {
    const s = await sheet(table);
    await s.ok('set_filter', { ...r4('A1:C4'), filter_id: 'mine' });
    expect(await s.call('set_filter', { ...r4('F1:G4'), filter_id: 'mine' })).toEqual(
      refused(310008, 'filter_id: "mine" is already taken'),
    );
    expect(await s.call('set_filter', r4('C4:D9'))).toEqual(
      refused(310008, 'start_row: the region overlaps filter mine'),
    );
    const { sheet_id } = await s.ok('add_sheet', {});
    expect(await s.call('set_filter', { sheet_id, ...r4('A1:B2'), filter_id: 'mine' })).toEqual(
      refused(310008, 'filter_id: "mine" is already taken'),
    );
    expect(await s.call('set_filter', { sheet_id, ...r4('A1:C4'), filter_id: 'other' })).toEqual(nothing);
    expect((await s.ok('get_sheet_object_list')).objects).toHaveLength(1);
  });

  test('[S13] an end before its start is 310001', async () => {
    const s = await sheet(table);
    expect(await s.call('set_filter', { start_row: 1, start_col: 0, end_row: 0, end_col: 0 })).toEqual(
      refused(310001, 'end_row: must be at least start_row, 1 (got 0)'),
    );
  });
});
