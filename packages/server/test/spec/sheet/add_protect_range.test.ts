import { expect, test } from 'vitest';
import { at, onTool, refused } from './support.ts';

onTool('add_protect_range', ({ call, server, sheet }) => {
  const range = { start_row: 1, start_col: 1, end_row: 3, end_col: 3 };

  test('[S95] protects a range and answers with its id', async () => {
    const s = await sheet();
    const answer = await s.ok('add_protect_range', { range });
    expect(answer).toEqual({ protect_range_id: expect.stringMatching(/^protect_/) });
    expect(await s.ok('get_protect_ranges')).toEqual({
      ranges: [{ protect_range_id: answer.protect_range_id, range }],
    });
    expect((await s.ok('add_protect_range', { range, whole_sheet: false })).protect_range_id).not.toBe(
      answer.protect_range_id,
    );
  });

  test('[S95] whole_sheet protects all of the sub-sheet', async () => {
    const s = await sheet();
    const { protect_range_id } = await s.ok('add_protect_range', { whole_sheet: true });
    expect(await s.ok('get_protect_ranges')).toEqual({
      ranges: [{ protect_range_id, range: { start_row: 0, start_col: 0, end_row: 200, end_col: 26 } }],
    });
  });

  test('[S95] exactly one of range and whole_sheet', async () => {
    const s = await sheet();
    expect(await s.call('add_protect_range', {})).toEqual(
      refused(310001, 'range: is required unless whole_sheet is true'),
    );
    expect(await s.call('add_protect_range', { whole_sheet: false })).toEqual(
      refused(310001, 'range: is required unless whole_sheet is true'),
    );
    expect(await s.call('add_protect_range', { whole_sheet: true, range })).toEqual(
      refused(310001, 'range: must not be sent when whole_sheet is true'),
    );
    expect(await s.ok('get_protect_ranges')).toEqual({ ranges: [] });
  });

  test('[S94] ends are exclusive: more than their starts, at most the largest grid', async () => {
    const s = await sheet();
    expect(await s.call('add_protect_range', { range: { ...range, end_row: 1 } })).toEqual(
      refused(310001, 'range.end_row: is exclusive and must be more than start_row, 1 (got 1)'),
    );
    expect(await s.call('add_protect_range', { range: { ...range, end_col: 1 } })).toEqual(
      refused(310001, 'range.end_col: is exclusive and must be more than start_col, 1 (got 1)'),
    );
    expect(
      await s.call('add_protect_range', { range: { ...range, end_row: 1_048_576, end_col: 16_384 } }),
    ).toMatchObject({ code: 0 });
    expect(await s.call('add_protect_range', { range: { ...range, end_row: 1_048_577 } })).toEqual(
      refused(310001, 'range.end_row: must be at most 1048576 (got 1048577)'),
    );
    expect(await s.call('add_protect_range', { range: { start_row: 0, start_col: 0, end_row: 1 } })).toEqual(
      refused(310001, 'range.end_col: is required'),
    );
  });

  test("[S91] from then on only its creator and the document's owner write there", async () => {
    const s = await sheet();
    const [creator, other] = [await server().newUser(), await server().newUser()];
    for (const user of [creator, other])
      await server().call('http', 'manage', 'share_file', { file_id: s.file_id, user_id: user.userId, role: 'editor' });
    const { protect_range_id } = await s.ok('add_protect_range', { range }, creator);
    const write = (cell: string, as = other) =>
      s.call('set_cell_value', { ...at(cell), value_type: 'NUMBER', number_value: 1 }, as);
    expect(await write('B2')).toEqual(
      refused(
        310005,
        `Sheet1!B2:C3 is protected (${protect_range_id}); its creator and the document's owner may change it`,
      ),
    );
    expect([
      (await write('D4')).code,
      (await write('B2', creator)).code,
      (await write('B2', server().owner)).code,
    ]).toEqual([0, 0, 0]);
  });

  test('[S18] takes file_url in place of file_id; one of the two is needed', async () => {
    const s = await sheet();
    expect(
      await call('add_protect_range', {
        file_url: `https://example.com/sheet/${s.file_id}`,
        sheet_id: s.sheet_id,
        range,
      }),
    ).toMatchObject({ code: 0 });
    expect(await call('add_protect_range', { sheet_id: s.sheet_id, range })).toEqual(
      refused(310001, 'file_id: is required (or file_url)'),
    );
    expect(await s.call('add_protect_range', { sheet_id: 'none', range })).toMatchObject({ code: 310003, data: {} });
  });
});
