import { expect, test } from 'vitest';
import { at, nothing, onTool, refused, sheetOf } from './support.ts';

onTool('rename_sheet', ({ call, sheet }) => {
  test('[S43] formulas follow the new name', async () => {
    const s = await sheet('5\n');
    const other = sheetOf(call, s.file_id, (await s.ok('add_sheet', { name: 'Other' })).sheet_id);
    await other.ok('set_cell_value', { ...at('A1'), value_type: 'FORMULA', formula: '=Sheet1!A1*2' });
    expect(await s.call('rename_sheet', { name: 'My data' })).toEqual(nothing);
    expect((await other.cells('A1'))[0]).toMatchObject({
      value_type: 'FORMULA',
      number_value: 10,
      formula: "='My data'!A1*2",
    });
    expect((await s.ok('get_sheet_info')).sheets.map((one: any) => one.sheet_name)).toEqual(['My data', 'Other']);
  });

  test('[S42] 31 characters, unique without regard to case, nothing formulas could not say', async () => {
    const s = await sheet();
    await s.ok('add_sheet', { name: 'Other' });
    const rename = (name: string) => s.call('rename_sheet', { name });
    expect(await rename('x'.repeat(31))).toEqual(nothing);
    expect(await rename('x'.repeat(32))).toEqual(refused(310001, 'name: must be at most 31 characters (got 32)'));
    expect(await rename('OTHER')).toEqual(refused(310008, 'name: a sub-sheet named "Other" already exists'));
    expect(await rename('a/b')).toEqual(refused(310001, 'name: must not contain / (got "a/b")'));
    expect(await rename("'a'")).toEqual(refused(310001, `name: must not begin or end with an apostrophe (got "'a'")`));
    expect(await rename('')).toMatchObject({ code: 310001, data: {} });
    expect((await s.ok('get_sheet_info')).sheets[0].sheet_name).toBe('x'.repeat(31));
  });

  test('[S42] its own name, also in other capitals, is no conflict', async () => {
    const s = await sheet();
    expect(await s.call('rename_sheet', { name: 'Sheet1' })).toEqual(nothing);
    expect(await s.call('rename_sheet', { name: 'SHEET1' })).toEqual(nothing);
    expect((await s.ok('get_sheet_info')).sheets[0].sheet_name).toBe('SHEET1');
  });
});
