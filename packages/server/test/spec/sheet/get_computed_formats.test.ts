import { expect, test } from 'vitest';
import { onTool, r4, refused, type Sheet, sharedWith } from './support.ts';

onTool('get_computed_formats', ({ sheet, server }) => {
  const found = async (s: Sheet, range = 'A1:E9') => (await s.ok('get_computed_formats', r4(range))).cells;
  const rule = (s: Sheet, ranges: string[], more: object) => s.ok('set_conditional_format', { ranges, ...more });

  test('tells the cells of the region that a rule finds, row by row, as values change', async () => {
    const s = await sheet('1,x\n5,\n9,=A1\n');
    await rule(s, ['A1:B3'], { kind: 'cell', test: 'greater', values: ['4'], style: { bold: true } });
    await rule(s, ['B1:B3'], { kind: 'blank', style: { bg_color: 'FF0000', underline: true } });
    expect(await found(s)).toEqual([
      { row: 0, col: 1, bold: true },
      { row: 1, col: 0, bold: true },
      { row: 1, col: 1, bg_color: 'FFFF0000', underline: true },
      { row: 2, col: 0, bold: true },
    ]);
    expect(await found(s, 'A3:A9')).toEqual([{ row: 2, col: 0, bold: true }]);
    await s.put('A1', '7\n');
    expect(await found(s, 'A1:A1')).toEqual([{ row: 0, col: 0, bold: true }]);
    expect(await found(s, 'B3:B3')).toEqual([{ row: 2, col: 1, bold: true }]);
  });

  test('[finding G3] takes an address; without one the four numbers, and says what is missing', async () => {
    const s = await sheet('1\n5\n');
    await rule(s, ['A1:A9'], { kind: 'cell', test: 'greater', values: ['4'], style: { bold: true } });
    for (const range of ['A2', 'Sheet1!A1:B9', 'Sheet1', 'A:A'])
      expect((await s.ok('get_computed_formats', { sheet_id: undefined, range })).cells).toEqual([
        { row: 1, col: 0, bold: true },
      ]);
    expect(await s.call('get_computed_formats', { start_row: 0 })).toEqual(
      refused(310001, 'range: is required, e.g. "Sheet1!A1:D9"'),
    );
  });

  test('rules hold in their order: the first says a property, stop_if_true ends the search', async () => {
    const s = await sheet('1\n2\n');
    await rule(s, ['A2'], { kind: 'not_blank', stop_if_true: true, style: { italic: true } });
    await rule(s, ['A1:A2'], { kind: 'not_blank', style: { bg_color: '111111' } });
    await rule(s, ['A1:A2'], { kind: 'not_blank', style: { bg_color: '222222', font_color: '333333' } });
    expect(await found(s)).toEqual([
      { row: 0, col: 0, bg_color: 'FF111111', font_color: 'FF333333' },
      { row: 1, col: 0, italic: true },
    ]);
  });

  test('cells without effect are omitted, also those that a rule without a look finds', async () => {
    const s = await sheet('1\n2\n');
    await rule(s, ['A1'], { kind: 'not_blank', stop_if_true: true });
    await rule(s, ['A1:A2'], { kind: 'not_blank', style: { bold: true } });
    expect(await found(s)).toEqual([{ row: 1, col: 0, bold: true }]);
  });

  test('scales, bars and icons: colors, shares and steps', async () => {
    const s = await sheet('0,0,0\n5,5,5\n10,10,10\n');
    await rule(s, ['A1:A3'], { kind: 'scale', colors: ['000000', 'FFFFFF'] });
    await rule(s, ['B1:B3'], {
      kind: 'bar',
      colors: ['00FF00'],
      steps: [
        { type: 'number', value: 0 },
        { type: 'number', value: 20 },
      ],
      hide_value: true,
    });
    await rule(s, ['C1:C3'], { kind: 'icons', icons: '3Arrows' });
    const cells = await found(s);
    const column = (col: number) => cells.filter((one: { col: number }) => one.col === col);
    expect(column(0)).toMatchObject([{ bg_color: 'FF000000' }, { row: 1 }, { bg_color: 'FFFFFFFF' }]);
    expect(column(0)[1].bg_color).toMatch(/^FF(7F|80)\1\1$/);
    expect(column(2)).toEqual([0, 1, 2].map((row) => ({ row, col: 2, icon_set: '3Arrows', icon: row })));
    expect(column(1).slice(1)).toEqual([
      { row: 1, col: 1, bar: 0.25, bar_color: 'FF00FF00', hide_value: true },
      { row: 2, col: 1, bar: 0.5, bar_color: 'FF00FF00', hide_value: true },
    ]);
  });

  test('a formula is written for the first cell; inserted rows take it along', async () => {
    const s = await sheet('1,2\n4,3\n5,6\n');
    await rule(s, ['A1:A3'], { kind: 'formula', values: ['=$B1>A1'], style: { bold: true } });
    const rows = async () => (await found(s)).map((one: { row: number }) => one.row);
    expect(await rows()).toEqual([0, 2]);
    await s.ok('insert_dimension', { dimension_type: 'row', index: 0, count: 1 });
    expect(await rows()).toEqual([1, 3]);
  });

  test('a viewer may; a region upside down or too large is refused', async () => {
    const s = await sheet('1\n');
    await rule(s, ['A1'], { kind: 'not_blank', style: { bold: true } });
    const viewer = await sharedWith(server(), s, 'viewer');
    expect((await s.ok('get_computed_formats', r4('A1'), viewer)).cells).toHaveLength(1);
    expect(await s.call('get_computed_formats', { ...r4('A4'), end_row: 0 })).toEqual(
      refused(310001, 'end_row: must be at least start_row, 3 (got 0)'),
    );
    // Beyond the grid there is nothing to read.
    const whole = { start_row: 0, start_col: 0, end_row: 1_048_575, end_col: 16_383 };
    expect((await s.ok('get_computed_formats', whole)).cells).toHaveLength(1);
    await s.ok('set_cell_value', { row: 1_048_575, col: 0, value_type: 'NUMBER', number_value: 1 });
    expect(await s.call('get_computed_formats', whole)).toMatchObject({
      code: 310006,
      msg: expect.stringMatching(/^end_row: a region of at most \d+ cells can be read at once \(got 27262976\)$/),
      data: {},
    });
  });
});
