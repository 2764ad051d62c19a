import { expect, test } from 'vitest';
import { onTool, r4, refused } from './support.ts';

onTool('revert', ({ call, server, sheet }) => {
  test('[S109] the state of an earlier version as a new revision, and back again', { timeout: 60_000 }, async () => {
    const s = await sheet('k,v\na,1\nb,2\nc,=SUM(B2:B3)\n');
    const states: [number, string, string][] = [];
    const keep = async () => {
      const { data } = await server().call('http', 'manage', 'query_file_info', { file_id: s.file_id });
      const { sheets } = await s.ok('get_sheet_info');
      states.push([
        data.file.version,
        await s.csv('A1:F12'),
        JSON.stringify([
          sheets,
          await s.ok('get_sheet_object_list'),
          await s.ok('get_merged_cells', r4('A1:Z50')),
          await s.ok('get_cell_style', r4('A1:F12')),
        ]),
      ]);
    };
    await keep();
    for (const [tool, input] of [
      ['set_cell_style', { ...r4('A1:B2'), format: { font_size: 18, bg_color: 'FF0000' } }],
      ['insert_dimension', { dimension_type: 'row', index: 2, count: 2 }],
      ['add_chart', { chart_type: 'CHART_PIE', data_range: r4('A1:B3'), drawing_id: 'c' }],
      ['sort_range', { ...r4('A2:B6'), columns: [{ col: 0 }] }],
      ['set_filter', { ...r4('A1:B6'), filter_id: 'f' }],
      ['update_filter', { columns: [{ col: 0, visible_values: ['a'] }] }],
      ['merge_cell', r4('D1:E1')],
      ['delete_dimension', { dimension_type: 'col', index: 1, count: 1 }],
      ['move_dimension', { dimension_type: 'row', index: 0, count: 1, to: 4 }],
      ['clear_range_all', r4('A1:F12')],
      ['add_sheet', { name: 'More' }],
      [
        'add_pivot_table',
        {
          pivot_table_id: 'p',
          source_sheet_id: s.sheet_id,
          source_range: r4('A1:B4'),
          create_new_sheet: true,
          new_sheet_id: 'piv',
        },
      ],
      ['rename_sheet', { name: 'Renamed' }],
    ] as const) {
      await s.ok(tool, input);
      await keep();
    }
    for (const [version, csv, rest] of states.toReversed()) {
      expect(await s.call('revert', { version })).toMatchObject({ code: 0 });
      const { sheets } = await s.ok('get_sheet_info');
      expect([version, await s.csv('A1:F12')]).toEqual([version, csv]);
      expect(
        JSON.stringify([
          sheets,
          await s.ok('get_sheet_object_list'),
          await s.ok('get_merged_cells', r4('A1:Z50')),
          await s.ok('get_cell_style', r4('A1:F12')),
        ]),
      ).toBe(rest);
    }
    const [last] = states.slice(-1);
    await s.ok('revert', { version: last![0] });
    expect(await s.csv('A1:F12')).toBe(last![1]);
    expect(await call('validate_file_data', { file_id: s.file_id })).toMatchObject({ data: { is_valid: true } });
    expect(await s.call('revert', { version: 999 })).toMatchObject({ code: 310004 });
    expect((await call('get_history', { file_id: s.file_id, limit: 1 })).data.revisions[0]).toMatchObject({
      tool: 'revert',
      reverted_to: last![0],
    });
  });

  test('[S109] only versions there are; an editor may, a viewer may not', async () => {
    const s = await sheet('1\n');
    await s.put('A1', '2\n');
    const user = await server().newUser();
    const share = (role: string) =>
      server().call('http', 'manage', 'share_file', { file_id: s.file_id, user_id: user.userId, role });
    expect(await call('revert', { file_id: s.file_id, version: 4 })).toEqual(
      refused(310004, 'version: the latest version is 3 (got 4)'),
    );
    expect(await call('revert', { file_id: s.file_id })).toEqual(refused(310001, 'version: is required'));
    await share('viewer');
    expect(await call('revert', { file_id: s.file_id, version: 2 }, user)).toMatchObject({ code: 310007, data: {} });
    await share('editor');
    expect(await call('revert', { file_id: s.file_id, version: 2 }, user)).toMatchObject({
      code: 0,
      data: { undone_count: expect.any(Number) as number },
    });
    expect(await s.csv('A1')).toBe('1\n');
  });
});
