import { expect, test } from 'vitest';
import { nothing, onTool, r4, refused } from './support.ts';

const table =
  'region,item,units,profit,revenue\nnorth,pear,1,2,10\nsouth,pear,2,3,10\nnorth,plum,3,4,10\nsouth,plum,4,5,10\nnorth,pear,5,6,10\n';
const sumOfUnits = [{ source_data_column: 2, summarize_function: 'SUM' }];

onTool('update_pivot_table', ({ call, sheet }) => {
  const made = async (csv = table) => {
    const s = await sheet(csv);
    await call('add_pivot_table', {
      file_id: s.file_id,
      pivot_table_id: 'p1',
      source_sheet_id: s.sheet_id,
      source_range: r4('A1:E6'),
      anchor_sheet_id: s.sheet_id,
      anchor_row: 10,
    });
    return {
      s,
      update: (input: Record<string, unknown>) => s.call('update_pivot_table', { pivot_table_id: 'p1', ...input }),
      detail: async () =>
        (await call('get_pivot_table_detail', { file_id: s.file_id, pivot_table_id: 'p1' })).data.pivot_table,
    };
  };

  test('[S75] computes into the anchor, and refreshes when its source changes', async () => {
    const { s, update } = await made();
    expect(await update({ row_groups: [{ source_data_column: 0 }], pivot_values: sumOfUnits })).toEqual(nothing);
    const shown = async () => (await s.csv('A11:B15')).split('\n').slice(1, 4);
    expect(await shown()).toEqual(['north,9', 'south,6', expect.stringMatching(/,15$/)]);
    await s.put('C2', '101\n');
    expect(await shown()).toEqual(['north,109', 'south,6', expect.stringMatching(/,115$/)]);
    await s.put('A3', 'west\n');
    expect((await s.csv('A11:B16')).split('\n').slice(1, 5)).toEqual([
      'north,109',
      'south,4',
      'west,2',
      expect.stringMatching(/,115$/),
    ]);
  });

  test('[S76] row and column groups with grand totals of both', async () => {
    const { s, update } = await made();
    await update({
      row_groups: [{ source_data_column: 0 }],
      column_groups: [{ source_data_column: 1 }],
      pivot_values: sumOfUnits,
    });
    const rows = (await s.csv('A11:D16'))
      .trim()
      .split('\n')
      .map((line) => line.split(','));
    const row = (name: string) => rows.find((one) => one[0] === name)!.slice(1, 4);
    expect(rows.some((one) => one.includes('pear') && one.includes('plum'))).toBe(true);
    expect([row('north'), row('south')]).toEqual([
      ['6', '3', '9'],
      ['2', '4', '6'],
    ]);
    expect(rows.filter((one) => one.slice(1, 4).join() === '8,7,15')).toHaveLength(1);
  });

  test('[S77] each call replaces the whole configuration: what is not sent is emptied', async () => {
    const { update, detail } = await made();
    await update({
      row_groups: [{ source_data_column: 0 }],
      column_groups: [{ source_data_column: 1 }],
      pivot_values: sumOfUnits,
      filters: [{ source_data_column: 1, visible_values: ['pear'] }],
      calculated_values: [{ name: 'margin', formula: '=profit/revenue' }],
    });
    await update({ pivot_values: [{ source_data_column: 2, summarize_function: 'VARP' }] });
    expect(await detail()).toMatchObject({
      row_group_columns: [],
      column_group_columns: [],
      filters: [],
      calculated_values: [],
      pivot_values: [{ source_data_column: 2, summarize_function: 'VARP' }],
    });
    await update({});
    expect(await detail()).toMatchObject({ pivot_values: [] });
  });

  test('[S77] filters: only the visible values count; all when omitted, none when empty', async () => {
    const { s, update } = await made();
    const total = async (filter: Record<string, unknown>) => {
      await update({
        row_groups: [{ source_data_column: 0 }],
        pivot_values: sumOfUnits,
        filters: [{ source_data_column: 1, ...filter }],
      });
      return (await s.csv('A11:B15')).split('\n').filter((line) => /^(north|south),/.test(line));
    };
    expect(await total({ visible_values: ['pear'] })).toEqual(['north,6', 'south,2']);
    expect(await total({})).toEqual(['north,9', 'south,6']);
    expect(await total({ visible_values: [] })).toEqual([]);
  });

  test('[S78] every function, without regard to case; COUNTA is COUNT', async () => {
    const { s, update, detail } = await made();
    const values: Record<string, string> = {};
    for (const summarize_function of [
      'SUM',
      'count',
      'CountA',
      'AVERAGE',
      'max',
      'MIN',
      'PRODUCT',
      'COUNTNUMS',
      'STDEV',
      'STDEVP',
      'VAR',
      'varp',
    ]) {
      expect(
        await update({
          row_groups: [{ source_data_column: 1 }],
          pivot_values: [{ source_data_column: 2, summarize_function }],
        }),
        summarize_function,
      ).toEqual(nothing);
      const line = (await s.csv('A11:B16')).split('\n').find((one) => one.startsWith('plum,'))!;
      values[`${summarize_function} ${(await detail()).pivot_values[0].summarize_function}`] = line.split(',')[1]!;
    }
    expect(values).toEqual({
      'SUM SUM': '7',
      'count COUNT': '2',
      'CountA COUNT': '2',
      'AVERAGE AVERAGE': '3.5',
      'max MAX': '4',
      'MIN MIN': '3',
      'PRODUCT PRODUCT': '12',
      'COUNTNUMS COUNTNUMS': '2',
      'STDEV STDEV': '0.7071067811865476',
      'STDEVP STDEVP': '0.5',
      'VAR VAR': '0.5',
      'varp VARP': '0.25',
    });
  });

  test('[S78] COUNT counts what is not empty, COUNTNUMS only numbers', async () => {
    const { s, update } = await made(table.replace('north,plum,3', 'north,plum,many'));
    const plum = async (summarize_function: string) => {
      await update({
        row_groups: [{ source_data_column: 1 }],
        pivot_values: [{ source_data_column: 2, summarize_function }],
      });
      return (await s.csv('A11:B16')).split('\n').find((one) => one.startsWith('plum,'));
    };
    expect([await plum('COUNT'), await plum('COUNTNUMS'), await plum('SUM')]).toEqual(['plum,2', 'plum,1', 'plum,4']);
  });

  test('[S78] wrong functions and columns, and empty names, are 310001; nothing changes', async () => {
    const { update, detail } = await made();
    await update({ pivot_values: sumOfUnits });
    expect(await update({ pivot_values: [{ source_data_column: 2, summarize_function: 'MEDIAN' }] })).toEqual(
      refused(
        310001,
        'pivot_values[0].summarize_function: must be one of SUM, COUNT, AVERAGE, MAX, MIN, PRODUCT, COUNTNUMS, STDEV, STDEVP, VAR, VARP (got "MEDIAN")',
      ),
    );
    expect(await update({ pivot_values: [{ source_data_column: 2 }] })).toEqual(
      refused(310001, 'pivot_values[0].summarize_function: is required'),
    );
    for (const kind of ['row_groups', 'column_groups', 'filters'])
      expect(await update({ [kind]: [{ source_data_column: 5 }] })).toEqual(
        refused(310001, `${kind}[0].source_data_column: must be at most 4, the last column of the source (got 5)`),
      );
    expect(await update({ row_groups: [{}] })).toEqual(
      refused(310001, 'row_groups[0].source_data_column: is required'),
    );
    expect(await update({ calculated_values: [{ name: '', formula: '=1' }] })).toMatchObject({
      code: 310001,
      data: {},
    });
    expect(await update({ calculated_values: [{ name: 'x', formula: '' }] })).toMatchObject({ code: 310001, data: {} });
    expect(await detail()).toMatchObject({ pivot_values: [{ source_data_column: 2, summarize_function: 'SUM' }] });
  });

  test('[S79] calculated_values are formulas over field names', async () => {
    const { s, update } = await made();
    await update({
      row_groups: [{ source_data_column: 0 }],
      calculated_values: [{ name: 'margin', formula: 'profit/revenue' }],
    });
    const lines = (await s.csv('A11:B14')).split('\n');
    expect(lines[0]).toContain('margin');
    expect(lines.filter((one) => /^(north|south),/.test(one))).toEqual(['north,0.4', 'south,0.4']);
    expect(await update({ calculated_values: [{ name: 'x', formula: '=profit+' }] })).toMatchObject({
      code: 310009,
      msg: expect.stringMatching(/^calculated_values\[0\]\.formula: /),
      data: {},
    });
  });

  test('[S80] it never overwrites data', async () => {
    const { s, update, detail } = await made();
    await s.put('A13', 'mine\n');
    const before = await s.csv('A1:F20');
    expect(await update({ row_groups: [{ source_data_column: 0 }], pivot_values: sumOfUnits })).toMatchObject({
      code: 310008,
      data: {},
    });
    expect(await s.csv('A1:F20')).toBe(before);
    expect(await detail()).toMatchObject({ row_group_columns: [] });
  });

  test('[S82] an unknown pivot table, or one of another sub-sheet, is 310004', async () => {
    const { s } = await made();
    const { sheet_id } = await s.ok('add_sheet', {});
    expect(await s.call('update_pivot_table', { pivot_table_id: 'x' })).toEqual(
      refused(310004, 'pivot_table_id: there is no pivot table "x"; there are p1'),
    );
    expect(await s.call('update_pivot_table', { sheet_id, pivot_table_id: 'p1' })).toEqual(
      refused(310004, `pivot_table_id: "p1" is on sub-sheet ${s.sheet_id}, not on ${sheet_id}`),
    );
  });

  test('[S75] GETPIVOTDATA reads the table by value and items, and follows it', async () => {
    const s = await sheet('region,item,units\nnorth,pear,1\nsouth,pear,2\nnorth,plum,3\nsouth,7,4\n');
    await s.ok('add_pivot_table', {
      pivot_table_id: 'p',
      source_sheet_id: s.sheet_id,
      source_range: r4('A1:C5'),
      anchor_sheet_id: s.sheet_id,
      anchor_row: 0,
      anchor_col: 5,
    });
    const groups = { row_groups: [{ source_data_column: 0 }], column_groups: [{ source_data_column: 1 }] };
    const set = (more: Record<string, unknown>) => s.ok('update_pivot_table', { pivot_table_id: 'p', ...more });
    await set({ ...groups, pivot_values: [{ source_data_column: 2, summarize_function: 'SUM' }] });
    expect(await s.csv('F1:J4')).toBe(
      'region,7,pear,plum,Grand Total\nnorth,,1,3,4\nsouth,4,2,,6\nGrand Total,4,3,3,10\n',
    );
    await s.put(
      'A10',
      [
        '"=GETPIVOTDATA(""units"",F1)"',
        '"=GETPIVOTDATA(""SUM of units"",$G$2,""region"",""South"")"',
        '"=GETPIVOTDATA(""units"",F1,""item"",""pear"")"',
        '"=GETPIVOTDATA(""units"",F1,""item"",7,""region"",""south"")"',
        '"=GETPIVOTDATA(""units"",F1,""region"",""west"")"',
        '"=GETPIVOTDATA(""price"",F1)"',
        '"=GETPIVOTDATA(""units"",E9)"',
        '"=GETPIVOTDATA(""units"",F1,""region"")"',
      ].join('\n'),
    );
    expect(await s.csv('A10:A17')).toBe('10\n6\n3\n4\n#REF!\n#REF!\n#REF!\n#REF!\n');
    await s.put('C2', '100');
    expect(await s.csv('A10:A13')).toBe('109\n6\n102\n4\n');
    await set({
      ...groups,
      pivot_values: [
        { source_data_column: 2, summarize_function: 'COUNT' },
        { source_data_column: 2, summarize_function: 'MAX' },
      ],
    });
    await s.put(
      'B10',
      '"=GETPIVOTDATA(""max of units"",F1,""region"",""north"",""item"",""plum"")"\n"=GETPIVOTDATA(""count of units"",F1,""region"",""north"")"\n',
    );
    expect(await s.csv('B10:B11')).toBe('3\n2\n');
    await set({
      row_groups: [{ source_data_column: 0 }, { source_data_column: 1 }],
      pivot_values: [{ source_data_column: 2, summarize_function: 'SUM' }],
    });
    // A subtotal the table does not show is not there.
    expect(await s.csv('A10:A13')).toBe('109\n#REF!\n#REF!\n4\n');
    expect((await s.ok('validate_file_data')).is_valid).toBe(true);
    await s.ok('remove_pivot_table', { pivot_table_id: 'p' });
    expect(await s.csv('A10')).toBe('#REF!\n');
  });
});
