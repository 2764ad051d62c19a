import { expect, test } from 'vitest';
import { nothing, onTool, r4, refused } from './support.ts';

const table = 'region,item,units\nnorth,pear,1\nsouth,pear,2\nnorth,plum,3\n';

onTool('add_pivot_table', ({ call, sheet, server }) => {
  type Sheet = Awaited<ReturnType<typeof sheet>>;
  const add = (s: Sheet, more: Record<string, unknown> = {}) =>
    call('add_pivot_table', {
      file_id: s.file_id,
      pivot_table_id: 'p1',
      source_sheet_id: s.sheet_id,
      source_range: r4('A1:C4'),
      anchor_sheet_id: s.sheet_id,
      anchor_row: 10,
      anchor_col: 4,
      ...more,
    });
  const detail = async (s: Sheet, pivot_table_id = 'p1') =>
    (await call('get_pivot_table_detail', { file_id: s.file_id, pivot_table_id })).data.pivot_table;

  test('[S75] adds an empty pivot table at its anchor; the name is made when omitted', async () => {
    const s = await sheet(table);
    expect(await add(s)).toEqual(nothing);
    expect(await add(s, { pivot_table_id: 'p2', name: 'Mine', anchor_row: 20 })).toEqual(nothing);
    expect(await detail(s)).toMatchObject({
      pivot_table_name: 'PivotTable1',
      anchor_sheet_id: s.sheet_id,
      anchor_row: 10,
      anchor_col: 4,
      row_group_columns: [],
      column_group_columns: [],
      pivot_values: [],
      filters: [],
    });
    expect(await detail(s, 'p2')).toMatchObject({ pivot_table_name: 'Mine', anchor_row: 20 });
  });

  test('[S75] anchor_row and anchor_col default to 0', async () => {
    const s = await sheet(table);
    const { sheet_id } = await s.ok('add_sheet', {});
    await add(s, { anchor_sheet_id: sheet_id, anchor_row: undefined, anchor_col: undefined });
    expect(await detail(s)).toMatchObject({ anchor_sheet_id: sheet_id, anchor_row: 0, anchor_col: 0 });
  });

  test('[S80] its id and name are unique; a made name finds a free one', async () => {
    const s = await sheet(table);
    await add(s);
    await add(s, { pivot_table_id: 'p2', anchor_row: 20 });
    expect(await add(s, { anchor_row: 30 })).toEqual(refused(310008, 'pivot_table_id: "p1" is already taken'));
    expect(await add(s, { pivot_table_id: 'p3', name: 'PivotTable2', anchor_row: 30 })).toEqual(
      refused(310008, 'name: a pivot table named "PivotTable2" already exists'),
    );
    await s.ok('remove_pivot_table', { pivot_table_id: 'p1' });
    expect(await add(s, { pivot_table_id: 'p3', anchor_row: 30 })).toEqual(nothing);
    expect((await detail(s, 'p3')).pivot_table_name).toBe('PivotTable3');
  });

  test('[S80] it never overwrites data', async () => {
    const s = await sheet(table);
    expect(await add(s, { anchor_row: 2, anchor_col: 2 })).toEqual(
      refused(
        310008,
        'anchor_row: the pivot table would overwrite cells; clear them, or choose a place other than row 2, column 2',
      ),
    );
    expect((await s.ok('get_sheet_object_list')).objects).toEqual([]);
  });

  test('[S81] create_new_sheet puts it on a new sub-sheet, with new_sheet_id or one that is made; anchor_sheet_id is ignored', async () => {
    const s = await sheet(table);
    expect(await add(s, { create_new_sheet: true, new_sheet_id: 'pivot1', anchor_sheet_id: 'none' })).toEqual(nothing);
    expect(await detail(s)).toMatchObject({ anchor_sheet_id: 'pivot1', anchor_row: 10, anchor_col: 4 });
    expect(
      await add(s, { pivot_table_id: 'p2', create_new_sheet: true, anchor_row: undefined, anchor_col: undefined }),
    ).toEqual(nothing);
    const { sheets } = await s.ok('get_sheet_info');
    expect(sheets).toHaveLength(3);
    expect(await detail(s, 'p2')).toMatchObject({ anchor_sheet_id: sheets[2].sheet_id, anchor_row: 0, anchor_col: 0 });
    expect(await add(s, { pivot_table_id: 'p3', create_new_sheet: true, new_sheet_id: 'pivot1' })).toEqual(
      refused(310008, 'new_sheet_id: "pivot1" is already taken'),
    );
    expect((await s.ok('get_sheet_info')).sheets).toHaveLength(3);
  });

  test('[S81] new_sheet_id holds nothing that means something in a range text', async () => {
    const s = await sheet('a,b\n1,2\n');
    for (const id of ['a b', 'a$b', 'a!b', 'a/b', '表']) {
      expect(await add(s, { create_new_sheet: true, new_sheet_id: id })).toEqual(
        refused(310001, `new_sheet_id: must be letters, digits, _ and - only (got ${JSON.stringify(id)})`),
      );
    }
    expect((await s.ok('get_sheet_info')).sheets).toHaveLength(1);
  });

  test('[S81] anchor_sheet_id is required unless create_new_sheet; new_sheet_id counts only with it', async () => {
    const s = await sheet(table);
    expect(await add(s, { anchor_sheet_id: undefined })).toEqual(
      refused(310001, 'anchor_sheet_id: is required unless create_new_sheet is true'),
    );
    expect(await add(s, { create_new_sheet: false, anchor_sheet_id: undefined })).toEqual(
      refused(310001, 'anchor_sheet_id: is required unless create_new_sheet is true'),
    );
    expect(await add(s, { anchor_sheet_id: 'none' })).toMatchObject({ code: 310003, data: {} });
    expect(await add(s, { new_sheet_id: 'unused' })).toEqual(nothing);
    expect((await s.ok('get_sheet_info')).sheets).toHaveLength(1);
  });

  test('[S81] the source: a known sub-sheet, all four fields, headings and at least one row', async () => {
    const s = await sheet(table);
    expect(await add(s, { source_sheet_id: 'none' })).toMatchObject({ code: 310003, data: {} });
    expect(await add(s, { source_range: r4('A1:C1') })).toEqual(
      refused(310001, 'source_range.end_row: the source needs a row of headings and at least one row of data'),
    );
    for (const field of ['start_row', 'start_col', 'end_row', 'end_col'])
      expect(await add(s, { source_range: { ...r4('A1:C4'), [field]: undefined } })).toEqual(
        refused(310001, `source_range.${field}: is required`),
      );
    expect((await s.ok('get_sheet_object_list')).objects).toEqual([]);
  });

  test('[S75] a pivot table goes out in an xlsx file and comes back as one', async () => {
    const s = await sheet(table);
    await add(s);
    await s.ok('update_pivot_table', {
      pivot_table_id: 'p1',
      row_groups: [{ source_data_column: 0 }],
      pivot_values: [{ source_data_column: 2, summarize_function: 'AVERAGE' }],
      filters: [{ source_data_column: 1, visible_values: ['pear'] }],
    });
    const shown = 'region,AVERAGE of units\nnorth,1\nsouth,2\nGrand Total,1.5\n';
    expect(await s.csv('E11:F14')).toBe(shown);
    const file = (await server().call('http', 'manage', 'export_file', { file_id: s.file_id, format: 'xlsx' }))
      .data as { content: string };
    const made = (
      await server().call('http', 'manage', 'import_file', { title: 'Again', format: 'xlsx', content: file.content })
    ).data as { file_id: string; sheets: { sheet_id: string }[] };
    const back = await call('get_pivot_table_detail', { file_id: made.file_id, pivot_table_name: 'PivotTable1' });
    const sheet_id = made.sheets[0]!.sheet_id;
    expect(back.data.pivot_table).toMatchObject({
      anchor_sheet_id: sheet_id,
      anchor_row: 10,
      anchor_col: 4,
      row_group_columns: [0],
      column_group_columns: [],
      source_data_range: { sheet_id, start_row_index: 0, start_col_index: 0, end_row_index: 3, end_col_index: 2 },
      pivot_values: [{ source_data_column: 2, summarize_function: 'AVERAGE' }],
      filters: [{ source_data_column: 1, visible_values: ['pear'] }],
    });
    expect(
      (await call('get_cell_data', { file_id: made.file_id, sheet_id, ...r4('E11:F14'), return_csv: true })).data,
    ).toEqual({ csv_data: shown });
  });
});
