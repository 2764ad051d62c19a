import { expect, test } from 'vitest';
import { at, nothing, onTool, refused } from './support.ts';

onTool('update_protect_range', ({ call, server, sheet }) => {
  const range = { start_row: 1, start_col: 1, end_row: 3, end_col: 3 };
  const next = { start_row: 5, start_col: 0, end_row: 6, end_col: 1 };

  test('[S94] replaces the range and answers {}; the sub-sheet need not be named', async () => {
    const s = await sheet();
    const { protect_range_id } = await s.ok('add_protect_range', { range });
    expect(await s.call('update_protect_range', { protect_range_id, range: next })).toEqual(nothing);
    expect(await s.ok('get_protect_ranges')).toEqual({ ranges: [{ protect_range_id, range: next }] });
    expect(await call('update_protect_range', { file_id: s.file_id, protect_range_id, range })).toEqual(nothing);
    expect(
      await call('update_protect_range', { file_url: `/sheet/${s.file_id}`, protect_range_id, range: next }),
    ).toEqual(nothing);
    expect(await s.ok('get_protect_ranges')).toEqual({ ranges: [{ protect_range_id, range: next }] });
  });

  test('[S94] what was protected is free, what is protected now is not', async () => {
    const s = await sheet();
    const other = await server().newUser();
    await server().call('http', 'manage', 'share_file', { file_id: s.file_id, user_id: other.userId, role: 'editor' });
    const { protect_range_id } = await s.ok('add_protect_range', { range });
    await s.ok('update_protect_range', { protect_range_id, range: next });
    const write = async (cell: string) =>
      (await s.call('set_cell_value', { ...at(cell), value_type: 'NUMBER', number_value: 1 }, other)).code;
    expect([await write('B2'), await write('A6'), await write('A7'), await write('B6')]).toEqual([0, 310005, 0, 0]);
  });

  test('[S96] a protected sub-sheet becomes a protected range', async () => {
    const s = await sheet();
    const { protect_range_id } = await s.ok('add_protect_range', { whole_sheet: true });
    await s.ok('update_protect_range', { protect_range_id, range });
    expect(await s.ok('get_protect_ranges')).toEqual({ ranges: [{ protect_range_id, range }] });
  });

  test('[S95] the range is required and well-formed; sheet_id must match if sent; unknown ids are 310004', async () => {
    const s = await sheet();
    const { protect_range_id } = await s.ok('add_protect_range', { range });
    const { sheet_id: other } = await s.ok('add_sheet', {});
    expect(await s.call('update_protect_range', { protect_range_id })).toEqual(refused(310001, 'range: is required'));
    expect(await s.call('update_protect_range', { protect_range_id, range: { ...range, end_row: 0 } })).toMatchObject({
      code: 310001,
      data: {},
    });
    expect(await s.call('update_protect_range', { protect_range_id, range: { ...range, end_row: 1 } })).toEqual(
      refused(310001, 'range.end_row: is exclusive and must be more than start_row, 1 (got 1)'),
    );
    expect(await s.call('update_protect_range', { sheet_id: other, protect_range_id, range })).toEqual(
      refused(310001, `sheet_id: the protected range is on sub-sheet ${s.sheet_id} (got "${other}")`),
    );
    expect(await s.call('update_protect_range', { protect_range_id: 'protect_none', range })).toEqual(
      refused(310004, 'protect_range_id: there is no protected range "protect_none"'),
    );
    expect(await s.ok('get_protect_ranges')).toEqual({ ranges: [{ protect_range_id, range }] });
  });

  test("[S91] only its creator and the document's owner change it", async () => {
    const s = await sheet();
    const [creator, other] = [await server().newUser(), await server().newUser()];
    for (const user of [creator, other])
      await server().call('http', 'manage', 'share_file', { file_id: s.file_id, user_id: user.userId, role: 'editor' });
    const { protect_range_id } = await s.ok('add_protect_range', { range }, creator);
    expect(await s.call('update_protect_range', { protect_range_id, range: next }, other)).toEqual(
      refused(310005, "protect_range_id: only its creator and the document's owner may change this protection"),
    );
    expect(await s.call('update_protect_range', { protect_range_id, range: next }, creator)).toEqual(nothing);
    expect(await s.call('update_protect_range', { protect_range_id, range })).toEqual(nothing);
  });
});
