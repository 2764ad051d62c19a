import { expect, test } from 'vitest';
import { at, onTool, r4, refused } from './support.ts';

onTool('get_cell_data', ({ call, sheet }) => {
  test('[S5] a formula shows its value, an error its text and formula', async () => {
    const s = await sheet('1,0\n=A1+1,=A1/B1,"=A1&""x""",=A1>0\n');
    expect(await s.cells('A2:D2')).toEqual([
      { row: 1, col: 0, value_type: 'FORMULA', number_value: 2, formula: '=A1+1' },
      { row: 1, col: 1, value_type: 'ERROR', string_value: '#DIV/0!', formula: '=A1/B1' },
      { row: 1, col: 2, value_type: 'FORMULA', string_value: '1x', formula: '=A1&"x"' },
      { row: 1, col: 3, value_type: 'FORMULA', bool_value: true, formula: '=A1>0' },
    ]);
  });

  test('[S5] an array tells its formula at its anchor, and values where it spills', async () => {
    const s = await sheet('"=SEQUENCE(2,2)"\n');
    expect(await s.cells('A1:B2')).toEqual([
      { row: 0, col: 0, value_type: 'FORMULA', number_value: 1, formula: '=SEQUENCE(2,2)' },
      { row: 0, col: 1, value_type: 'NUMBER', number_value: 2 },
      { row: 1, col: 0, value_type: 'NUMBER', number_value: 3 },
      { row: 1, col: 1, value_type: 'NUMBER', number_value: 4 },
    ]);
  });

  test('[S6] a constant shown as date or time is TIME_STRING with serial and text; a date formula has both too', async () => {
    const s = await sheet('45000,0.75,=A1+1,45000.5\n');
    await s.ok('set_cell_style', { ...r4('A1'), format: { number_format_pattern: 'yyyy-mm-dd' } });
    await s.ok('set_cell_style', { ...r4('B1'), format: { number_format_pattern: 'hh:mm' } });
    await s.ok('set_cell_style', { ...r4('C1'), format: { number_format_pattern: 'yyyy-mm-dd' } });
    await s.ok('set_cell_style', { ...r4('D1'), format: { number_format_pattern: 'yyyy/m/d h:mm' } });
    expect(await s.cells('A1:D1')).toEqual([
      { row: 0, col: 0, value_type: 'TIME_STRING', number_value: 45000, string_value: '2023-03-15' },
      { row: 0, col: 1, value_type: 'TIME_STRING', number_value: 0.75, string_value: '18:00' },
      { row: 0, col: 2, value_type: 'FORMULA', number_value: 45001, string_value: '2023-03-16', formula: '=A1+1' },
      { row: 0, col: 3, value_type: 'TIME_STRING', number_value: 45000.5, string_value: '2023/3/15 12:00' },
    ]);
    expect(await s.csv('A1:D1')).toBe('2023-03-15,18:00,2023-03-16,2023/3/15 12:00\n');
  });

  test('[S6] other formats change what is shown, not what is told', async () => {
    const s = await sheet('0.256,1234.5\n');
    await s.ok('set_cell_style', { ...r4('A1'), format: { number_format_pattern: '0.0%' } });
    await s.ok('set_cell_style', { ...r4('B1'), format: { number_format_pattern: '#,##0.00' } });
    expect(await s.cells('A1:B1')).toEqual([
      { row: 0, col: 0, value_type: 'NUMBER', number_value: 0.256 },
      { row: 0, col: 1, value_type: 'NUMBER', number_value: 1234.5 },
    ]);
    expect(await s.csv('A1:B1')).toBe('0.256,1234.5\n');
  });

  test('[S7] a cell with a link is RICH_STRING with its text', async () => {
    const s = await sheet();
    await s.ok('set_link', { ...at('A1'), url: 'https://example.com/', display_text: 'go' });
    expect(await s.cells('A1')).toEqual([
      { row: 0, col: 0, value_type: 'RICH_STRING', string_value: 'go', link_id: expect.any(String) },
    ]);
    expect(await s.csv('A1')).toBe('go\n');
  });

  test('[S8] empty cells are omitted, row by row; a read outside the grid finds nothing', async () => {
    const s = await sheet('a,,b\n,c,\n');
    expect((await s.cells('A1:C2')).map((one) => [one.row, one.col, one.string_value])).toEqual([
      [0, 0, 'a'],
      [0, 2, 'b'],
      [1, 1, 'c'],
    ]);
    await s.ok('set_cell_style', { ...r4('E5'), format: { bold: true } });
    expect(await s.cells('D4:F6')).toEqual([]);
    expect(await s.cells('ZZ5000:ZZ5001')).toEqual([]);
    expect((await s.ok('get_sheet_info')).sheets[0]).toMatchObject({ row_count: 200, col_count: 26 });
  });

  test('[S9] return_csv: csv_data instead of cells; false is the default', async () => {
    const s = await sheet('a\n');
    expect(await s.ok('get_cell_data', { ...r4('A1'), return_csv: true })).toEqual({ csv_data: 'a\n' });
    expect(await s.ok('get_cell_data', { ...r4('A1'), return_csv: false })).toEqual({
      cells: [{ row: 0, col: 0, value_type: 'STRING', string_value: 'a' }],
    });
    expect(await s.ok('get_cell_data', r4('A1'))).toEqual({
      cells: [{ row: 0, col: 0, value_type: 'STRING', string_value: 'a' }],
    });
  });

  test('[S9] CSV out: computed values, RFC 4180 quotes, every record ends with LF', async () => {
    const s = await sheet();
    await s.put('A1', '"a,b","say ""hi""","two\nlines"\n1.5,true,=1+1\n=1/0\n');
    expect(await s.csv('A1:D4')).toBe('"a,b","say ""hi""","two\nlines",\n1.5,TRUE,2,\n#DIV/0!,,,\n');
  });

  test('[S12][T58] 20,000 cells can be read at once, 20,001 are 310006', async () => {
    const s = await sheet('1\n');
    expect(await s.ok('get_cell_data', { start_row: 0, start_col: 0, end_row: 19_999, end_col: 0 })).toEqual({
      cells: [{ row: 0, col: 0, value_type: 'NUMBER', number_value: 1 }],
    });
    expect(await s.ok('get_cell_data', { start_row: 0, start_col: 0, end_row: 199, end_col: 99 })).toEqual({
      cells: [{ row: 0, col: 0, value_type: 'NUMBER', number_value: 1 }],
    });
    const limit = 'end_row: a region of at most 20000 cells can be read at once';
    expect(await s.call('get_cell_data', { start_row: 0, start_col: 0, end_row: 20_000, end_col: 0 })).toEqual(
      refused(310006, `${limit} (got 20001)`),
    );
    expect(
      await s.call('get_cell_data', { start_row: 0, start_col: 0, end_row: 2, end_col: 6_667, return_csv: true }),
    ).toEqual(refused(310006, `${limit} (got 20004)`));
  });

  test('[S12][T58] numbers outside the grid, however large, are 310001', async () => {
    const s = await sheet('1\n');
    // 2^32 rows times 2^32 columns would be 0 cells in 64 bits.
    for (const wrong of [4_294_967_295, '9223372036854775807', 9_007_199_254_740_992, -1, 1_048_576, 1.5, 1e300]) {
      expect(
        await s.call('get_cell_data', { start_row: 0, start_col: 0, end_row: wrong, end_col: 0 }),
        String(wrong),
      ).toMatchObject({ code: 310001, data: {} });
    }
    expect(await s.call('get_cell_data', { start_row: 0, start_col: 0, end_row: 0, end_col: 16_384 })).toEqual(
      refused(310001, 'end_col: must be at most 16383 (got 16384)'),
    );
    expect(await s.call('get_cell_data', { start_row: '0', start_col: '0', end_row: '0', end_col: '0' })).toMatchObject(
      { code: 0 },
    );
  });

  test('[S13] an end before its start is 310001 and names the field', async () => {
    const s = await sheet('1\n');
    expect(await s.call('get_cell_data', { start_row: 3, start_col: 0, end_row: 2, end_col: 0 })).toEqual(
      refused(310001, 'end_row: must be at least start_row, 3 (got 2)'),
    );
    expect(await s.call('get_cell_data', { start_row: 0, start_col: 3, end_row: 0, end_col: 2 })).toEqual(
      refused(310001, 'end_col: must be at least start_col, 3 (got 2)'),
    );
  });

  test('[S17] no such document, no such sub-sheet, neither named', async () => {
    const s = await sheet();
    expect(await s.call('get_cell_data', { ...r4('A1'), file_id: 'doc_nothing' })).toEqual(
      refused(310002, 'file_id: there is no document "doc_nothing"'),
    );
    expect(await s.call('get_cell_data', { ...r4('A1'), sheet_id: 'none' })).toEqual(
      refused(310003, `sheet_id: there is no sub-sheet "none"; there are ${s.sheet_id} (Sheet1)`),
    );
    expect(await call('get_cell_data', { sheet_id: s.sheet_id, ...r4('A1') })).toEqual(
      refused(310001, 'file_id: is required (or file_url)'),
    );
  });

  test('[S18][T63] file_url is accepted wherever file_id is, read by our own rule and never fetched', async () => {
    const s = await sheet('7\n');
    const read = (file_url: string) =>
      call('get_cell_data', { file_url, sheet_id: s.sheet_id, ...r4('A1'), return_csv: true });
    expect(await read(`https://example.com/sheet/${s.file_id}?tab=${s.sheet_id}`)).toMatchObject({
      code: 0,
      data: { csv_data: '7\n' },
    });
    expect(await read(`http://169.254.169.254/sheet/${s.file_id}`)).toMatchObject({ code: 0 });
    expect(await read(`/sheet/${s.file_id}`)).toMatchObject({ code: 0 });
    for (const wrong of [
      'http://127.0.0.1:1/',
      'file:///etc/passwd',
      `https://example.com/sheet/../../${s.file_id}`,
      'https://example.com/sheet/%2e%2e',
    ]) {
      expect(await read(wrong), wrong).toMatchObject({ code: 310001, data: {} });
    }
  });

  test('[finding T3] csv has every digit of a number and ends with the last row that holds anything', async () => {
    const s = await sheet();
    const numbers = [1731686400123456, 0.30000000000000004, -1e-7, 1e21, 123456789012345680000, 5e-324, 0.1, 1 / 3];
    await s.ok('set_range_value', {
      values: numbers.map((number_value, row) => ({ row, col: 0, value_type: 'NUMBER', number_value })),
    });
    const csv = await s.csv('A1:A200');
    expect(csv).toBe(
      '1731686400123456\n0.30000000000000004\n-1e-7\n1e+21\n123456789012345680000\n5e-324\n0.1\n0.3333333333333333\n',
    );
    await s.put('B1', csv);
    expect((await s.cells('B1:B8')).map((cell) => cell.number_value)).toEqual(numbers);
    await s.put('D3', 'x\n');
    expect(await s.csv('C1:D9')).toBe(',\n,\n,x\n,\n,\n,\n,\n,\n');
    expect([await s.csv('A9:A20'), await s.csv('F100:G110')]).toEqual(['', '']);
  });
});
