import { expect, test } from 'vitest';
import { nothing, onTool, r4, refused } from './support.ts';

const names = [
  'CHART_AREA',
  'CHART_AREA_3D',
  'CHART_STACKED_AREA',
  'CHART_PERCENT_STACKED_AREA',
  'CHART_LINE',
  'CHART_LINE_3D',
  'CHART_STACKED_LINE',
  'CHART_HIGH_LOW_CLOSE_STOCK',
  'CHART_RADAR',
  'CHART_SCATTER',
  'CHART_PIE',
  'CHART_CLUSTERED_BAR',
  'CHART_CLUSTERED_COLUMN',
  'CHART_BUBBLE',
  'CHART_CUSTOM_COMBO',
  'CHART_REGION_MAP',
  'CHART_TREEMAP',
];

onTool('add_chart', ({ sheet }) => {
  type Sheet = Awaited<ReturnType<typeof sheet>>;
  /** What the chart is drawn from. */
  const dataOf = async (s: Sheet, drawing_id: string) =>
    JSON.parse((await s.ok('render_chart', { drawing_id, format: 'data' })).content).data;

  test('[S70] all 17 chart types; the object list gives their 1-based place', async () => {
    const s = await sheet('item,a,b\npear,1,2\nplum,3,4\n');
    for (const chart_type of names)
      expect(
        await s.call('add_chart', { chart_type, data_range: r4('A1:C3'), drawing_id: chart_type.toLowerCase() }),
        chart_type,
      ).toEqual(nothing);
    expect((await s.ok('get_charts')).charts.map((one: any) => one.chart_type)).toEqual(names);
    const { objects } = await s.ok('get_sheet_object_list', { object_types: ['chart'] });
    expect(objects.map((one: any) => one.chart_type)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17,
    ]);
    expect(
      await s.call('add_chart', { chart_type: 'CHART_DONUT', data_range: r4('A1:C3'), drawing_id: 'x' }),
    ).toMatchObject({ code: 310001, data: {} });
    expect(await s.call('add_chart', { chart_type: 13, data_range: r4('A1:C3'), drawing_id: 'x' })).toMatchObject({
      code: 310001,
      data: {},
    });
  });

  test('[S71] location: as told, its offsets and size with defaults; right of the data when omitted', async () => {
    const s = await sheet('1\n2\n');
    const add = (drawing_id: string, location?: Record<string, number>) =>
      s.ok('add_chart', {
        chart_type: 'CHART_LINE',
        data_range: r4('B2:C9'),
        drawing_id,
        ...(location ? { location } : {}),
      });
    await add('beside');
    await add('corner', { row_index: 3, col_index: 4 });
    await add('exact', { row_index: 3, col_index: 4, horizontal_offset: 5, vertical_offset: 6, width: 70, height: 80 });
    expect((await s.ok('get_charts')).charts.map((one: any) => one.location)).toEqual([
      { row_index: 1, col_index: 3, horizontal_offset: 10, vertical_offset: 0, width: 480, height: 300 },
      { row_index: 3, col_index: 4, horizontal_offset: 0, vertical_offset: 0, width: 480, height: 300 },
      { row_index: 3, col_index: 4, horizontal_offset: 5, vertical_offset: 6, width: 70, height: 80 },
    ]);
    expect(
      await s.call('add_chart', {
        chart_type: 'CHART_LINE',
        data_range: r4('A1:A2'),
        drawing_id: 'x',
        location: { row_index: 1 },
      }),
    ).toEqual(refused(310001, 'location.col_index: is required'));
    await add('far', { row_index: 250, col_index: 24 });
    expect((await s.ok('get_sheet_info')).sheets[0]).toMatchObject({ row_count: 262, col_count: 29 });
    expect(await s.call('add_chart', { chart_type: 'CHART_LINE', data_range: r4('A2:A1'), drawing_id: 'x' })).toEqual(
      refused(310001, 'data_range.end_row: must be at least start_row, 1 (got 0)'),
    );
  });

  test('[S71] headings, categories and direction are found out unless told', async () => {
    const s = await sheet('m,Sales,Cost\nJan,1,2\nFeb,3,4\nMar,5,6\n');
    const add = (drawing_id: string, more: Record<string, boolean> = {}) =>
      s.ok('add_chart', { chart_type: 'CHART_CLUSTERED_COLUMN', data_range: r4('A1:C4'), drawing_id, ...more });
    await add('found');
    expect(await dataOf(s, 'found')).toMatchObject({
      categories: ['Jan', 'Feb', 'Mar'],
      series: [
        { name: 'Sales', values: [1, 3, 5] },
        { name: 'Cost', values: [2, 4, 6] },
      ],
      columnSeries: true,
      headerRow: true,
      categoryColumn: true,
    });
    await add('rows', { use_column_as_series: false });
    expect(await dataOf(s, 'rows')).toMatchObject({
      categories: ['Sales', 'Cost'],
      series: [
        { name: 'Jan', values: [1, 2] },
        { name: 'Feb', values: [3, 4] },
        { name: 'Mar', values: [5, 6] },
      ],
      columnSeries: false,
    });
    await add('noheader', { first_row_as_header: false, use_column_as_series: true });
    expect(await dataOf(s, 'noheader')).toMatchObject({
      categories: ['m', 'Jan', 'Feb', 'Mar'],
      series: [{ name: 'Series 1', values: [null, 1, 3, 5] }, { name: 'Series 2' }],
      headerRow: false,
    });
    await add('nocategory', { first_column_as_category: false });
    expect(await dataOf(s, 'nocategory')).toMatchObject({
      categories: ['1', '2', '3'],
      series: [{ name: 'm', values: [null, null, null] }, { name: 'Sales' }, { name: 'Cost' }],
      categoryColumn: false,
    });
  });

  test('[S71] numbers alone have neither headings nor categories; a wide range reads by rows', async () => {
    const s = await sheet('1,2,3\n4,5,6\n');
    await s.ok('add_chart', { chart_type: 'CHART_LINE', data_range: r4('A1:C2'), drawing_id: 'c' });
    expect(await dataOf(s, 'c')).toMatchObject({
      categories: ['1', '2', '3'],
      series: [
        { name: 'Series 1', values: [1, 2, 3] },
        { name: 'Series 2', values: [4, 5, 6] },
      ],
      columnSeries: false,
      headerRow: false,
      categoryColumn: false,
    });
  });

  test('[S71] a chart follows its data', async () => {
    const s = await sheet('1\n2\n');
    await s.ok('add_chart', { chart_type: 'CHART_LINE', data_range: r4('A1:A2'), drawing_id: 'c', title: 'T' });
    await s.put('A2', '7\n');
    expect((await dataOf(s, 'c')).series[0].values).toEqual([1, 7]);
    await s.ok('insert_dimension', { dimension_type: 'row', index: 0, count: 1 });
    expect((await s.ok('get_charts')).charts[0]).toMatchObject({
      title: 'T',
      data_range: { start_row: 1, start_col: 0, end_row: 2, end_col: 0 },
    });
  });

  test('[S74] a drawing_id in use, also on another sub-sheet, is 310008; an end before its start 310001', async () => {
    const s = await sheet('1\n2\n');
    const add = (more: Record<string, unknown> = {}) =>
      s.call('add_chart', { chart_type: 'CHART_LINE', data_range: r4('A1:A2'), drawing_id: 'c1', ...more });
    expect(await add()).toEqual(nothing);
    expect(await add()).toEqual(refused(310008, 'drawing_id: "c1" is already taken'));
    expect(await add({ sheet_id: (await s.ok('add_sheet', {})).sheet_id })).toEqual(
      refused(310008, 'drawing_id: "c1" is already taken'),
    );
    expect(
      await add({ drawing_id: 'c2', data_range: { start_row: 1, start_col: 0, end_row: 0, end_col: 0 } }),
    ).toMatchObject({ code: 310001, data: {} });
    expect((await s.ok('get_charts')).charts).toHaveLength(1);
  });
});
