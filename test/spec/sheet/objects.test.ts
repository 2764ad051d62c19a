import { expect, test } from 'vitest';
import { eachSurface } from '../../support/server.ts';
import { newSheet, r4 } from './support.ts';

const table = 'region,item,units,profit,revenue\nnorth,pear,1,2,10\nsouth,pear,2,3,10\nnorth,plum,3,4,10\nsouth,plum,4,5,10\nnorth,pear,5,6,10\n';
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const gif = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
const names = [
  'CHART_AREA', 'CHART_AREA_3D', 'CHART_STACKED_AREA', 'CHART_PERCENT_STACKED_AREA', 'CHART_LINE', 'CHART_LINE_3D', 'CHART_STACKED_LINE', 'CHART_HIGH_LOW_CLOSE_STOCK', 'CHART_RADAR',
  'CHART_SCATTER', 'CHART_PIE', 'CHART_CLUSTERED_BAR', 'CHART_CLUSTERED_COLUMN', 'CHART_BUBBLE', 'CHART_CUSTOM_COMBO', 'CHART_REGION_MAP', 'CHART_TREEMAP',
];

eachSurface('sheet', 'charts, pivot tables, images', (call, server) => {
  const sheet = (csv?: string) => newSheet(call, server(), csv);
  type Sheet = Awaited<ReturnType<typeof sheet>>;

  test('[S70] all 17 chart types are accepted; the object list gives their 1-based place', async () => {
    const s = await sheet(table);
    for (const chart_type of names) await s.ok('add_chart', { chart_type, data_range: r4('B1:D6'), drawing_id: chart_type.toLowerCase() });
    expect((await s.ok('get_charts')).charts.map((one: any) => one.chart_type)).toEqual(names);
    const { objects } = await s.ok('get_sheet_object_list', { object_types: ['chart'] });
    expect(objects.map((one: any) => one.chart_type)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17]);
    expect(await s.call('add_chart', { chart_type: 'CHART_DONUT', data_range: r4('B1:D6'), drawing_id: 'x' })).toMatchObject({ code: 310001 });
  });

  test('[S71] get_charts tells place, data and full options; the default place is right of the data', async () => {
    const s = await sheet('m,Sales,Cost\nJan,1,2\nFeb,3,4\n');
    await s.ok('add_chart', { chart_type: 'CHART_CLUSTERED_COLUMN', data_range: r4('A1:C3'), drawing_id: 'c1', title: 'Year' });
    const { charts } = await s.ok('get_charts');
    expect(charts).toHaveLength(1);
    expect(charts[0]).toEqual({
      drawing_id: 'c1',
      chart_type: 'CHART_CLUSTERED_COLUMN',
      title: 'Year',
      location: { row_index: 0, col_index: 3, horizontal_offset: 10, vertical_offset: 0, width: 480, height: 300 },
      data_range: { start_row: 0, start_col: 0, end_row: 2, end_col: 2 },
      options_json: expect.any(String),
    });
    const options = JSON.parse(charts[0].options_json);
    expect(Object.keys(options)).toEqual(['title', 'legend', 'xAxis', 'yAxis', 'secondaryYAxis', 'series']);
    expect(options.title).toEqual({ text: 'Year', visible: true });
    expect(options.series.map((one: any) => one.name)).toEqual(['Sales', 'Cost']);
  });

  test('[S72] options_json is merged key by key; what cannot be drawn is refused and nothing changes', async () => {
    const s = await sheet('m,Sales\nJan,1\nFeb,3\n');
    await s.ok('add_chart', { chart_type: 'CHART_LINE', data_range: r4('A1:B3'), drawing_id: 'c1' });
    const options = async () => JSON.parse((await s.ok('get_charts')).charts[0].options_json);
    await s.ok('update_chart', { drawing_id: 'c1', options_json: '{"yAxis":{"min":0,"title":"EUR"},"legend":{"position":"right"}}' });
    await s.ok('update_chart', { drawing_id: 'c1', options_json: '{"yAxis":{"max":9},"title":{"text":"New"},"series":[{"color":"#ff0000"}]}' });
    expect(await options()).toMatchObject({ title: { text: 'New' }, yAxis: { min: 0, max: 9, title: 'EUR' }, legend: { position: 'right' }, series: [{ name: 'Sales', color: '#ff0000' }] });
    // What get_charts tells can be sent back as it is.
    const told = (await s.ok('get_charts')).charts[0].options_json;
    await s.ok('update_chart', { drawing_id: 'c1', options_json: told });
    expect((await s.ok('get_charts')).charts[0].options_json).toBe(told);
    for (const wrong of ['{"zAxis":{}}', '{"legend":{"position":"middle"}}', '{"series":{}}', '{"yAxis":{"min":"a"}}', 'not json', '[]', '{"title":{"onclick":"x"}}']) {
      expect(await s.call('update_chart', { drawing_id: 'c1', options_json: wrong }), wrong).toMatchObject({ code: 310001, data: {} });
    }
    expect((await s.ok('get_charts')).charts[0].options_json).toBe(told);
  });

  test('[S73] update_chart keeps what is not sent; bool_options tell false from unset', async () => {
    const s = await sheet('m,Sales\nJan,1\nFeb,3\n');
    await s.ok('add_chart', { chart_type: 'CHART_LINE', data_range: r4('A1:B3'), drawing_id: 'c1', title: 'T', location: { row_index: 5, col_index: 6, width: 200, height: 100 } });
    await s.ok('update_chart', { drawing_id: 'c1', chart_type: 'CHART_PIE', location: { row_index: 7, col_index: 8 }, bool_options: { first_row_as_header: { value: false } } });
    const [chart] = (await s.ok('get_charts')).charts;
    expect(chart).toMatchObject({ chart_type: 'CHART_PIE', title: 'T', location: { row_index: 7, col_index: 8, width: 200, height: 100 }, data_range: { end_row: 2 } });
    expect(JSON.parse(chart.options_json).series[0].name).toBe('Series 1');
    await s.ok('update_chart', { drawing_id: 'c1', data_range: r4('A1:B2'), title: '' });
    expect((await s.ok('get_charts')).charts[0]).toMatchObject({ title: '', data_range: { end_row: 1 } });
  });

  test('[S74] a drawing_id in use is 310008, an unknown one 310004; delete_chart keeps the data', async () => {
    const s = await sheet(table);
    const add = () => s.call('add_chart', { chart_type: 'CHART_LINE', data_range: r4('A1:B3'), drawing_id: 'c1' });
    expect(await add()).toMatchObject({ code: 0 });
    expect(await add()).toEqual({ code: 310008, msg: 'drawing_id: "c1" is in use', data: {} });
    await s.ok('delete_chart', { drawing_id: 'c1' });
    expect(await s.call('delete_chart', { drawing_id: 'c1' })).toMatchObject({ code: 310004 });
    expect(await s.call('update_chart', { drawing_id: 'c1', title: 'x' })).toMatchObject({ code: 310004 });
    expect((await s.ok('get_charts')).charts).toEqual([]);
    expect(await s.csv('A1:B2')).toBe('region,item\nnorth,pear\n');
  });

  const addPivot = (s: Sheet, more: Record<string, unknown> = {}) =>
    call('add_pivot_table', { file_id: s.file_id, pivot_table_id: 'p1', source_sheet_id: s.sheet_id, source_range: r4('A1:E6'), anchor_sheet_id: s.sheet_id, anchor_row: 10, anchor_col: 0, ...more });
  const detail = async (s: Sheet, input: Record<string, unknown> = { pivot_table_id: 'p1' }) => (await call('get_pivot_table_detail', { file_id: s.file_id, ...input })).data.pivot_table;
  const update = (s: Sheet, input: Record<string, unknown>) => s.call('update_pivot_table', { pivot_table_id: 'p1', ...input });

  test('[S75] a pivot table computes into its anchor with totals, and refreshes when its source changes', async () => {
    const s = await sheet(table);
    expect(await addPivot(s)).toEqual({ code: 0, msg: 'success', data: {} });
    expect(await update(s, { row_groups: [{ source_data_column: 0 }], pivot_values: [{ source_data_column: 2, summarize_function: 'sum' }] })).toEqual({ code: 0, msg: 'success', data: {} });
    const shown = await s.csv('A11:B14');
    expect(shown.split('\n').slice(1)).toEqual(['north,9', 'south,6', expect.stringMatching(/,15$/), '']);
    await s.ok('set_cell_value', { cell: { row: 1, col: 2, value_type: 'NUMBER', number_value: 101 } });
    expect((await s.csv('A12:B12'))).toBe('north,109\n');
  });

  test('[S76] row and column groups with both totals', async () => {
    const s = await sheet(table);
    await addPivot(s);
    await update(s, { row_groups: [{ source_data_column: 0 }], column_groups: [{ source_data_column: 1 }], pivot_values: [{ source_data_column: 2, summarize_function: 'SUM' }] });
    const rows = (await s.csv('A11:D16')).trim().split('\n').map((line) => line.split(','));
    const row = (name: string) => rows.find((one) => one[0] === name)!.slice(1, 4);
    expect(rows.flat()).toContain('pear');
    expect(rows.flat()).toContain('plum');
    expect(row('north')).toEqual(['6', '3', '9']);
    expect(row('south')).toEqual(['2', '4', '6']);
    expect(rows.some((one) => one.slice(1, 4).join() === '8,7,15')).toBe(true);
  });

  test('[S77] the whole configuration is replaced by each call, and read back; COUNTA reads back as COUNT', async () => {
    const s = await sheet(table);
    await addPivot(s, { name: 'Mine' });
    await update(s, {
      row_groups: [{ source_data_column: 0 }],
      column_groups: [{ source_data_column: 1 }],
      pivot_values: [{ source_data_column: 2, summarize_function: 'counta' }],
      filters: [{ source_data_column: 1, visible_values: ['pear'] }],
      calculated_values: [{ name: 'margin', formula: 'profit/revenue' }],
    });
    expect(await detail(s)).toEqual({
      pivot_table_id: 'p1',
      pivot_table_name: 'Mine',
      anchor_sheet_id: s.sheet_id,
      anchor_row: 10,
      anchor_col: 0,
      row_group_columns: [0],
      column_group_columns: [1],
      source_sheet_id: s.sheet_id,
      source_data_range: { sheet_id: s.sheet_id, start_row_index: 0, start_col_index: 0, end_row_index: 5, end_col_index: 4 },
      pivot_values: [{ source_data_column: 2, summarize_function: 'COUNT' }],
      filters: [{ source_data_column: 1, visible_values: ['pear'] }],
      calculated_values: [{ name: 'margin', formula: '=profit/revenue' }],
    });
    await update(s, { pivot_values: [{ source_data_column: 2, summarize_function: 'VARP' }] });
    expect(await detail(s, { pivot_table_name: 'Mine' })).toMatchObject({ row_group_columns: [], column_group_columns: [], filters: [], calculated_values: [], pivot_values: [{ source_data_column: 2, summarize_function: 'VARP' }] });
  });

  test('[S78] every function; wrong functions, columns and empty names are refused', async () => {
    const s = await sheet(table);
    await addPivot(s);
    const values: Record<string, string> = {};
    for (const summarize_function of ['SUM', 'COUNT', 'COUNTA', 'AVERAGE', 'MAX', 'MIN', 'PRODUCT', 'COUNTNUMS', 'STDEV', 'STDEVP', 'VAR', 'VARP']) {
      await s.ok('update_pivot_table', { pivot_table_id: 'p1', row_groups: [{ source_data_column: 1 }], pivot_values: [{ source_data_column: 2, summarize_function }] });
      const line = (await s.csv('A11:B16')).split('\n').find((one) => one.startsWith('plum,'))!;
      values[summarize_function] = line.split(',')[1]!;
    }
    expect(values).toEqual({ SUM: '7', COUNT: '2', COUNTA: '2', AVERAGE: '3.5', MAX: '4', MIN: '3', PRODUCT: '12', COUNTNUMS: '2', STDEV: '0.707106781186548', STDEVP: '0.5', VAR: '0.5', VARP: '0.25' });
    expect(await update(s, { pivot_values: [{ source_data_column: 2, summarize_function: 'MEDIAN' }] })).toMatchObject({ code: 310001 });
    expect(await update(s, { row_groups: [{ source_data_column: 5 }] })).toEqual({ code: 310001, msg: 'row_groups[0].source_data_column: must be at most 4, the last column of the source (got 5)', data: {} });
    expect(await update(s, { calculated_values: [{ name: '', formula: '=1' }] })).toMatchObject({ code: 310001 });
  });

  test('[S79] calculated_values are formulas over field names', async () => {
    const s = await sheet(table);
    await addPivot(s);
    await update(s, { row_groups: [{ source_data_column: 0 }], calculated_values: [{ name: 'margin', formula: '=profit/revenue' }] });
    const lines = (await s.csv('A11:B14')).split('\n');
    expect(lines.find((one) => one.startsWith('north,'))).toBe('north,0.4');
    expect(lines.find((one) => one.startsWith('south,'))).toBe('south,0.4');
    const bad = await update(s, { calculated_values: [{ name: 'x', formula: '=profit+' }] });
    expect(bad).toMatchObject({ code: 310009, data: {} });
    expect(bad.msg).toContain('calculated_values[0].formula: ');
  });

  test('[S80] a pivot that would overwrite data is 310008 and changes nothing; ids and names in use too', async () => {
    const s = await sheet(table);
    expect(await addPivot(s, { anchor_row: 2, anchor_col: 2 })).toMatchObject({ code: 310008, data: {} });
    expect(await addPivot(s)).toMatchObject({ code: 0 });
    expect(await addPivot(s, { anchor_row: 30 })).toEqual({ code: 310008, msg: 'pivot_table_id: "p1" is in use', data: {} });
    await s.put('A13', 'mine\n');
    const before = await s.csv('A1:F20');
    expect(await update(s, { row_groups: [{ source_data_column: 0 }], pivot_values: [{ source_data_column: 2, summarize_function: 'SUM' }] })).toMatchObject({ code: 310008, data: {} });
    expect(await s.csv('A1:F20')).toBe(before);
    expect(await detail(s)).toMatchObject({ row_group_columns: [] });
  });

  test('[S81] create_new_sheet, new_sheet_id, missing anchor, one-row source', async () => {
    const s = await sheet(table);
    expect(await addPivot(s, { create_new_sheet: true, new_sheet_id: 'pivot1' })).toMatchObject({ code: 0 });
    expect(await detail(s)).toMatchObject({ anchor_sheet_id: 'pivot1', anchor_row: 10 });
    expect(await addPivot(s, { pivot_table_id: 'p2', create_new_sheet: true, new_sheet_id: 'pivot1' })).toMatchObject({ code: 310008 });
    expect(await addPivot(s, { pivot_table_id: 'p2', anchor_sheet_id: undefined })).toEqual({ code: 310001, msg: 'anchor_sheet_id: is required unless create_new_sheet is true', data: {} });
    expect(await addPivot(s, { pivot_table_id: 'p2', source_range: r4('A1:E1') })).toMatchObject({ code: 310001 });
    expect(await addPivot(s, { pivot_table_id: 'p2', source_sheet_id: 'none' })).toMatchObject({ code: 310003 });
  });

  test('[S82] remove_pivot_table takes what it shows away; unknown ones are 310004; one of id and name is needed', async () => {
    const s = await sheet(table);
    await addPivot(s);
    await update(s, { row_groups: [{ source_data_column: 0 }], pivot_values: [{ source_data_column: 2, summarize_function: 'SUM' }] });
    expect((await s.ok('get_sheet_object_list', { object_types: ['pivot_table'] })).objects[0]).toMatchObject({ object_id: 'p1', object_type: 'pivot_table', pivot_row_group_count: 1, pivot_column_group_count: 0, pivot_value_count: 1, data_range: `${s.sheet_id}$A1:E6` });
    await s.ok('remove_pivot_table', { pivot_table_id: 'p1' });
    expect(await s.csv('A11:B14')).toBe(',\n,\n,\n,\n');
    expect(await s.call('remove_pivot_table', { pivot_table_id: 'p1' })).toMatchObject({ code: 310004 });
    expect(await call('get_pivot_table_detail', { file_id: s.file_id })).toEqual({ code: 310001, msg: 'pivot_table_id: is required (or pivot_table_name)', data: {} });
    expect(await call('get_pivot_table_detail', { file_id: s.file_id, pivot_table_name: 'x' })).toMatchObject({ code: 310004 });
  });

  test('[S83] insert_image: PNG and GIF by content, an uploaded one by image_id, exactly one of both', async () => {
    const s = await sheet();
    await s.ok('insert_image', { row_index: 1, col_index: 1, content: png });
    await s.ok('insert_image', { row_index: 5, col_index: 1, content: `data:image/gif;base64,${gif}` });
    const { data } = await server().call('http', 'manage', 'upload_image', { content: png });
    await s.ok('insert_image', { row_index: 9, col_index: 1, image_id: data.image_id });
    expect((await s.ok('get_sheet_object_list', { object_types: ['float_image'] })).objects.map((one: any) => [one.object_type, one.name, one.display_range, one.data_range, one.float_image_width, one.float_image_height])).toEqual([
      ['float_image', 'Image 1', `${s.sheet_id}$B2:B2`, '', 1, 1],
      ['float_image', 'Image 2', `${s.sheet_id}$B6:B6`, '', 1, 1],
      ['float_image', 'Image 3', `${s.sheet_id}$B10:B10`, '', 1, 1],
    ]);
    const one = 'content: give exactly one of content and image_id';
    expect(await s.call('insert_image', { row_index: 0, col_index: 0 })).toEqual({ code: 310001, msg: one, data: {} });
    expect(await s.call('insert_image', { row_index: 0, col_index: 0, content: png, image_id: data.image_id })).toEqual({ code: 310001, msg: one, data: {} });
    expect(await s.call('insert_image', { row_index: 0, col_index: 0, image_id: 'img_none' })).toMatchObject({ code: 310004 });
    const other = await server().newUser();
    const theirs = await server().call('http', 'manage', 'upload_image', { content: png }, other);
    expect(await s.call('insert_image', { row_index: 0, col_index: 0, image_id: theirs.data.image_id })).toMatchObject({ code: 310004 });
  });

  test('[S84][T62] SVG, HTML and other things that claim to be images are refused', async () => {
    const s = await sheet();
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    const wrong = [
      base64('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><script>alert(1)</script></svg>'),
      `data:image/png;base64,${base64('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"></svg>')}`,
      `data:image/png;base64,${base64('<!doctype html><script>alert(1)</script>')}`,
      base64('\x89PNG\r\n\x1a\n'),
      base64('BM'.padEnd(60, '\0')),
      '***',
      '',
    ];
    for (const content of wrong) expect(await s.call('insert_image', { row_index: 0, col_index: 0, content }), content.slice(0, 40)).toMatchObject({ code: 310001, data: {} });
    expect((await s.ok('get_sheet_object_list')).objects).toEqual([]);
  });

  test('[S85] get_sheet_object_list: kinds, range and name narrow it', async () => {
    const s = await sheet(table);
    await s.ok('add_chart', { chart_type: 'CHART_LINE', data_range: r4('A1:B3'), drawing_id: 'c1', title: 'Yearly Sales', location: { row_index: 50, col_index: 0, width: 100, height: 20 } });
    await s.ok('set_filter', { ...r4('A1:E6'), filter_id: 'f1' });
    const ids = async (input: Record<string, unknown>) => (await s.ok('get_sheet_object_list', input)).objects.map((one: any) => one.object_id);
    expect(await ids({})).toEqual(['c1', 'f1']);
    expect(await ids({ object_types: [] })).toEqual(['c1', 'f1']);
    expect(await ids({ object_types: ['table', 'float_image'] })).toEqual(['f1']);
    expect(await ids({ name_pattern: 'sales' })).toEqual(['c1']);
    expect(await ids({ filter_by_range: true, ...r4('A40:Z60') })).toEqual(['c1']);
    expect(await ids({ filter_by_range: false, ...r4('A40:Z60') })).toEqual(['c1', 'f1']);
    expect((await s.ok('get_sheet_object_list', { object_types: ['chart'] })).objects[0]).toEqual({ object_id: 'c1', object_type: 'chart', name: 'Yearly Sales', display_range: `${s.sheet_id}$A51:A51`, data_range: `${s.sheet_id}$A1:B3`, chart_type: 5 });
  });
});
