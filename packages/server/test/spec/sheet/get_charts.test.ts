import { expect, test } from 'vitest';
import { onTool, r4 } from './support.ts';

onTool('get_charts', ({ sheet }) => {
  test('[S71] type, title, place, data and the full options as JSON', async () => {
    const s = await sheet('m,Sales,Cost\nJan,1,2\nFeb,3,4\n');
    expect(await s.ok('get_charts')).toEqual({ charts: [] });
    await s.ok('add_chart', {
      chart_type: 'CHART_CLUSTERED_COLUMN',
      data_range: r4('A1:C3'),
      drawing_id: 'c1',
      title: 'Year',
    });
    const { charts } = await s.ok('get_charts');
    expect(charts).toEqual([
      {
        drawing_id: 'c1',
        chart_type: 'CHART_CLUSTERED_COLUMN',
        title: 'Year',
        location: { row_index: 0, col_index: 3, horizontal_offset: 10, vertical_offset: 0, width: 480, height: 300 },
        data_range: { start_row: 0, start_col: 0, end_row: 2, end_col: 2 },
        options_json: expect.any(String),
      },
    ]);
    const axis = { title: '', visible: true, min: null, max: null, gridLines: false, numberFormat: '' };
    expect(JSON.parse(charts[0].options_json)).toEqual({
      title: { text: 'Year', visible: true },
      legend: { visible: true, position: 'bottom' },
      xAxis: axis,
      yAxis: { ...axis, gridLines: true },
      secondaryYAxis: { ...axis, visible: false },
      series: [
        { name: 'Sales', type: 'column', axis: 'primary', color: '', smooth: false, dataLabels: false },
        { name: 'Cost', type: 'column', axis: 'primary', color: '', smooth: false, dataLabels: false },
      ],
    });
    expect(Object.keys(JSON.parse(charts[0].options_json))).toEqual([
      'title',
      'legend',
      'xAxis',
      'yAxis',
      'secondaryYAxis',
      'series',
    ]);
  });

  test('[S71] a chart without a title has an empty one; deleted data is absent', async () => {
    const s = await sheet('1\n2\n3\n');
    await s.ok('add_chart', { chart_type: 'CHART_PIE', data_range: r4('A1:A2'), drawing_id: 'c' });
    await s.ok('delete_dimension', { dimension_type: 'row', index: 0, count: 2 });
    const [chart] = (await s.ok('get_charts')).charts;
    expect([chart.title, 'data_range' in chart, JSON.parse(chart.options_json).series]).toEqual(['', false, []]);
  });

  test('[S71] in the order they were made, of this sub-sheet only', async () => {
    const s = await sheet('1\n2\n');
    for (const drawing_id of ['z', 'a', 'm'])
      await s.ok('add_chart', { chart_type: 'CHART_LINE', data_range: r4('A1:A2'), drawing_id });
    expect((await s.ok('get_charts')).charts.map((one: any) => one.drawing_id)).toEqual(['z', 'a', 'm']);
    expect(await s.ok('get_charts', { sheet_id: (await s.ok('add_sheet', {})).sheet_id })).toEqual({ charts: [] });
    expect(await s.call('get_charts', { sheet_id: 'none' })).toMatchObject({ code: 310003, data: {} });
  });
});
