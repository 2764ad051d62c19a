import { expect, test } from 'vitest';
import { onTool, r4 } from './support.ts';

onTool('get_filters', ({ sheet }) => {
  test('[S114] criteria, hidden rows, and the values of a column', async () => {
    const s = await sheet('name,kind\npear,fruit\nleek,herb\nplum,fruit\nsalt\n');
    expect(await s.ok('get_filters')).toEqual({ filters: [] });
    await s.ok('set_filter', { ...r4('A1:B5'), filter_id: 'f1' });
    await s.ok('update_filter', { columns: [{ col: 1, visible_values: ['fruit'] }] });
    const filters = [
      {
        filter_id: 'f1',
        start_row: 0,
        start_col: 0,
        end_row: 4,
        end_col: 1,
        columns: [{ col: 1, visible_values: ['fruit'] }],
        hidden_row_count: 2,
      },
    ];
    expect(await s.ok('get_filters')).toEqual({ filters });
    expect(await s.ok('get_filters', { filter_id: 'f1', col: 1 })).toEqual({
      filters,
      values: [
        { text: 'fruit', count: 2, visible: true },
        { text: 'herb', count: 1, visible: false },
        { text: '', count: 1, visible: false },
      ],
      truncated: false,
    });
    expect(await s.call('get_filters', { filter_id: 'f1', col: 2 })).toEqual({
      code: 310001,
      msg: "col: must be within the filter's range, columns 0 to 1 (got 2)",
      data: {},
    });
    expect(await s.call('get_filters', { col: 1 })).toEqual({ code: 310001, msg: 'col: needs filter_id', data: {} });
    expect(await s.call('get_filters', { filter_id: 'none' })).toMatchObject({ code: 310004 });
  });
});
