import { expect, test } from 'vitest';
import { at, nothing, onTool, refused } from './support.ts';

onTool('set_range_value', ({ sheet }) => {
  test('[S3] writes cells of every type, wherever they are, and answers {}', async () => {
    const s = await sheet();
    const values = [
      { ...at('C3'), value_type: 'STRING', string_value: 'pear' },
      { ...at('A1'), value_type: 'NUMBER', number_value: 1.5 },
      { ...at('B2'), value_type: 'BOOL', bool_value: true },
      { ...at('A2'), value_type: 'FORMULA', formula: 'A1*2' },
    ];
    expect(await s.call('set_range_value', { values })).toEqual(nothing);
    expect(await s.cells('A1:C3')).toEqual([
      { row: 0, col: 0, value_type: 'NUMBER', number_value: 1.5 },
      { row: 1, col: 0, value_type: 'FORMULA', number_value: 3, formula: '=A1*2' },
      { row: 1, col: 1, value_type: 'BOOL', bool_value: true },
      { row: 2, col: 2, value_type: 'STRING', string_value: 'pear' },
    ]);
  });

  test('[S3] cells that are not named stay as they are', async () => {
    const s = await sheet('a,b\nc,d\n');
    await s.ok('set_range_value', { values: [{ ...at('B2'), value_type: 'STRING', string_value: 'new' }] });
    expect(await s.csv('A1:B2')).toBe('a,b\nc,new\n');
  });

  test('[S3] a cell given twice has its last value; formulas see the whole call', async () => {
    const s = await sheet();
    await s.ok('set_range_value', {
      values: [
        { ...at('A1'), value_type: 'NUMBER', number_value: 1 },
        { ...at('A2'), value_type: 'FORMULA', formula: '=A1+A3' },
        { ...at('A1'), value_type: 'NUMBER', number_value: 7 },
        { ...at('A3'), value_type: 'NUMBER', number_value: 1 },
      ],
    });
    expect(await s.csv('A1:A3')).toBe('7\n8\n1\n');
    await s.ok('set_range_value', {
      values: [
        { ...at('A1'), value_type: 'FORMULA', formula: '=2' },
        { ...at('A1'), value_type: 'STRING', string_value: 'text' },
      ],
    });
    expect(await s.cells('A1')).toEqual([{ row: 0, col: 0, value_type: 'STRING', string_value: 'text' }]);
  });

  test('[S3] applies whole or not at all, and says which cell was wrong', async () => {
    const s = await sheet('7\n8\n');
    const good = { ...at('A1'), value_type: 'NUMBER', number_value: 9 };
    expect(
      await s.call('set_range_value', { values: [good, { ...at('A2'), value_type: 'FORMULA', formula: '=SUM(' }] }),
    ).toMatchObject({ code: 310009, msg: expect.stringMatching(/^cell A2: .* at character 6$/), data: {} });
    expect(await s.call('set_range_value', { values: [good, { ...at('A2'), value_type: 'NUMBER' }] })).toEqual(
      refused(310001, 'values[1].number_value: is required when value_type is NUMBER'),
    );
    expect(
      await s.call('set_range_value', { values: [good, { row: 1, value_type: 'NUMBER', number_value: 1 }] }),
    ).toEqual(refused(310001, 'values[1].col: is required'));
    expect(
      await s.call('set_range_value', {
        values: [good, { row: 1_048_576, col: 0, value_type: 'NUMBER', number_value: 1 }],
      }),
    ).toEqual(refused(310001, 'values[1].row: must be at most 1048575 (got 1048576)'));
    expect(
      await s.call('set_range_value', { values: [good, { ...at('A2'), value_type: 'DATE', number_value: 1 }] }),
    ).toMatchObject({ code: 310001, data: {} });
    expect(await s.call('set_range_value', { values: [] })).toEqual(
      refused(310001, 'values: must have at least 1 entry (got an array of 0)'),
    );
    expect(await s.csv('A1:A2')).toBe('7\n8\n');
  });

  test('[S15] 20,000 cells in one call; the grid grows to hold them', async () => {
    const s = await sheet();
    const values = Array.from({ length: 20_000 }, (_, i) => ({
      row: i % 1000,
      col: Math.floor(i / 1000) + 10,
      value_type: 'NUMBER',
      number_value: i,
    }));
    expect(await s.call('set_range_value', { values })).toEqual(nothing);
    expect((await s.ok('get_sheet_info')).sheets[0]).toMatchObject({ row_count: 1000, col_count: 30 });
    expect(await s.csv('K1:L2')).toBe('0,1000\n1,1001\n');
    expect(await s.csv('AD1000')).toBe('19999\n');
  });

  test('[S3] a long list means what a short one does: every type, any order, the last of two, and what is wrong with it', async () => {
    const s = await sheet();
    const numbers = Array.from({ length: 300 }, (_, i) => ({
      row: 299 - i,
      col: 5,
      value_type: 'NUMBER',
      number_value: (299 - i) / 8,
    }));
    const values = [
      ...numbers,
      { ...at('A1'), value_type: 'STRING', string_value: 'a "quoted"\nword, 梨' },
      { ...at('B1'), value_type: 'FORMULA', formula: 'SUM(F1:F300)' },
      { ...at('C1'), value_type: 'BOOL', bool_value: false },
      { ...at('F1'), value_type: 'NUMBER', number_value: 1e21 },
      { ...at('F1'), value_type: 'NUMBER', number_value: -0.5 },
      { ...at('D1'), value_type: 'STRING', string_value: '' },
    ];
    expect(await s.call('set_range_value', { values })).toEqual(nothing);
    expect(await s.cells('A1:F1')).toEqual([
      { row: 0, col: 0, value_type: 'STRING', string_value: 'a "quoted"\nword, 梨' },
      { row: 0, col: 1, value_type: 'FORMULA', number_value: 5605.75, formula: '=SUM(F1:F300)' },
      { row: 0, col: 2, value_type: 'BOOL', bool_value: false },
      { row: 0, col: 5, value_type: 'NUMBER', number_value: -0.5 },
    ]);
    expect(await s.csv('F2:F3')).toBe('0.125\n0.25\n');
    expect(await s.call('set_range_value', { values: [...values, { ...at('A2'), value_type: 'NUMBER' }] })).toEqual(
      refused(310001, 'values[306].number_value: is required when value_type is NUMBER'),
    );
    expect(
      await s.call('set_range_value', { values: [...values, { ...at('A2'), value_type: 'FORMULA', formula: ' ' }] }),
    ).toEqual(refused(310001, 'values[306].formula: must not be empty'));
    expect(
      await s.call('set_range_value', {
        values: [...values, { row: -1, col: 0, value_type: 'NUMBER', number_value: 1 }],
      }),
    ).toEqual(refused(310001, 'values[306].row: must be at least 0 (got -1)'));
    expect(await s.call('set_range_value', { values, sheet_id: '' })).toEqual(
      refused(310001, 'sheet_id: must not be empty (got "")'),
    );
  });

  test('[S16] return_changes lists what the call wrote and its dependents, as they show', async () => {
    const s = await sheet('1,2,=A1+B1\n');
    const values = [
      { ...at('A1'), value_type: 'NUMBER', number_value: 10 },
      { ...at('B1'), value_type: 'NUMBER', number_value: 20 },
    ];
    const shown = (address: string, value: number) => ({
      sheet_id: s.sheet_id,
      ...at(address),
      address,
      value,
      text: String(value),
    });
    expect(await s.ok('set_range_value', { values, return_changes: true })).toEqual({
      changes: [shown('A1', 10), shown('B1', 20), shown('C1', 30)],
      changed_count: 3,
    });
  });
});
