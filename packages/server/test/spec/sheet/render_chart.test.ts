import { expect, test } from 'vitest';
import { onTool, r4, refused } from './support.ts';

onTool('render_chart', ({ sheet }) => {
  const drawn = async () => {
    const s = await sheet('city,high\nAyr,9\nBonn,8\n');
    await s.ok('add_chart', {
      chart_type: 'CHART_CLUSTERED_COLUMN',
      data_range: r4('A1:B3'),
      drawing_id: 'c1',
      title: 'Weather <1>',
    });
    return s;
  };

  test('[S70] SVG by default, of the size the chart has on the sheet, with its texts escaped', async () => {
    const s = await drawn();
    const svg = await s.ok('render_chart', { drawing_id: 'c1' });
    expect(svg).toMatchObject({ content_type: 'image/svg+xml', width: 480, height: 300 });
    expect(svg.content).toMatch(/^<svg /);
    expect(svg.content).toContain('>Weather &lt;1&gt;</text>');
    expect(svg.content).toContain('>Bonn</text>');
  });

  test('[S70] PNG of the size asked for', async () => {
    const s = await drawn();
    const png = await s.ok('render_chart', { drawing_id: 'c1', format: 'png', width: 200, height: 100 });
    expect(png).toMatchObject({ content_type: 'image/png', width: 200, height: 100 });
    const bytes = Buffer.from(png.content as string, 'base64');
    expect([bytes.subarray(1, 4).toString(), bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([
      'PNG',
      200,
      100,
    ]);
  });

  test('[S116] data: what it is drawn from, as JSON', async () => {
    const s = await drawn();
    const { content_type, content } = await s.ok('render_chart', { drawing_id: 'c1', format: 'data' });
    expect(content_type).toBe('application/json');
    expect(JSON.parse(content)).toMatchObject({
      type: 'CHART_CLUSTERED_COLUMN',
      data: { categories: ['Ayr', 'Bonn'], series: [{ name: 'high', values: [9, 8] }] },
      options: { title: { text: 'Weather <1>' } },
    });
  });

  test('[S74] an unknown chart is 310004; a format that is none 310001', async () => {
    const s = await drawn();
    expect(await s.call('render_chart', { drawing_id: 'none' })).toEqual(
      refused(310004, 'drawing_id: there is no chart "none" on this sub-sheet; there are c1'),
    );
    expect(await s.call('render_chart', { drawing_id: 'c1', format: 'jpeg' })).toMatchObject({
      code: 310001,
      data: {},
    });
    expect(await s.call('render_chart', { drawing_id: 'c1', width: 5000 })).toEqual(
      refused(310001, 'width: must be at most 4096 (got 5000)'),
    );
  });
});
