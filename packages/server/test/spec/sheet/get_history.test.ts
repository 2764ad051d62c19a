import { expect, test } from 'vitest';
import { at, onTool, r4, refused } from './support.ts';

onTool('get_history', ({ call, server, sheet }) => {
  test('[S108] newest first, paged, with who, what and when', async () => {
    const s = await sheet('1\n');
    await s.put('A1', '2\n');
    const history = async (input: Record<string, unknown>) =>
      (await call('get_history', { file_id: s.file_id, ...input })).data;
    const first = await history({ limit: 2 });
    expect(first.revisions.map((one: any) => [one.version, one.tool, one.user_id])).toEqual([
      [3, 'set_range_value_by_csv', server().owner.userId],
      [2, 'set_range_value_by_csv', server().owner.userId],
    ]);
    expect(first).toMatchObject({ is_end: false });
    const second = await history({ limit: 2, cursor: first.next_cursor });
    expect(second).toEqual({
      revisions: [
        {
          version: 1,
          tool: 'create_file',
          user_id: server().owner.userId,
          user_name: expect.stringMatching(/./),
          key_id: '',
          at: expect.any(Number),
          time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        },
      ],
      next_cursor: '',
      is_end: true,
    });
    expect((await history({})).revisions).toHaveLength(3);
    expect(await call('get_history', { file_id: s.file_id, cursor: 'x' })).toEqual(
      refused(310001, 'cursor: must be a next_cursor from a previous page (got "x")'),
    );
  });

  test('[S108][finding P8] with cells: what stood there and what was written, as typed', async () => {
    const s = await sheet('k,v\na,1\n');
    const cells = async () =>
      (await call('get_history', { file_id: s.file_id, limit: 1, cells: 5 })).data.revisions[0].cells?.map(
        (one: any) => `${one.address}: ${one.before} → ${one.after}`,
      );
    await s.put('B2', '2\n3\n');
    expect(await cells()).toEqual(['B2: 1 → 2', 'B3:  → 3']);
    await s.ok('set_range_value', {
      values: [
        { ...at('B2'), value_type: 'FORMULA', formula: '=B3*2' },
        { ...at('A1'), value_type: 'BOOL', bool_value: true },
      ],
    });
    expect((await cells()).toSorted()).toEqual(['A1: k → TRUE', 'B2: 2 → =B3*2']);
    await s.ok('clear_range_cells', r4('A1:B2'));
    expect((await cells()).toSorted()).toEqual(['A1: TRUE → ', 'A2: a → ', 'B1: v → ', 'B2: =B3*2 → ']);
    await s.ok('set_freeze', { row_count: 1, col_count: 0 });
    expect(await cells()).toBeUndefined();
    await s.put('A1', `${'x'.repeat(10_000)}\n`);
    expect(await cells()).toBeUndefined();
    expect((await call('get_history', { file_id: s.file_id, limit: 3 })).data.revisions[2]).not.toHaveProperty('cells');
  });

  test('[S108] the range that each revision worked on', async () => {
    const s = await sheet('k,v\na,1\nb,2\n');
    await s.ok('set_range_value', {
      values: [
        { ...at('C3'), value_type: 'NUMBER', number_value: 1 },
        { ...at('E9'), value_type: 'FORMULA', formula: '=C3' },
      ],
    });
    await s.ok('insert_dimension', { dimension_type: 'row', index: 1, count: 2 });
    await s.ok('sort_range', { ...r4('A1:B5'), columns: [{ col: 0, order: 1 }] });
    await s.ok('add_chart', {
      chart_type: 'CHART_LINE',
      data_range: r4('A1:B3'),
      drawing_id: 'c1',
      location: { row_index: 4, col_index: 3 },
    });
    await s.ok('set_freeze', { row_count: 1, col_count: 0 });
    const { revisions } = (await call('get_history', { file_id: s.file_id, limit: 6 })).data;
    expect(revisions.map((one: any) => [one.tool, one.range?.replace(s.sheet_id, '')])).toEqual([
      ['set_freeze', undefined],
      ['add_chart', '$D5:D5'],
      ['sort_range', '$A1:B5'],
      ['insert_dimension', '$A2:Z3'],
      ['set_range_value', '$C3:E9'],
      ['set_range_value_by_csv', '$A1:B3'],
    ]);
  });

  test('[S108] a revert tells the version it went back to; what changes nothing is no revision', async () => {
    const s = await sheet('1\n');
    await s.put('A1', '2\n');
    await s.ok('unset_freeze');
    await s.ok('revert', { version: 2 });
    expect((await s.ok('get_history', { limit: 1 })).revisions[0]).toMatchObject({
      version: 4,
      tool: 'revert',
      reverted_to: 2,
    });
  });

  test('[S128] a viewer may read it, a stranger sees no document', async () => {
    const s = await sheet('1\n');
    const user = await server().newUser();
    expect(await call('get_history', { file_id: s.file_id }, user)).toEqual(
      refused(310002, `file_id: there is no document "${s.file_id}"`),
    );
    await server().call('http', 'manage', 'share_file', { file_id: s.file_id, user_id: user.userId, role: 'viewer' });
    expect(await call('get_history', { file_id: s.file_id }, user)).toMatchObject({ code: 0 });
  });
});
