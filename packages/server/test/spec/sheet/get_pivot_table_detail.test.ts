import { expect, test } from 'vitest';
import { onTool, r4, refused } from './support.ts';

const table = 'region,item,units,profit,revenue\nnorth,pear,1,2,10\nsouth,pear,2,3,10\nnorth,plum,3,4,10\n';

onTool('get_pivot_table_detail', ({ call, sheet }) => {
  const made = async () => {
    const s = await sheet(table);
    await call('add_pivot_table', {
      file_id: s.file_id,
      pivot_table_id: 'p1',
      name: 'Mine',
      source_sheet_id: s.sheet_id,
      source_range: r4('A1:E4'),
      anchor_sheet_id: s.sheet_id,
      anchor_row: 10,
      anchor_col: 1,
    });
    return {
      s,
      detail: (input: Record<string, unknown>) => call('get_pivot_table_detail', { file_id: s.file_id, ...input }),
    };
  };

  test('[S77] the whole configuration, as it was set', async () => {
    const { s, detail } = await made();
    await s.ok('update_pivot_table', {
      pivot_table_id: 'p1',
      row_groups: [{ source_data_column: 0 }],
      column_groups: [{ source_data_column: 1 }],
      pivot_values: [
        { source_data_column: 2, summarize_function: 'counta' },
        { source_data_column: 3, summarize_function: 'Average' },
      ],
      filters: [{ source_data_column: 1, visible_values: ['pear'] }],
      calculated_values: [{ name: 'margin', formula: 'profit/revenue' }],
    });
    expect((await detail({ pivot_table_id: 'p1' })).data).toEqual({
      pivot_table: {
        pivot_table_id: 'p1',
        pivot_table_name: 'Mine',
        anchor_sheet_id: s.sheet_id,
        anchor_row: 10,
        anchor_col: 1,
        row_group_columns: [0],
        column_group_columns: [1],
        source_sheet_id: s.sheet_id,
        source_data_range: {
          sheet_id: s.sheet_id,
          start_row_index: 0,
          start_col_index: 0,
          end_row_index: 3,
          end_col_index: 4,
        },
        pivot_values: [
          { source_data_column: 2, summarize_function: 'COUNT' },
          { source_data_column: 3, summarize_function: 'AVERAGE' },
        ],
        filters: [{ source_data_column: 1, visible_values: ['pear'] }],
        calculated_values: [{ name: 'margin', formula: '=profit/revenue' }],
      },
    });
  });

  test('[S77] a filter without visible_values shows all, and tells all', async () => {
    const { s, detail } = await made();
    await s.ok('update_pivot_table', {
      pivot_table_id: 'p1',
      row_groups: [{ source_data_column: 0 }],
      filters: [{ source_data_column: 1 }, { source_data_column: 0, visible_values: [] }],
    });
    expect((await detail({ pivot_table_id: 'p1' })).data.pivot_table.filters).toEqual([
      { source_data_column: 1, visible_values: ['pear', 'plum'] },
      { source_data_column: 0, visible_values: [] },
    ]);
  });

  test('[S77] by id or by name; the id wins; one of them is needed', async () => {
    const { s, detail } = await made();
    await call('add_pivot_table', {
      file_id: s.file_id,
      pivot_table_id: 'p2',
      name: 'Other',
      source_sheet_id: s.sheet_id,
      source_range: r4('A1:E4'),
      anchor_sheet_id: s.sheet_id,
      anchor_row: 20,
    });
    const id = async (input: Record<string, unknown>) => (await detail(input)).data.pivot_table.pivot_table_id;
    expect([
      await id({ pivot_table_id: 'p2' }),
      await id({ pivot_table_name: 'Mine' }),
      await id({ pivot_table_id: 'p2', pivot_table_name: 'Mine' }),
    ]).toEqual(['p2', 'p1', 'p2']);
    expect(await id({ pivot_table_id: '', pivot_table_name: 'Mine' })).toBe('p1');
    expect(await detail({})).toEqual(refused(310001, 'pivot_table_id: is required (or pivot_table_name)'));
    expect(await detail({ pivot_table_name: 'x' })).toEqual(
      refused(310004, 'pivot_table_name: there is no pivot table named "x"'),
    );
    expect(await detail({ pivot_table_id: 'x', pivot_table_name: 'Mine' })).toEqual(
      refused(310004, 'pivot_table_id: there is no pivot table "x"; there are p1, p2'),
    );
  });

  test('[S40] anchor and source move with their cells', async () => {
    const { s, detail } = await made();
    await s.ok('insert_dimension', { dimension_type: 'row', index: 0, count: 2 });
    expect((await detail({ pivot_table_id: 'p1' })).data.pivot_table).toMatchObject({
      anchor_row: 12,
      source_data_range: { start_row_index: 2, end_row_index: 5 },
    });
  });
});
