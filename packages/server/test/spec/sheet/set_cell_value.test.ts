import { expect, test } from 'vitest';
import { at, nothing, onTool, refused } from './support.ts';

onTool('set_cell_value', ({ call, sheet }) => {
  test('[S1] writes each type under cell and answers {}', async () => {
    const s = await sheet();
    expect(
      await s.call('set_cell_value', { cell: { ...at('A1'), value_type: 'STRING', string_value: 'pear' } }),
    ).toEqual(nothing);
    expect(await s.call('set_cell_value', { cell: { ...at('B1'), value_type: 'NUMBER', number_value: 2.5 } })).toEqual(
      nothing,
    );
    expect(await s.call('set_cell_value', { cell: { ...at('C1'), value_type: 'BOOL', bool_value: false } })).toEqual(
      nothing,
    );
    expect(
      await s.call('set_cell_value', { cell: { ...at('D1'), value_type: 'FORMULA', formula: '=SUM(B1,1)' } }),
    ).toEqual(nothing);
    expect(await s.cells('A1:D1')).toEqual([
      { row: 0, col: 0, value_type: 'STRING', string_value: 'pear' },
      { row: 0, col: 1, value_type: 'NUMBER', number_value: 2.5 },
      { row: 0, col: 2, value_type: 'BOOL', bool_value: false },
      { row: 0, col: 3, value_type: 'FORMULA', number_value: 3.5, formula: '=SUM(B1,1)' },
    ]);
  });

  test('[S1] takes the fields of the cell flat too; a formula without = gets one', async () => {
    const s = await sheet();
    expect(await s.call('set_cell_value', { ...at('A1'), value_type: 'NUMBER', number_value: 4 })).toEqual(nothing);
    expect(await s.call('set_cell_value', { ...at('B1'), value_type: 'FORMULA', formula: 'A1*2' })).toEqual(nothing);
    expect((await s.cells('B1'))[0]).toEqual({
      row: 0,
      col: 1,
      value_type: 'FORMULA',
      number_value: 8,
      formula: '=A1*2',
    });
    expect(await s.call('set_cell_value', { row: 0, value_type: 'NUMBER', number_value: 4 })).toEqual(
      refused(310001, 'col: is required'),
    );
  });

  test('[S1] only the field that value_type names counts; text stays text, however it looks', async () => {
    const s = await sheet();
    await s.ok('set_cell_value', {
      cell: {
        ...at('A1'),
        value_type: 'STRING',
        string_value: '=1+1',
        number_value: 5,
        bool_value: true,
        formula: '=2',
      },
    });
    await s.ok('set_cell_value', { cell: { ...at('B1'), value_type: 'STRING', string_value: '007' } });
    await s.ok('set_cell_value', {
      cell: { ...at('C1'), value_type: 'NUMBER', number_value: -0.1, string_value: 'x' },
    });
    await s.ok('set_cell_value', { cell: { ...at('D1'), value_type: 'STRING', string_value: 'two\nlines 字' } });
    expect(await s.cells('A1:D1')).toEqual([
      { row: 0, col: 0, value_type: 'STRING', string_value: '=1+1' },
      { row: 0, col: 1, value_type: 'STRING', string_value: '007' },
      { row: 0, col: 2, value_type: 'NUMBER', number_value: -0.1 },
      { row: 0, col: 3, value_type: 'STRING', string_value: 'two\nlines 字' },
    ]);
  });

  test('[S1] replaces what stood there, and dependents follow', async () => {
    const s = await sheet('1,=A1+1\n');
    await s.ok('set_cell_value', { ...at('A1'), value_type: 'NUMBER', number_value: 41 });
    expect(await s.csv('A1:B1')).toBe('41,42\n');
    await s.ok('set_cell_value', { ...at('B1'), value_type: 'STRING', string_value: 'gone' });
    expect(await s.formula('B1')).toBeUndefined();
    await s.ok('set_cell_value', { ...at('B1'), value_type: 'STRING', string_value: '' });
    expect(await s.csv('A1:B1')).toBe('41,\n');
  });

  test('[S2] the field that value_type names is required, and named when missing', async () => {
    const s = await sheet();
    for (const [type, field] of [
      ['NUMBER', 'number_value'],
      ['STRING', 'string_value'],
      ['BOOL', 'bool_value'],
      ['FORMULA', 'formula'],
    ]) {
      expect(await s.call('set_cell_value', { cell: { ...at('A1'), value_type: type } })).toEqual(
        refused(310001, `cell.${field}: is required when value_type is ${type}`),
      );
      expect(await s.call('set_cell_value', { ...at('A1'), value_type: type })).toEqual(
        refused(310001, `${field}: is required when value_type is ${type}`),
      );
    }
    expect(await s.call('set_cell_value', {})).toEqual(refused(310001, 'cell: is required'));
    expect(await s.cells('A1:Z9')).toEqual([]);
  });

  test('[S2] types that are only read back are not written', async () => {
    const s = await sheet();
    for (const value_type of ['ERROR', 'TIME_STRING', 'RICH_STRING', 'string', '']) {
      expect(
        await s.call('set_cell_value', { cell: { ...at('A1'), value_type, string_value: 'x' } }),
        value_type,
      ).toMatchObject({ code: 310001, data: {} });
    }
  });

  test('[S4] a formula that cannot be read is 310009, points at the position and changes nothing', async () => {
    const s = await sheet('kept\n');
    const put = (formula: string) =>
      s.call('set_cell_value', { cell: { ...at('A1'), value_type: 'FORMULA', formula } });
    expect(await put('=1+*2')).toMatchObject({
      code: 310009,
      msg: expect.stringMatching(/^cell A1: .* at character 4$/),
      data: {},
    });
    expect(await put('=SUM(')).toMatchObject({
      code: 310009,
      msg: expect.stringMatching(/^cell A1: .* at character 6$/),
      data: {},
    });
    expect(await put('=')).toEqual(refused(310001, 'cell.formula: must not be empty'));
    expect(await put('  ')).toEqual(refused(310001, 'cell.formula: must not be empty'));
    expect(await s.csv('A1')).toBe('kept\n');
  });

  test("[S4] a function that does not exist is the cell's error, not the call's", async () => {
    const s = await sheet();
    await s.ok('set_cell_value', { ...at('A1'), value_type: 'FORMULA', formula: '=NOSUCH(1)' });
    expect(await s.cells('A1')).toEqual([
      { row: 0, col: 0, value_type: 'ERROR', string_value: '#NAME?', formula: '=NOSUCH(1)' },
    ]);
  });

  test('[S15] a write outside the grid grows it, up to the limits', async () => {
    const s = await sheet();
    const size = async () => (await s.ok('get_sheet_info')).sheets.map((one: any) => [one.row_count, one.col_count]);
    await s.ok('set_cell_value', { cell: { row: 300, col: 30, value_type: 'NUMBER', number_value: 1 } });
    expect(await size()).toEqual([[301, 31]]);
    await s.ok('set_cell_value', { cell: { row: 1_048_575, col: 16_383, value_type: 'NUMBER', number_value: 1 } });
    expect(await size()).toEqual([[1_048_576, 16_384]]);
    expect(
      await s.call('set_cell_value', { cell: { row: 1_048_576, col: 0, value_type: 'NUMBER', number_value: 1 } }),
    ).toEqual(refused(310001, 'cell.row: must be at most 1048575 (got 1048576)'));
    expect(
      await s.call('set_cell_value', { cell: { row: 0, col: 16_384, value_type: 'NUMBER', number_value: 1 } }),
    ).toEqual(refused(310001, 'cell.col: must be at most 16383 (got 16384)'));
    expect(
      await s.call('set_cell_value', { cell: { row: -1, col: 0, value_type: 'NUMBER', number_value: 1 } }),
    ).toEqual(refused(310001, 'cell.row: must be at least 0 (got -1)'));
  });

  test('[S16] return_changes lists the cells that show another value, at most 200, and counts them', async () => {
    const s = await sheet('1,=A1*2,=A1>0\n');
    expect(
      await s.ok('set_cell_value', {
        cell: { ...at('A1'), value_type: 'NUMBER', number_value: 5 },
        return_changes: true,
      }),
    ).toEqual({
      changes: [
        { sheet_id: s.sheet_id, ...at('A1'), address: 'A1', value: 5, text: '5' },
        { sheet_id: s.sheet_id, ...at('B1'), address: 'B1', value: 10, text: '10' },
      ],
      changed_count: 2,
    });
    expect(
      await s.ok('set_cell_value', {
        cell: { ...at('A1'), value_type: 'NUMBER', number_value: 5 },
        return_changes: true,
      }),
    ).toEqual({ changes: [], changed_count: 0 });
    await s.put('D1', Array.from({ length: 300 }, () => '=A$1').join('\n'));
    const { changes, changed_count } = await s.ok('set_cell_value', {
      cell: { ...at('A1'), value_type: 'NUMBER', number_value: 6 },
      return_changes: true,
    });
    expect(changes).toHaveLength(200);
    expect(changed_count).toBe(302);
    expect(await s.ok('set_cell_value', { cell: { ...at('A1'), value_type: 'NUMBER', number_value: 7 } })).toEqual({});
  });

  test('[S17] an unknown document is 310002, an unknown sub-sheet 310003', async () => {
    const s = await sheet();
    const cell = { ...at('A1'), value_type: 'NUMBER', number_value: 1 };
    expect(await call('set_cell_value', { file_id: 'doc_nothing', sheet_id: s.sheet_id, cell })).toEqual(
      refused(310002, 'file_id: there is no document "doc_nothing"'),
    );
    expect(await call('set_cell_value', { file_id: s.file_id, sheet_id: 'none', cell })).toEqual(
      refused(310003, `sheet_id: there is no sub-sheet "none"; there are ${s.sheet_id} (Sheet1)`),
    );
  });
});
