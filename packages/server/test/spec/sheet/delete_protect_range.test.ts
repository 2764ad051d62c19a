import { expect, test } from 'vitest';
import { at, nothing, onTool, refused } from './support.ts';

onTool('delete_protect_range', ({ call, server, sheet }) => {
  const range = { start_row: 1, start_col: 1, end_row: 3, end_col: 3 };

  test('[S91] the cells are free again, for every editor; the answer is {}', async () => {
    const s = await sheet();
    const other = await server().newUser();
    await server().call('http', 'manage', 'share_file', { file_id: s.file_id, user_id: other.userId, role: 'editor' });
    const { protect_range_id } = await s.ok('add_protect_range', { range });
    const write = async () =>
      (await s.call('set_cell_value', { ...at('B2'), value_type: 'NUMBER', number_value: 1 }, other)).code;
    expect(await write()).toBe(310005);
    expect(await s.call('delete_protect_range', { protect_range_id }, other)).toEqual(
      refused(310005, "protect_range_id: only its creator and the document's owner may change this protection"),
    );
    expect(await s.call('delete_protect_range', { protect_range_id })).toEqual(nothing);
    expect(await write()).toBe(0);
    expect(await s.ok('get_protect_ranges')).toEqual({ ranges: [] });
  });

  test('[S95] sheet_id is optional and must match; file_url is accepted; what is gone is 310004', async () => {
    const s = await sheet();
    const one = (await s.ok('add_protect_range', { range })).protect_range_id;
    const two = (await s.ok('add_protect_range', { whole_sheet: true })).protect_range_id;
    expect(await s.call('delete_protect_range', { sheet_id: 'other', protect_range_id: one })).toEqual(
      refused(310001, `sheet_id: the protected range is on sub-sheet ${s.sheet_id} (got "other")`),
    );
    expect(await call('delete_protect_range', { file_id: s.file_id, protect_range_id: one })).toEqual(nothing);
    expect(await call('delete_protect_range', { file_url: `/sheet/${s.file_id}`, protect_range_id: two })).toEqual(
      nothing,
    );
    expect(await s.call('delete_protect_range', { protect_range_id: one })).toEqual(
      refused(310004, `protect_range_id: there is no protected range "${one}"`),
    );
  });
});
