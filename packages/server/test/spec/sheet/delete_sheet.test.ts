import { expect, test } from 'vitest';
import { at, nothing, onTool, r4, refused, sheetOf } from './support.ts';

onTool('delete_sheet', ({ call, sheet }) => {
  test('[S43] the sub-sheet goes with all it holds; formulas to it become #REF!', async () => {
    const s = await sheet('5\n');
    const other = sheetOf(call, s.file_id, (await s.ok('add_sheet', { name: 'Other' })).sheet_id);
    await other.ok('set_cell_value', { ...at('A1'), value_type: 'FORMULA', formula: '=Sheet1!A1*2' });
    expect(await other.csv('A1')).toBe('10\n');
    expect(await s.call('delete_sheet')).toEqual(nothing);
    expect((await other.cells('A1'))[0]).toMatchObject({ value_type: 'ERROR', string_value: '#REF!' });
    expect((await other.ok('get_sheet_info')).sheets).toHaveLength(1);
    expect(await s.call('get_cell_data', r4('A1'))).toEqual(
      refused(310003, `sheet_id: there is no sub-sheet "${s.sheet_id}"; there are ${other.sheet_id} (Other)`),
    );
  });

  test('[S43] the last one stays (310008); an unknown one is 310003', async () => {
    const s = await sheet('5\n');
    expect(await s.call('delete_sheet')).toEqual(
      refused(310008, 'sheet_id: a document must keep at least one sub-sheet'),
    );
    expect(await s.call('delete_sheet', { sheet_id: 'none' })).toMatchObject({ code: 310003, data: {} });
    expect(await s.csv('A1')).toBe('5\n');
  });

  test('[S43] its name is free again', async () => {
    const s = await sheet();
    const { sheet_id } = await s.ok('add_sheet', { name: 'Again' });
    await s.ok('delete_sheet', { sheet_id });
    expect(await s.call('add_sheet', { name: 'Again' })).toMatchObject({ code: 0 });
  });
});
