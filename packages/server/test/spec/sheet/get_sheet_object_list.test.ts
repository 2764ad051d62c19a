import { expect, test } from 'vitest';
import { png } from '@sheaf/tools/testing/tiny-images.ts';
import { onTool, r4, refused } from './support.ts';

const table = 'region,item,units\nnorth,pear,1\nsouth,pear,2\nnorth,plum,3\n';

onTool('get_sheet_object_list', ({ call, sheet }) => {
  /** One of each kind. */
  const filled = async () => {
    const s = await sheet(table);
    await s.ok('add_chart', {
      chart_type: 'CHART_LINE',
      data_range: r4('A1:C4'),
      drawing_id: 'c1',
      title: 'Yearly Sales',
      location: { row_index: 50, col_index: 0, width: 100, height: 20 },
    });
    await call('add_pivot_table', {
      file_id: s.file_id,
      pivot_table_id: 'p1',
      name: 'By region',
      source_sheet_id: s.sheet_id,
      source_range: r4('A1:C4'),
      anchor_sheet_id: s.sheet_id,
      anchor_row: 10,
      anchor_col: 0,
    });
    await s.ok('update_pivot_table', {
      pivot_table_id: 'p1',
      row_groups: [{ source_data_column: 0 }, { source_data_column: 1 }],
      column_groups: [],
      pivot_values: [{ source_data_column: 2, summarize_function: 'SUM' }],
    });
    await s.ok('set_filter', { ...r4('A1:C4'), filter_id: 'f1' });
    await s.ok('insert_image', { row_index: 20, col_index: 4, content: png });
    return s;
  };

  test('[S85] each kind with its own fields and no others', async () => {
    const s = await filled();
    const on = (range: string) => `${s.sheet_id}$${range}`;
    expect((await s.ok('get_sheet_object_list')).objects).toEqual([
      {
        object_id: 'c1',
        object_type: 'chart',
        name: 'Yearly Sales',
        display_range: on('A51:A51'),
        data_range: on('A1:C4'),
        chart_type: 5,
      },
      {
        object_id: 'p1',
        object_type: 'pivot_table',
        name: 'By region',
        display_range: expect.stringMatching(/\$A11:C1\d$/),
        data_range: on('A1:C4'),
        pivot_row_group_count: 2,
        pivot_column_group_count: 0,
        pivot_value_count: 1,
      },
      {
        object_id: 'f1',
        object_type: 'table',
        name: 'Filter A1',
        display_range: on('A1:C4'),
        data_range: on('A1:C4'),
        table_has_header: true,
        table_column_count: 3,
      },
      {
        object_id: expect.stringMatching(/^image_/),
        object_type: 'float_image',
        name: 'Image 1',
        display_range: on('E21:E21'),
        data_range: '',
        float_image_width: 1,
        float_image_height: 1,
      },
    ]);
  });

  test('[S85] object_types narrows to kinds; an empty list means all; other words are 310001', async () => {
    const s = await filled();
    const kinds = async (object_types?: string[]) =>
      (await s.ok('get_sheet_object_list', { object_types })).objects.map((one: any) => one.object_type);
    expect(await kinds([])).toEqual(['chart', 'pivot_table', 'table', 'float_image']);
    for (const kind of ['chart', 'pivot_table', 'table', 'float_image']) expect(await kinds([kind])).toEqual([kind]);
    expect(await kinds(['table', 'chart'])).toEqual(['chart', 'table']);
    expect(await s.call('get_sheet_object_list', { object_types: ['unknown'] })).toMatchObject({
      code: 310001,
      data: {},
    });
  });

  test('[S85] the four range fields count only with filter_by_range, each by itself', async () => {
    const s = await filled();
    const kinds = async (input: Record<string, unknown>) =>
      (await s.ok('get_sheet_object_list', input)).objects.map((one: any) => one.object_type);
    expect(await kinds({ filter_by_range: true, ...r4('A1:C3') })).toEqual(['table']);
    expect(await kinds({ filter_by_range: true, start_row: 40 })).toEqual(['chart']);
    expect(await kinds({ filter_by_range: true, start_col: 3 })).toEqual(['float_image']);
    expect(await kinds({ filter_by_range: true, end_row: 10 })).toEqual(['pivot_table', 'table']);
    expect(await kinds({ filter_by_range: true })).toEqual(['chart', 'pivot_table', 'table', 'float_image']);
    expect(await kinds({ filter_by_range: false, ...r4('A40:Z60') })).toEqual([
      'chart',
      'pivot_table',
      'table',
      'float_image',
    ]);
    expect(await kinds(r4('A40:Z60'))).toEqual(['chart', 'pivot_table', 'table', 'float_image']);
    expect(
      await s.call('get_sheet_object_list', {
        filter_by_range: true,
        start_row: 5,
        start_col: 0,
        end_row: 2,
        end_col: 3,
      }),
    ).toEqual(refused(310001, 'end_row: must be at least start_row, 5 (got 2)'));
  });

  test('[S85] name_pattern matches a part of the name, any case; empty is no filter', async () => {
    const s = await filled();
    const names = async (name_pattern: string) =>
      (await s.ok('get_sheet_object_list', { name_pattern })).objects.map((one: any) => one.name);
    expect(await names('sales')).toEqual(['Yearly Sales']);
    expect(await names('R')).toEqual(['Yearly Sales', 'By region', 'Filter A1']);
    expect(await names('')).toHaveLength(4);
    expect(await names('none')).toEqual([]);
  });

  test('[S85] objects of other sub-sheets are not told; an unknown one is 310003', async () => {
    const s = await filled();
    const { sheet_id } = await s.ok('add_sheet', {});
    expect(await s.ok('get_sheet_object_list', { sheet_id })).toEqual({ objects: [] });
    expect(await s.call('get_sheet_object_list', { sheet_id: 'none' })).toMatchObject({ code: 310003, data: {} });
  });
});
