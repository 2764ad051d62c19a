import { expect, test } from 'vitest';
import { onTool, refused } from './support.ts';

onTool('add_sheet', ({ call, sheet }) => {
  const names = async (file_id: string) =>
    (await call('get_sheet_info', { file_id })).data.sheets.map((one: any) => one.sheet_name);

  test('[S41] appends with a free name and answers with the sheet_id', async () => {
    const s = await sheet();
    const answer = await call('add_sheet', { file_id: s.file_id });
    expect(answer).toEqual({ code: 0, msg: 'success', data: { sheet_id: expect.stringMatching(/^[A-Za-z0-9_-]+$/) } });
    expect((await call('get_sheet_info', { file_id: s.file_id })).data.sheets[1]).toEqual({
      sheet_id: answer.data.sheet_id,
      sheet_name: 'Sheet2',
      sheet_type: 'worksheet',
      row_count: 200,
      col_count: 26,
    });
    await call('add_sheet', { file_id: s.file_id, name: '' });
    expect(await names(s.file_id)).toEqual(['Sheet1', 'Sheet2', 'Sheet3']);
  });

  test('[S41] index is its place; append_index ignores it; neither means the end', async () => {
    const s = await sheet();
    await call('add_sheet', { file_id: s.file_id, name: 'First', index: 0 });
    await call('add_sheet', { file_id: s.file_id, name: 'Appended', index: 0, append_index: true });
    await call('add_sheet', { file_id: s.file_id, name: 'Second', index: 1, append_index: false });
    await call('add_sheet', { file_id: s.file_id, name: 'Last' });
    expect(await names(s.file_id)).toEqual(['First', 'Second', 'Sheet1', 'Appended', 'Last']);
    expect(await call('add_sheet', { file_id: s.file_id, index: 6 })).toEqual(
      refused(310001, 'index: must be at most 5, the number of sub-sheets (got 6)'),
    );
    expect(await call('add_sheet', { file_id: s.file_id, index: 99, append_index: true })).toMatchObject({ code: 0 });
  });

  test('[S42] names: 31 characters, unique without regard to case', async () => {
    const s = await sheet();
    const add = (name: string) => call('add_sheet', { file_id: s.file_id, name });
    expect(await add('字'.repeat(31))).toMatchObject({ code: 0 });
    expect(await add('😀'.repeat(31))).toMatchObject({ code: 0 });
    expect(await add('字'.repeat(32))).toEqual(refused(310001, 'name: must be at most 31 characters (got 32)'));
    expect(await add('sheet1')).toEqual(refused(310008, 'name: a sub-sheet named "Sheet1" already exists'));
    expect(await names(s.file_id)).toHaveLength(3);
  });

  test('[S42] names hold nothing that formulas could not say', async () => {
    const s = await sheet();
    const add = (name: string) => call('add_sheet', { file_id: s.file_id, name });
    for (const sign of [':', '\\', '/', '?', '*', '[', ']'])
      expect(await add(`a${sign}b`), sign).toEqual(
        refused(310001, `name: must not contain ${sign} (got ${JSON.stringify(`a${sign}b`)})`),
      );
    for (const name of ["'a", "a'"])
      expect(await add(name), name).toEqual(
        refused(310001, `name: must not begin or end with an apostrophe (got "${name}")`),
      );
    expect(await add(' ')).toEqual(refused(310001, 'name: must not be empty'));
    expect(await add("it's 50% & more!")).toMatchObject({ code: 0 });
    expect(await names(s.file_id)).toEqual(['Sheet1', "it's 50% & more!"]);
  });
});
