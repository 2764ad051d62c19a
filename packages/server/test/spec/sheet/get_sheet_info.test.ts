import { expect, test } from 'vitest';
import { onTool, refused } from './support.ts';

onTool('get_sheet_info', ({ call, server, sheet }) => {
  test('[S41] the sub-sheets in the order of the tabs, with ids, names, types and sizes; only file_id is needed', async () => {
    const s = await sheet();
    const { sheet_id } = await s.ok('add_sheet', { name: '第二', index: 0 });
    expect(await call('get_sheet_info', { file_id: s.file_id })).toEqual({
      code: 0,
      msg: 'success',
      data: {
        sheets: [
          { sheet_id, sheet_name: '第二', sheet_type: 'worksheet', row_count: 200, col_count: 26 },
          { sheet_id: s.sheet_id, sheet_name: 'Sheet1', sheet_type: 'worksheet', row_count: 200, col_count: 26 },
        ],
      },
    });
  });

  test('[finding T7] the size holds what arrays fill past the grid', async () => {
    const s = await sheet();
    await s.put('B2', '"=SEQUENCE(300,30)"\n');
    const [one] = (await s.ok('get_sheet_info')).sheets;
    expect([one.row_count, one.col_count]).toEqual([301, 31]);
  });

  test('[S15] a new sub-sheet is 200 by 26; its size follows what is written and inserted', async () => {
    const s = await sheet();
    const size = async () => {
      const [one] = (await s.ok('get_sheet_info')).sheets;
      return [one.row_count, one.col_count];
    };
    await s.ok('set_cell_value', { row: 250, col: 2, value_type: 'NUMBER', number_value: 1 });
    expect(await size()).toEqual([251, 26]);
    await s.ok('insert_dimension', { dimension_type: 'col', index: 0, count: 2 });
    await s.ok('delete_dimension', { dimension_type: 'row', index: 0, count: 51 });
    expect(await size()).toEqual([200, 28]);
    await s.ok('get_cell_data', { start_row: 5000, start_col: 0, end_row: 5000, end_col: 0 });
    expect(await size()).toEqual([200, 28]);
  });

  test('[S17][S18] an unknown document is 310002, one of somebody else too; file_url is accepted', async () => {
    const s = await sheet();
    const none = `file_id: there is no document "${s.file_id}"`;
    expect(await call('get_sheet_info', { file_id: s.file_id }, await server().newUser())).toEqual(
      refused(310002, none),
    );
    expect(await call('get_sheet_info', { file_url: `/sheet/${s.file_id}` })).toMatchObject({ code: 0 });
    expect(await call('get_sheet_info', {})).toEqual(refused(310001, 'file_id: is required (or file_url)'));
  });
});
