import { expect, test } from 'vitest';
import { onTool, r4, refused, type Sheet, sharedWith, versionOf } from './support.ts';

onTool('set_conditional_format', ({ sheet, server }) => {
  const listed = async (s: Sheet) =>
    (await s.ok('list_objects', { object_types: ['conditional_format'] })).conditional_formats;
  const found = async (s: Sheet) => (await s.ok('get_computed_formats', r4('A1:C9'))).cells;
  const over100 = { kind: 'cell', test: 'greater', values: ['100'], style: { bg_color: 'FFC7CE' } };

  test('a conditional format is added, computed, follows rows and cells, and is removed', async () => {
    const s = await sheet('5\n150\n200\n');
    const { format_id } = await s.ok('set_conditional_format', { ranges: ['A1:A3'], ...over100 });
    expect(await found(s)).toEqual([
      { row: 1, col: 0, bg_color: 'FFFFC7CE' },
      { row: 2, col: 0, bg_color: 'FFFFC7CE' },
    ]);
    await s.ok('insert_dimension', { dimension_type: 'row', index: 1, count: 1 });
    const rule = { format_id, sheet_id: s.sheet_id, ...over100, style: { bg_color: 'FFFFC7CE' } };
    expect(await listed(s)).toEqual([{ ...rule, ranges: ['A1:A4'] }]);
    await s.ok('copy_range', { source: r4('A3'), target: r4('C3') });
    expect((await found(s)).map((one: { col: number }) => one.col)).toEqual([0, 2, 0]);
    await s.ok('delete_object', { object_type: 'conditional_format', object_id: format_id });
    expect(await found(s)).toEqual([]);
  });

  test('with format_id it replaces a rule where it stands; position moves it', async () => {
    const s = await sheet('1\n');
    const add = async (bg_color: string, more: object = {}) =>
      (await s.ok('set_conditional_format', { ranges: ['A1'], kind: 'not_blank', style: { bg_color }, ...more }))
        .format_id as string;
    const [first, second] = [await add('111111'), await add('222222')];
    const color = async () => (await found(s))[0].bg_color;
    expect(await color()).toBe('FF111111');
    expect(await add('333333', { format_id: first })).toBe(first);
    expect(await color()).toBe('FF333333');
    await add('222222', { format_id: second, position: 0 });
    expect(await color()).toBe('FF222222');
    const third = await add('444444', { position: 1 });
    await add('222222', { format_id: second, position: 99 });
    expect((await listed(s)).map((one: { format_id: string }) => one.format_id)).toEqual([third, first, second]);
  });

  test('revert brings a rule back as it was', async () => {
    const s = await sheet('5\n150\n');
    const { format_id } = await s.ok('set_conditional_format', { ranges: ['A1:A2'], ...over100 });
    const [before, made] = [await listed(s), await versionOf(server(), s)];
    await s.ok('set_conditional_format', { format_id, ranges: ['A1'], kind: 'bar', colors: ['#00FF00'] });
    expect(await listed(s)).toEqual([
      {
        format_id,
        sheet_id: s.sheet_id,
        ranges: ['A1'],
        kind: 'bar',
        colors: ['FF00FF00'],
        steps: [{ type: 'min' }, { type: 'max' }],
      },
    ]);
    expect(await s.call('undo_revision', { version: made + 1 })).toEqual(
      refused(310008, `version: revision ${made + 1} did more than change cells; use revert`),
    );
    await s.ok('revert', { version: made });
    expect(await listed(s)).toEqual(before);
    await s.ok('delete_object', { object_type: 'conditional_format', object_id: format_id });
    await s.ok('revert', { version: made });
    expect(await listed(s)).toEqual(before);
    await s.ok('revert', { version: made - 1 });
    expect(await listed(s)).toEqual([]);
  });

  test.each([
    [{ kind: 'cell', values: ['1'] }, /^test: must be one of between, .*less_or_equal with kind cell$/],
    [
      { kind: 'text', test: 'greater', values: ['1'] },
      'test: must be one of contains, not_contains, begins_with, ends_with with kind text',
    ],
    [{ kind: 'cell', test: 'between', values: ['1'] }, 'values: must have 2 entries here (got 1)'],
    [{ kind: 'formula' }, 'values: must have 1 entry here (got 0)'],
    [{ kind: 'date' }, 'period: is required with kind date'],
    [{ kind: 'scale', colors: ['FF0000'] }, 'colors: must have 2 or 3 entries with kind scale (got 1)'],
    [{ kind: 'icons', icons: '3Nonsense' }, /^icons: must be one of 3Arrows, .*5Quarters \(got "3Nonsense"\)$/],
    [{ kind: 'bar', steps: [{ type: 'number' }, { type: 'max' }] }, 'steps[0].value: is required with type number'],
    [{ kind: 'icons', steps: [{ type: 'min' }, { type: 'max' }] }, 'steps: must have 3 entries here (got 2)'],
    [{ kind: 'blank', style: { bg_color: 'red' } }, 'style.bg_color: must be 6 or 8 hexadecimal digits (got "red")'],
    [{ kind: 'blank', ranges: ['nowhere'] }, /^ranges\[0\]: "nowhere" is neither an address nor a heading on Sheet1/],
  ])('what makes no rule is refused: %j', async (rule, msg) => {
    const s = await sheet();
    expect(await s.call('set_conditional_format', { ranges: ['A1'], ...rule })).toEqual({
      code: 310001,
      msg: typeof msg === 'string' ? msg : expect.stringMatching(msg),
      data: {},
    });
    expect(await listed(s)).toEqual([]);
  });

  test('a formula that cannot be read and a rule that is not there are refused', async () => {
    const s = await sheet();
    expect(await s.call('set_conditional_format', { ranges: ['A1'], kind: 'formula', values: ['=SUM('] })).toEqual(
      refused(310009, 'values[0]: A value is expected, not the end of the formula, at character 6'),
    );
    expect(await s.call('set_conditional_format', { ranges: ['A1'], kind: 'blank', format_id: 'none' })).toEqual(
      refused(310004, 'format_id: there is none "none" on this sub-sheet; there are none'),
    );
  });

  test('neither onto nor off cells that somebody else protected', async () => {
    const s = await sheet();
    const other = await sharedWith(server(), s, 'editor');
    const { format_id } = await s.ok('set_conditional_format', { ranges: ['A1:B2'], ...over100 });
    const { protect_range_id } = await s.ok('add_protect_range', {
      range: { start_row: 1, start_col: 1, end_row: 3, end_col: 3 },
    });
    const no = refused(
      310005,
      `Sheet1!B2:C3 is protected (${protect_range_id}); its creator and the document's owner may change it`,
    );
    expect(await s.call('set_conditional_format', { ranges: ['C3'], ...over100 }, other)).toEqual(no);
    expect(await s.call('set_conditional_format', { format_id, ranges: ['A1'], ...over100 }, other)).toEqual(no);
    expect((await s.call('set_conditional_format', { ranges: ['A1'], ...over100 }, other)).code).toBe(0);
  });
});
