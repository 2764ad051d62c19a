import { expect, test } from 'vitest';
import { nothing, onTool, refused } from './support.ts';

onTool('set_range_value_by_csv', ({ sheet }) => {
  test('[S10] number, true and false, =formula, else text; the answer is {}', async () => {
    const s = await sheet();
    expect(
      await s.call('set_range_value_by_csv', { csv_data: '12,-1.5e3,true,FALSE\n=A1*2,text,"=A1&""x""",007x\n' }),
    ).toEqual(nothing);
    expect(await s.cells('A1:D2')).toEqual([
      { row: 0, col: 0, value_type: 'NUMBER', number_value: 12 },
      { row: 0, col: 1, value_type: 'NUMBER', number_value: -1500 },
      { row: 0, col: 2, value_type: 'BOOL', bool_value: true },
      { row: 0, col: 3, value_type: 'BOOL', bool_value: false },
      { row: 1, col: 0, value_type: 'FORMULA', number_value: 24, formula: '=A1*2' },
      { row: 1, col: 1, value_type: 'STRING', string_value: 'text' },
      { row: 1, col: 2, value_type: 'FORMULA', string_value: '12x', formula: '=A1&"x"' },
      { row: 1, col: 3, value_type: 'STRING', string_value: '007x' },
    ]);
  });

  test('[S10] quotes: commas, line breaks and doubled quotes inside', async () => {
    const s = await sheet();
    await s.ok('set_range_value_by_csv', { csv_data: '"a,b","say ""hi""","two\nlines"\r\n"",x,\n' });
    expect(await s.cells('A1:C2')).toEqual([
      { row: 0, col: 0, value_type: 'STRING', string_value: 'a,b' },
      { row: 0, col: 1, value_type: 'STRING', string_value: 'say "hi"' },
      { row: 0, col: 2, value_type: 'STRING', string_value: 'two\nlines' },
      { row: 1, col: 1, value_type: 'STRING', string_value: 'x' },
    ]);
  });

  test('[S10] empty fields and those a short record lacks leave cells alone; a BOM is dropped, CRLF accepted', async () => {
    const s = await sheet('x,y,z\nx,y,z\nx,y,z\n');
    await s.ok('set_range_value_by_csv', { csv_data: '\ufeff12,,-1.5\r\nTrue\r\n"00,7",=A1*2,text' });
    expect(await s.csv('A1:C3')).toBe('12,y,-1.5\nTRUE,y,z\n"00,7",24,text\n');
  });

  test('[S11] a field is no longer than a cell may be', async () => {
    const s = await sheet();
    expect(await s.call('set_range_value_by_csv', { csv_data: `a,${'x'.repeat(32_768)}\n` })).toEqual(
      refused(310001, 'csv_data: field 2 of record 1 must be at most 32767 characters (got 32768)'),
    );
    expect(await s.call('set_range_value_by_csv', { csv_data: `a\n="${'x'.repeat(8190)}"\n` })).toEqual(
      refused(310001, 'csv_data: field 1 of record 2 must be at most 8192 characters (got 8193)'),
    );
    expect(await s.csv('A1:B2')).toBe('');
    expect(await s.call('set_range_value_by_csv', { csv_data: `a,${'x'.repeat(32_767)}\n` })).toEqual(nothing);
  });

  test('[S11] start_row and start_col default to 0, each by itself', async () => {
    const s = await sheet();
    await s.ok('set_range_value_by_csv', { csv_data: 'a' });
    await s.ok('set_range_value_by_csv', { start_row: 2, csv_data: 'b' });
    await s.ok('set_range_value_by_csv', { start_col: 2, csv_data: 'c' });
    await s.ok('set_range_value_by_csv', { start_row: 2, start_col: 2, csv_data: 'd\n' });
    expect(await s.csv('A1:C3')).toBe('a,,c\n,,\nb,,d\n');
  });

  test('[S11] an unclosed quote is 310001, names its line, and nothing is written', async () => {
    const s = await sheet();
    expect(await s.call('set_range_value_by_csv', { csv_data: '1,2\n3,"four\n5,6' })).toEqual(
      refused(310001, 'csv_data: line 2: a quote is opened and never closed'),
    );
    expect(await s.call('set_range_value_by_csv', { csv_data: '1,2\n=1,=SUM(\n' })).toMatchObject({
      code: 310009,
      msg: expect.stringMatching(/^cell B2: .* at character 6$/),
      data: {},
    });
    expect(await s.cells('A1:Z9')).toEqual([]);
  });

  test('[S15] the grid grows to hold it, up to the limits', async () => {
    const s = await sheet();
    await s.ok('set_range_value_by_csv', { start_row: 199, start_col: 25, csv_data: '1,2\n3,4\n' });
    expect((await s.ok('get_sheet_info')).sheets[0]).toMatchObject({ row_count: 201, col_count: 27 });
    expect(await s.call('set_range_value_by_csv', { start_row: 1_048_575, csv_data: '1\n2\n' })).toEqual(
      refused(310006, 'csv_data: 2 records starting at row 1048575 exceed 1048576 rows'),
    );
    expect(await s.call('set_range_value_by_csv', { start_col: 16_383, csv_data: '1,2\n' })).toEqual(
      refused(310006, 'csv_data: 2 fields starting at column 16383 exceed 16384 columns'),
    );
    expect((await s.ok('get_sheet_info')).sheets[0]).toMatchObject({ row_count: 201, col_count: 27 });
  });

  test('[S16] return_changes lists dependents', async () => {
    const s = await sheet('1,=A1*2\n');
    expect(await s.ok('set_range_value_by_csv', { csv_data: '4', return_changes: true })).toMatchObject({
      changes: [
        { sheet_id: s.sheet_id, row: 0, col: 0, value: 4 },
        { sheet_id: s.sheet_id, row: 0, col: 1, value: 8 },
      ],
    });
  });
});
