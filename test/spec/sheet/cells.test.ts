import { expect, test } from 'vitest';
import { eachSurface } from '../../support/server.ts';
import { at, newSheet, r4 } from './support.ts';

eachSurface('sheet', 'cell values', (call, server) => {
  const sheet = (csv?: string) => newSheet(call, server(), csv);

  test('[S1] set_cell_value writes each type, under cell or flat, and answers {}', async () => {
    const s = await sheet();
    expect(await s.call('set_cell_value', { cell: { ...at('A1'), value_type: 'STRING', string_value: 'pear' } })).toEqual({ code: 0, msg: 'success', data: {} });
    expect(await s.call('set_cell_value', { ...at('B1'), value_type: 'NUMBER', number_value: 2.5 })).toEqual({ code: 0, msg: 'success', data: {} });
    await s.ok('set_cell_value', { cell: { ...at('C1'), value_type: 'BOOL', bool_value: false } });
    await s.ok('set_cell_value', { cell: { ...at('D1'), value_type: 'FORMULA', formula: 'B1*2' } });
    expect(await s.cells('A1:D1')).toEqual([
      { row: 0, col: 0, value_type: 'STRING', string_value: 'pear' },
      { row: 0, col: 1, value_type: 'NUMBER', number_value: 2.5 },
      { row: 0, col: 2, value_type: 'BOOL', bool_value: false },
      { row: 0, col: 3, value_type: 'FORMULA', number_value: 5, formula: '=B1*2' },
    ]);
  });

  test('[S2] the field that value_type names is required, and named when missing', async () => {
    const s = await sheet();
    for (const [type, field] of [['NUMBER', 'number_value'], ['STRING', 'string_value'], ['BOOL', 'bool_value'], ['FORMULA', 'formula']]) {
      expect(await s.call('set_cell_value', { cell: { ...at('A1'), value_type: type } })).toEqual({ code: 310001, msg: `cell.${field}: is required when value_type is ${type}`, data: {} });
    }
    expect(await s.call('set_cell_value', {})).toEqual({ code: 310001, msg: 'cell: is required', data: {} });
    expect(await s.cells('A1:Z9')).toEqual([]);
  });

  test('[S3] set_range_value is atomic; a cell given twice has its last value', async () => {
    const s = await sheet();
    await s.ok('set_range_value', { values: [{ ...at('A1'), value_type: 'NUMBER', number_value: 1 }, { ...at('A2'), value_type: 'FORMULA', formula: '=A1+1' }, { ...at('A1'), value_type: 'NUMBER', number_value: 7 }] });
    expect(await s.csv('A1:A2')).toBe('7\n8\n');
    const bad = await s.call('set_range_value', { values: [{ ...at('A1'), value_type: 'NUMBER', number_value: 9 }, { ...at('A2'), value_type: 'FORMULA', formula: '=SUM(' }] });
    expect(bad).toMatchObject({ code: 310009, data: {} });
    expect(await s.csv('A1:A2')).toBe('7\n8\n');
  });

  test('[S4] an unreadable formula is 310009 and points at the position', async () => {
    const s = await sheet();
    const bad = await s.call('set_cell_value', { cell: { ...at('A1'), value_type: 'FORMULA', formula: '=1+*2' } });
    expect(bad.code).toBe(310009);
    expect(bad.msg).toMatch(/\d/);
    expect(await s.call('set_cell_value', { cell: { ...at('A1'), value_type: 'FORMULA', formula: '=' } })).toMatchObject({ code: 310001, msg: 'cell.formula: must not be empty' });
  });

  test('[S5] get_cell_data: a formula shows its value, an error its text and formula', async () => {
    const s = await sheet('1,0\n=A1+1,=A1/B1,"=A1&""x""",=A1>0\n');
    expect(await s.cells('A2:D2')).toEqual([
      { row: 1, col: 0, value_type: 'FORMULA', number_value: 2, formula: '=A1+1' },
      { row: 1, col: 1, value_type: 'ERROR', string_value: '#DIV/0!', formula: '=A1/B1' },
      { row: 1, col: 2, value_type: 'FORMULA', string_value: '1x', formula: '=A1&"x"' },
      { row: 1, col: 3, value_type: 'FORMULA', bool_value: true, formula: '=A1>0' },
    ]);
  });

  test('[S6] a constant shown as date or time is TIME_STRING with serial and text; a date formula has both too', async () => {
    const s = await sheet('45000,0.75,=A1+1\n');
    await s.ok('set_cell_style', { ...r4('A1'), format: { number_format_pattern: 'yyyy-mm-dd' } });
    await s.ok('set_cell_style', { ...r4('B1'), format: { number_format_pattern: 'hh:mm' } });
    await s.ok('set_cell_style', { ...r4('C1'), format: { number_format_pattern: 'yyyy-mm-dd' } });
    expect(await s.cells('A1:C1')).toEqual([
      { row: 0, col: 0, value_type: 'TIME_STRING', number_value: 45000, string_value: '2023-03-15' },
      { row: 0, col: 1, value_type: 'TIME_STRING', number_value: 0.75, string_value: '18:00' },
      { row: 0, col: 2, value_type: 'FORMULA', number_value: 45001, string_value: '2023-03-16', formula: '=A1+1' },
    ]);
    expect(await s.csv('A1:C1')).toBe('2023-03-15,18:00,2023-03-16\n');
  });

  test('[S7] a cell with a link is RICH_STRING with its text', async () => {
    const s = await sheet();
    await s.ok('set_link', { ...at('A1'), url: 'https://example.com/', display_text: 'go' });
    expect(await s.cells('A1')).toEqual([{ row: 0, col: 0, value_type: 'RICH_STRING', string_value: 'go' }]);
  });

  test('[S8] empty cells are omitted, row by row; a read outside the grid finds nothing', async () => {
    const s = await sheet('a,,b\n,c,\n');
    expect((await s.cells('A1:C2')).map((one) => [one.row, one.col, one.string_value])).toEqual([[0, 0, 'a'], [0, 2, 'b'], [1, 1, 'c']]);
    expect(await s.cells('ZZ5000:ZZ5001')).toEqual([]);
  });

  test('[S9] CSV out: computed values, RFC 4180 quotes, every record ends with LF', async () => {
    const s = await sheet();
    await s.put('A1', '"a,b","say ""hi""","two\nlines"\n1.5,true,=1+1\n');
    expect(await s.csv('A1:D3')).toBe('"a,b","say ""hi""","two\nlines",\n1.5,TRUE,2,\n,,,\n');
  });

  test('[S10] CSV in: types are detected, empty fields leave cells alone, short records, BOM, CRLF', async () => {
    const s = await sheet('x,y,z\nx,y,z\nx,y,z\n');
    await s.ok('set_range_value_by_csv', { csv_data: '\ufeff12,,-1.5e3\r\nTrue\r\n"00,7",=A1*2,text' });
    expect(await s.cells('A1:C3')).toEqual([
      { row: 0, col: 0, value_type: 'NUMBER', number_value: 12 },
      { row: 0, col: 1, value_type: 'STRING', string_value: 'y' },
      { row: 0, col: 2, value_type: 'NUMBER', number_value: -1500 },
      { row: 1, col: 0, value_type: 'BOOL', bool_value: true },
      { row: 1, col: 1, value_type: 'STRING', string_value: 'y' },
      { row: 1, col: 2, value_type: 'STRING', string_value: 'z' },
      { row: 2, col: 0, value_type: 'STRING', string_value: '00,7' },
      { row: 2, col: 1, value_type: 'FORMULA', number_value: 24, formula: '=A1*2' },
      { row: 2, col: 2, value_type: 'STRING', string_value: 'text' },
    ]);
  });

  test('[S11] CSV in: start_row and start_col place it; an unclosed quote names its line and changes nothing', async () => {
    const s = await sheet();
    await s.ok('set_range_value_by_csv', { start_row: 2, start_col: 1, csv_data: 'a' });
    expect(await s.cells('A1:Z9')).toEqual([{ row: 2, col: 1, value_type: 'STRING', string_value: 'a' }]);
    const bad = await s.call('set_range_value_by_csv', { csv_data: '1,2\n3,"four\n5,6' });
    expect(bad).toEqual({ code: 310001, msg: 'csv_data: line 2: a quote is opened and never closed', data: {} });
    expect(await s.csv('A1:B1')).toBe(',\n');
  });

  test('[S12][T58] 20,000 cells can be read at once, 20,001 are 310006; int64 overflow is 310001', async () => {
    const s = await sheet('1\n');
    expect(await s.ok('get_cell_data', { start_row: 0, start_col: 0, end_row: 19_999, end_col: 0 })).toEqual({ cells: [{ row: 0, col: 0, value_type: 'NUMBER', number_value: 1 }] });
    expect(await s.call('get_cell_data', { start_row: 0, start_col: 0, end_row: 20_000, end_col: 0 })).toEqual({ code: 310006, msg: 'end_row: a region of at most 20000 cells can be read at once (got 20001)', data: {} });
    expect(await s.call('get_cell_style', { start_row: 0, start_col: 0, end_row: 20_000, end_col: 0 })).toMatchObject({ code: 310006, data: {} });
    // 2^32 rows times 2^32 columns would be 0 cells in 64 bits.
    for (const wrong of [4_294_967_295, '9223372036854775807', 9_007_199_254_740_992, -1, 1_048_576, 1.5, 1e300]) {
      expect(await s.call('get_cell_data', { start_row: 0, start_col: 0, end_row: wrong, end_col: 0 }), String(wrong)).toMatchObject({ code: 310001, data: {} });
    }
    expect(await s.call('get_cell_data', { start_row: 0, start_col: 0, end_row: 0, end_col: 16_384 })).toMatchObject({ code: 310001 });
  });

  test('[S13] end before start is an error that names the field', async () => {
    const s = await sheet('1\n');
    expect(await s.call('get_cell_data', { start_row: 3, start_col: 0, end_row: 2, end_col: 0 })).toEqual({ code: 310001, msg: 'end_row: must be at least start_row, 3 (got 2)', data: {} });
    expect(await s.call('clear_range_all', { start_row: 0, start_col: 3, end_row: 0, end_col: 2 })).toEqual({ code: 310001, msg: 'end_col: must be at least start_col, 3 (got 2)', data: {} });
  });

  test('[S14] clearing: contents only, styles only, or both', async () => {
    const s = await sheet('1,2,3\n');
    await s.ok('set_cell_style', { ...r4('A1:C1'), format: { font_size: 20 } });
    await s.ok('clear_range_cells', r4('A1'));
    await s.ok('clear_range_style', r4('B1'));
    await s.ok('clear_range_all', r4('C1'));
    expect(await s.csv('A1:C1')).toBe(',2,\n');
    const { cells } = await s.ok('get_cell_style', r4('A1:C1'));
    expect(cells.map((one: { font_size: number }) => one.font_size)).toEqual([20, 0, 0]);
  });

  test('[S15] a new sub-sheet is 200 by 26; a write outside grows it, up to the limits', async () => {
    const s = await sheet();
    const size = async () => (await s.ok('get_sheet_info')).sheets.map((one: any) => [one.row_count, one.col_count]);
    expect(await size()).toEqual([[200, 26]]);
    await s.ok('set_cell_value', { cell: { row: 300, col: 30, value_type: 'NUMBER', number_value: 1 } });
    expect(await size()).toEqual([[301, 31]]);
    await s.ok('set_cell_value', { cell: { row: 1_048_575, col: 16_383, value_type: 'NUMBER', number_value: 1 } });
    expect(await size()).toEqual([[1_048_576, 16_384]]);
    expect(await s.call('set_cell_value', { cell: { row: 1_048_576, col: 0, value_type: 'NUMBER', number_value: 1 } })).toMatchObject({ code: 310001 });
    expect(await s.call('set_range_value_by_csv', { start_row: 1_048_575, csv_data: '1\n2\n' })).toMatchObject({ code: 310006 });
  });

  test('[S16] return_changes lists the dependents whose value changed, at most 200', async () => {
    const s = await sheet('1,=A1*2,=A1>0\n');
    expect(await s.ok('set_cell_value', { cell: { ...at('A1'), value_type: 'NUMBER', number_value: 5 }, return_changes: true })).toEqual({ changes: [{ sheet_id: s.sheet_id, row: 0, col: 1, value: 10 }] });
    await s.put('D1', Array.from({ length: 300 }, () => '=A$1').join('\n'));
    const { changes } = await s.ok('set_cell_value', { cell: { ...at('A1'), value_type: 'NUMBER', number_value: 6 }, return_changes: true });
    expect(changes).toHaveLength(200);
    expect(await s.ok('set_cell_value', { cell: { ...at('A1'), value_type: 'NUMBER', number_value: 7 } })).toEqual({});
  });

  test('[S17] no such document, sub-sheet: 310002, 310003, with what there is', async () => {
    const s = await sheet();
    expect(await s.call('get_cell_data', { ...r4('A1'), file_id: 'doc_nothing' })).toEqual({ code: 310002, msg: 'file_id: there is no document "doc_nothing"', data: {} });
    expect(await s.call('get_cell_data', { ...r4('A1'), sheet_id: 'none' })).toEqual({ code: 310003, msg: `sheet_id: there is no sub-sheet "none"; there are ${s.sheet_id} (Sheet1)`, data: {} });
    expect(await call('get_cell_data', { sheet_id: s.sheet_id, ...r4('A1') })).toEqual({ code: 310001, msg: 'file_id: is required (or file_url)', data: {} });
  });

  test('[S18][T63] file_url is accepted wherever file_id is, read by our own rule and never fetched', async () => {
    const s = await sheet('7\n');
    const read = (file_url: string) => call('get_cell_data', { file_url, sheet_id: s.sheet_id, ...r4('A1'), return_csv: true });
    expect(await read(`https://example.com/sheet/${s.file_id}?tab=${s.sheet_id}`)).toMatchObject({ code: 0, data: { csv_data: '7\n' } });
    expect(await read(`http://169.254.169.254/sheet/${s.file_id}`)).toMatchObject({ code: 0 });
    expect(await read(`/sheet/${s.file_id}`)).toMatchObject({ code: 0 });
    for (const wrong of ['http://127.0.0.1:1/', 'file:///etc/passwd', `https://example.com/sheet/../../${s.file_id}`, 'https://example.com/sheet/%2e%2e']) {
      expect(await read(wrong), wrong).toMatchObject({ code: 310001, data: {} });
    }
  });
});
