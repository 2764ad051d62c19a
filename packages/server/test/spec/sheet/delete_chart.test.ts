import { expect, test } from 'vitest';
import { nothing, onTool, r4, refused } from './support.ts';

onTool('delete_chart', ({ sheet }) => {
  test('[S74] the chart goes, its data stays; an unknown one is 310004', async () => {
    const s = await sheet('1\n2\n');
    for (const drawing_id of ['a', 'b'])
      await s.ok('add_chart', { chart_type: 'CHART_LINE', data_range: r4('A1:A2'), drawing_id });
    expect(await s.call('delete_chart', { drawing_id: 'a' })).toEqual(nothing);
    expect((await s.ok('get_charts')).charts.map((one: any) => one.drawing_id)).toEqual(['b']);
    expect(await s.csv('A1:A2')).toBe('1\n2\n');
    expect(await s.call('delete_chart', { drawing_id: 'a' })).toEqual(
      refused(310004, 'drawing_id: there is no chart "a" on this sub-sheet; there are b'),
    );
  });

  test('[S74] a chart of another sub-sheet is not found; its id is free afterward', async () => {
    const s = await sheet('1\n2\n');
    await s.ok('add_chart', { chart_type: 'CHART_LINE', data_range: r4('A1:A2'), drawing_id: 'a' });
    const { sheet_id } = await s.ok('add_sheet', {});
    expect(await s.call('delete_chart', { sheet_id, drawing_id: 'a' })).toEqual(
      refused(310004, 'drawing_id: there is no chart "a" on this sub-sheet; there are none'),
    );
    await s.ok('delete_chart', { drawing_id: 'a' });
    expect(await s.call('add_chart', { chart_type: 'CHART_PIE', data_range: r4('A1:A2'), drawing_id: 'a' })).toEqual(
      nothing,
    );
  });
});
