import { expect, test } from 'vitest';
import { nothing, onTool, r4, refused } from './support.ts';

onTool('update_chart', ({ sheet }) => {
  const drawn = async () => {
    const s = await sheet('m,Sales\nJan,1\nFeb,3\n');
    await s.ok('add_chart', {
      chart_type: 'CHART_LINE',
      data_range: r4('A1:B3'),
      drawing_id: 'c1',
      title: 'T',
      location: { row_index: 5, col_index: 6, horizontal_offset: 7, vertical_offset: 8, width: 200, height: 100 },
    });
    const chart = async () => (await s.ok('get_charts')).charts[0];
    return {
      s,
      chart,
      options: async () => JSON.parse((await chart()).options_json),
      update: (input: Record<string, unknown>) => s.call('update_chart', { drawing_id: 'c1', ...input }),
    };
  };

  test('[S73] unsent fields keep their value, each of them', async () => {
    const { chart, update } = await drawn();
    const before = await chart();
    expect(await update({})).toEqual(nothing);
    expect(await chart()).toEqual(before);
    await update({ chart_type: 'CHART_PIE' });
    expect(await chart()).toMatchObject({
      chart_type: 'CHART_PIE',
      title: 'T',
      location: before.location,
      data_range: before.data_range,
    });
    await update({ title: 'New' });
    expect(await chart()).toMatchObject({ chart_type: 'CHART_PIE', title: 'New' });
    await update({ data_range: r4('A1:B2') });
    expect(await chart()).toMatchObject({
      title: 'New',
      data_range: { start_row: 0, start_col: 0, end_row: 1, end_col: 1 },
    });
    await update({ location: { row_index: 1, col_index: 2 } });
    expect((await chart()).location).toEqual({
      row_index: 1,
      col_index: 2,
      horizontal_offset: 7,
      vertical_offset: 8,
      width: 200,
      height: 100,
    });
    await update({ title: '' });
    expect((await chart()).title).toBe('');
  });

  test('[S73] bool_options: {value: false} is false, nothing is unset', async () => {
    const { s, update } = await drawn();
    const data = async () =>
      JSON.parse((await s.ok('render_chart', { drawing_id: 'c1', format: 'data' })).content).data;
    await update({ bool_options: { first_row_as_header: { value: false } } });
    expect(await data()).toMatchObject({ headerRow: false, categoryColumn: true, columnSeries: true });
    await update({ bool_options: {} });
    expect(await data()).toMatchObject({ headerRow: false });
    await update({
      bool_options: { first_column_as_category: { value: false }, use_column_as_series: { value: false } },
    });
    expect(await data()).toMatchObject({ headerRow: false, categoryColumn: false, columnSeries: false });
    await update({ bool_options: { first_row_as_header: { value: true } } });
    expect(await data()).toMatchObject({ headerRow: true, categoryColumn: false });
    expect(await update({ bool_options: { first_row_as_header: true } })).toMatchObject({ code: 310001, data: {} });
    expect(await update({ bool_options: { first_row_as_header: {} } })).toEqual(
      refused(310001, 'bool_options.first_row_as_header.value: is required'),
    );
  });

  test('[S72] options_json is merged key by key, series one by one', async () => {
    const { chart, options, update } = await drawn();
    await update({ options_json: '{"yAxis":{"min":0,"title":"EUR"},"legend":{"position":"right"}}' });
    await update({
      options_json:
        '{"yAxis":{"max":9},"title":{"text":"New"},"series":[{"color":"#ff0000"}],"secondaryYAxis":{"visible":true},"xAxis":{"title":"month"}}',
    });
    expect(await options()).toMatchObject({
      title: { text: 'New' },
      xAxis: { title: 'month' },
      yAxis: { min: 0, max: 9, title: 'EUR' },
      secondaryYAxis: { visible: true },
      legend: { position: 'right' },
      series: [{ name: 'Sales', color: '#ff0000' }],
    });
    expect((await chart()).title).toBe('New');
  });

  test('[S72] what get_charts tells can be sent back as it is', async () => {
    const { chart, update } = await drawn();
    const told = (await chart()).options_json;
    expect(await update({ options_json: told })).toEqual(nothing);
    expect((await chart()).options_json).toBe(told);
  });

  test('[S72] options sent back freeze nothing: names go on following the cells, titles what is set', async () => {
    const { s, chart, options, update } = await drawn();
    await update({ title: '' });
    await update({ options_json: (await chart()).options_json });
    await s.put('B1', 'Turnover\n');
    await update({ title: 'Shown' });
    expect(await options()).toMatchObject({ title: { text: 'Shown', visible: true }, series: [{ name: 'Turnover' }] });
    await update({ options_json: '{"series":[{"name":"Fixed","color":"00ff00"}],"title":{"visible":false}}' });
    await s.put('B1', 'Other\n');
    expect(await options()).toMatchObject({
      title: { text: 'Shown', visible: false },
      series: [{ name: 'Fixed', color: '00ff00' }],
    });
    await update({ options_json: '{"series":[{"color":""}]}' });
    expect(await options()).toMatchObject({ series: [{ name: 'Fixed', color: '' }] });
  });

  test('[S72] unknown keys and values are 310001 and nothing changes', async () => {
    const { chart, update } = await drawn();
    const before = await chart();
    for (const wrong of [
      '{"zAxis":{}}',
      '{"legend":{"position":"middle"}}',
      '{"series":{}}',
      '{"yAxis":{"min":"a"}}',
      'not json',
      '[]',
      '{"title":{"onclick":"x"}}',
      '{"series":[{"color":"red"}]}',
    ]) {
      expect(await update({ title: 'x', options_json: wrong }), wrong).toMatchObject({
        code: 310001,
        msg: expect.stringMatching(/^options_json: /),
        data: {},
      });
    }
    expect(await update({ chart_type: 'CHART_DONUT' })).toMatchObject({ code: 310001, data: {} });
    expect(await chart()).toEqual(before);
  });

  test('[S74] an unknown chart is 310004', async () => {
    const { s } = await drawn();
    expect(await s.call('update_chart', { drawing_id: 'none', title: 'x' })).toEqual(
      refused(310004, 'drawing_id: there is no chart "none" on this sub-sheet; there are c1'),
    );
    expect(await s.call('update_chart', { title: 'x' })).toEqual(refused(310001, 'drawing_id: is required'));
  });
});
