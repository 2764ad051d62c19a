import { expect, test } from 'vitest';
import { eachSurface } from '../../support/server.ts';
import { newSheet, r4 } from './support.ts';

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

eachSurface('sheet', 'what the page shows of objects', (call, server) => {
  const sheet = (csv?: string) => newSheet(call, server(), csv);

  test('[S114] get_filters: criteria, hidden rows, and the values of a column', async () => {
    const s = await sheet('name,kind\npear,fruit\nleek,herb\nplum,fruit\nsalt\n');
    expect(await s.ok('get_filters')).toEqual({ filters: [] });
    await s.ok('set_filter', { ...r4('A1:B5'), filter_id: 'f1' });
    await s.ok('update_filter', { columns: [{ col: 1, visible_values: ['fruit'] }] });
    const filters = [{ filter_id: 'f1', start_row: 0, start_col: 0, end_row: 4, end_col: 1, columns: [{ col: 1, visible_values: ['fruit'] }], hidden_row_count: 2 }];
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
    expect(await s.call('get_filters', { filter_id: 'f1', col: 2 })).toEqual({ code: 310001, msg: "col: must lie in the filter's range, columns 0 to 1 (got 2)", data: {} });
    expect(await s.call('get_filters', { col: 1 })).toEqual({ code: 310001, msg: 'col: needs filter_id', data: {} });
    expect(await s.call('get_filters', { filter_id: 'none' })).toMatchObject({ code: 310004 });
  });

  test('[S115] images: listed with a link to their bytes, moved, deleted', async () => {
    const s = await sheet();
    await s.ok('insert_image', { row_index: 2, col_index: 1, content: png });
    const { images } = await s.ok('get_images');
    expect(images).toMatchObject([{ name: 'Image 1', content_type: 'image/png', location: { row_index: 2, col_index: 1, horizontal_offset: 0, vertical_offset: 0, width: 1, height: 1 } }]);
    const bytes = await fetch(images[0].url as string);
    expect(bytes.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await bytes.arrayBuffer()).toString('base64')).toBe(png);
    const { object_id } = images[0];
    await s.ok('update_image', { object_id, location: { row_index: 5, col_index: 0, horizontal_offset: 3, width: 40, height: 30 } });
    expect((await s.ok('get_images')).images[0].location).toEqual({ row_index: 5, col_index: 0, horizontal_offset: 3, vertical_offset: 0, width: 40, height: 30 });
    await s.ok('delete_image', { object_id });
    expect((await s.ok('get_images')).images).toEqual([]);
    expect(await s.call('delete_image', { object_id })).toMatchObject({ code: 310004 });
    expect(await s.call('update_image', { object_id, location: { row_index: 0, col_index: 0 } })).toMatchObject({ code: 310004 });
  });

  test('[S116] render_chart as data: what it is drawn from', async () => {
    const s = await sheet('month,sales\nJan,3\nFeb,5\n');
    await s.ok('add_chart', { chart_type: 'CHART_CLUSTERED_COLUMN', data_range: r4('A1:B3'), drawing_id: 'c1', title: 'Sales' });
    const answer = await s.ok('render_chart', { drawing_id: 'c1', format: 'data' });
    expect(answer.content_type).toBe('application/json');
    expect(JSON.parse(answer.content as string)).toMatchObject({
      type: 'CHART_CLUSTERED_COLUMN',
      data: { categories: ['Jan', 'Feb'], series: [{ name: 'sales', values: [3, 5] }], columnSeries: true, headerRow: true, categoryColumn: true },
      options: { title: { text: 'Sales', visible: true } },
    });
  });
});
