import { expect, test } from 'vitest';
import { eachSurface } from '../../support/server.ts';
import { at, newSheet, r4 } from './support.ts';

eachSurface('sheet', 'what the page is made of', (call, server) => {
  const sheet = (csv?: string) => newSheet(call, server(), csv);

  test('[S117] get_view: shown texts, kinds, what editing begins with, styles, merges, links', async () => {
    const s = await sheet('name,share,due\npear,0.125,45000\n=1/0,TRUE,=B2*2\n');
    await s.ok('set_cell_style', { ...r4('B2:B3'), format: { number_format_pattern: '0.0%', bold: true } });
    await s.ok('set_cell_style', { ...r4('C2'), format: { number_format_pattern: 'd/m/yy' } });
    await s.ok('merge_cell', r4('E1:F2'));
    await s.ok('set_link', { ...at('A2'), url: 'https://example.com/' });
    const view = await s.ok('get_view', r4('A1:F3'));
    expect(view).toEqual({
      version: expect.any(Number),
      cells: [
        [0, 0, 'name', 0],
        [0, 1, 'share', 0],
        [0, 2, 'due', 0],
        [1, 0, 'pear', 0],
        [1, 1, '12.5%', 1],
        [1, 2, '15/3/23', 1, '2023-03-15'],
        [2, 0, '#DIV/0!', 3, '=1/0'],
        [2, 1, 'TRUE', 2],
        [2, 2, '0.25', 1, '=B2*2'],
      ],
      styles: [[1, 1, 2, 0], [2, 1, 1, 1]],
      looks: [{ bold: true, numberFormat: '0.0%' }, { numberFormat: 'd/m/yy' }],
      merges: [[0, 4, 1, 5]],
      links: [[1, 0, 'https://example.com/']],
    });
    expect(await s.call('get_view', { start_row: 0, start_col: 0, end_row: 19_999, end_col: 1 })).toEqual({ code: 310006, msg: 'end_row: a region of at most 20000 cells can be read at once (got 40000)', data: {} });
  });

  test('[S117] get_view with layout: sizes, freeze, rows hidden by hand and by filters', async () => {
    const s = await sheet('k\na\nb\na\n');
    await s.ok('set_dimension_size', { dimensions: [{ dimension_type: 'col', start_index: 1, end_index: 2, size: 120 }, { dimension_type: 'row', index: 0, size: 30 }] });
    await s.ok('set_freeze', { row_count: 1, col_count: 2 });
    await s.ok('set_filter', { ...r4('A1:A4'), filter_id: 'f' });
    await s.ok('update_filter', { filter_id: 'f', columns: [{ col: 0, visible_values: ['a'] }] });
    await s.ok('set_dimension_visible', { dimension_type: 'row', index: 9, count: 2, visible: false });
    await s.ok('set_dimension_visible', { dimension_type: 'col', index: 5, count: 1, visible: false });
    expect((await s.ok('get_view', { ...r4('A1'), layout: true })).layout).toEqual({
      rows: 200,
      cols: 26,
      frozen_rows: 1,
      frozen_cols: 2,
      row_sizes: [[0, 0, 30]],
      col_sizes: [[1, 2, 120]],
      hidden_rows: [[2, 2], [9, 10]],
      hidden_cols: [[5, 5]],
      used: 'A1:A4',
    });
  });

  test('[S118] enter_cells reads texts as a person types them', async () => {
    const s = await sheet('old,old\n');
    await s.ok('enter_cells', { start_row: 0, start_col: 0, rows: [['', null, '12%', "'007"], ['2026-05-01', '$1,234.50', 'true', '=SUM(C1:C1)*2'], ['9:30', '1e3', '#N/A', '12:30 tea']] });
    const view = await s.ok('get_view', r4('A1:D3'));
    expect(view.cells).toEqual([
      [0, 1, 'old', 0],
      [0, 2, '12%', 1],
      [0, 3, '007', 0, "'007"],
      [1, 0, '2026-05-01', 1],
      [1, 1, '$1,234.50', 1, '1234.5'],
      [1, 2, 'TRUE', 2],
      [1, 3, '0.24', 1, '=SUM(C1:C1)*2'],
      [2, 0, '09:30', 1],
      [2, 1, '1000', 1],
      [2, 2, '#N/A', 3],
      [2, 3, '12:30 tea', 0],
    ]);
    await s.ok('enter_cells', { start_row: 0, start_col: 2, rows: [['5']] });
    expect((await s.ok('get_view', r4('C1'))).cells).toEqual([[0, 2, '5%', 1]]);
    expect(await s.call('enter_cells', { start_row: 0, start_col: 0, rows: [['=SUM(']] })).toMatchObject({ code: 310009 });
    expect(await s.call('enter_cells', { start_row: 1_048_575, start_col: 0, rows: [['a'], ['b']] })).toEqual({ code: 310006, msg: 'rows: 2 rows from row 1048575 on exceed 1048576 rows', data: {} });
  });

  test('[S118] what editing begins with gives the same cell when entered again', async () => {
    const s = await sheet();
    const typed = ['0012', "'0012", '3/4/2026 14:05', '50%', '€12', '=1=1', 'plain', "'=no formula", '1,000,000', "'"];
    await s.ok('enter_cells', { start_row: 0, start_col: 0, rows: [typed] });
    const before = await s.ok('get_view', r4('A1:J1'));
    const again = Array.from({ length: 10 }, (_, col) => {
      const cell = before.cells.find((one: unknown[]) => one[1] === col);
      return cell ? (cell[4] ?? cell[2]) : null;
    });
    await s.ok('enter_cells', { start_row: 0, start_col: 0, rows: [again] });
    const { version: _, ...after } = await s.ok('get_view', r4('A1:J1'));
    expect(after).toEqual({ cells: before.cells, styles: before.styles, looks: before.looks, merges: [], links: [] });
  });

  test('[S119] copy_range: relative references follow, styles, links and merges come along, the source repeats', async () => {
    const s = await sheet('1,=A1*10,x\n2,=A2*10\n');
    await s.ok('set_cell_style', { ...r4('B1:B2'), format: { font_size: 20 } });
    await s.ok('merge_cell', r4('C1:D1'));
    await s.ok('set_link', { ...at('A1'), url: 'https://example.com/' });
    await s.ok('copy_range', { source: r4('A1:D2'), target: r4('A5:D8') });
    expect(await s.csv('A5:C8')).toBe('1,10,x\n2,20,\n1,10,x\n2,20,\n');
    expect(await s.formula('B8')).toBe('=A8*10');
    expect((await s.ok('get_cell_style', r4('B8'))).cells[0].font_size).toBe(20);
    const view = await s.ok('get_view', r4('A5:D8'));
    expect(view.merges).toEqual([[4, 2, 4, 3], [6, 2, 6, 3]]);
    expect(view.links).toEqual([[4, 0, 'https://example.com/'], [6, 0, 'https://example.com/']]);
    await s.ok('copy_range', { source: r4('B1:B2'), target: r4('F1'), what: 'values' });
    expect(await s.formula('F2')).toBeUndefined();
    expect(await s.csv('F1:F2')).toBe('10\n20\n');
    await s.ok('copy_range', { source: r4('B1'), target: r4('G1:G3'), what: 'formats' });
    expect(await s.csv('G1:G3')).toBe('\n\n\n');
    expect((await s.ok('get_cell_style', r4('G3'))).cells[0].font_size).toBe(20);
  });

  test('[S119] copy_range with move cuts; formulas keep speaking of the same cells', async () => {
    const s = await sheet('1,=A1*10\n');
    const { sheet_id } = (await call('add_sheet', { file_id: s.file_id })).data;
    await s.ok('copy_range', { source: r4('B1'), target: r4('B2'), move: true });
    expect(await s.cells('B1:B2')).toEqual([{ row: 1, col: 1, value_type: 'FORMULA', number_value: 10, formula: '=A1*10' }]);
    await s.ok('copy_range', { source: r4('A1:B2'), target: r4('A2:B3'), move: true });
    expect(await s.csv('A1:B3')).toBe(',\n1,\n,0\n');
    await s.ok('copy_range', { source: r4('A2'), target: r4('C1'), target_sheet_id: sheet_id });
    expect((await call('get_cell_data', { file_id: s.file_id, sheet_id, ...r4('C1') })).data.cells).toEqual([{ row: 0, col: 2, value_type: 'NUMBER', number_value: 1 }]);
    expect(await s.call('copy_range', { source: r4('A1:B2'), target: { start_row: 1_048_575, start_col: 0, end_row: 1_048_575, end_col: 0 } })).toEqual({ code: 310006, msg: 'target: row 1048576 is past the last, 1048575', data: {} });
  });

  test('[S119] copy_range with series goes on with numbers, dates, names and counted texts', async () => {
    const s = await sheet('1,Mon,Item 8,2,a,=A1\n3,Tue,Item 9,2,b,=A2\n');
    await s.ok('enter_cells', { start_row: 0, start_col: 6, rows: [['2026-01-31']] });
    await s.ok('copy_range', { source: r4('A1:F2'), target: r4('A3:F5'), series: true });
    expect(await s.csv('A3:F5')).toBe('5,Wed,Item 10,2,a,5\n7,Thu,Item 11,2,b,7\n9,Fri,Item 12,2,a,9\n');
    await s.ok('copy_range', { source: r4('G1'), target: r4('H1:I1'), series: true });
    expect(await s.csv('H1:I1')).toBe('2026-02-01,2026-02-02\n');
    await s.put('A20', '10\n20\n');
    await s.ok('copy_range', { source: r4('A20:A21'), target: r4('A18:A19'), series: true });
    expect(await s.csv('A18:A21')).toBe('-10\n0\n10\n20\n');
  });

  test('[S119] list_functions: names with their arguments', async () => {
    const all = (await call('list_functions', {})).data.functions;
    expect(all.length).toBeGreaterThan(400);
    expect(all.find((one: { name: string }) => one.name === 'XLOOKUP')).toEqual({ name: 'XLOOKUP', family: 'lookup', arguments: 'value, lookup_range, return_range, [if_missing], [match_mode], [search_mode]' });
    expect((await call('list_functions', { search: 'lambda' })).data.functions).toEqual([{ name: 'LAMBDA', family: 'lambda', arguments: '[parameter], ..., calculation' }]);
  });

  test('[S119] summarize_range and find_edge', async () => {
    const s = await sheet('1,a\n2,\n,TRUE\n4.5,=1/0\n');
    expect(await s.ok('summarize_range', r4('A1:B9'))).toEqual({ filled_count: 6, number_count: 3, sum: 7.5, average: 2.5, min: 1, max: 4.5 });
    expect(await s.ok('summarize_range', r4('F1:G9'))).toEqual({ filled_count: 0, number_count: 0, sum: 0 });
    const edge = (cell: string, direction: string) => s.ok('find_edge', { ...at(cell), direction });
    expect(await edge('A1', 'down')).toEqual(at('A2'));
    expect(await edge('A2', 'down')).toEqual(at('A4'));
    expect(await edge('A4', 'down')).toEqual(at('A200'));
    expect(await edge('A200', 'up')).toEqual(at('A4'));
    expect(await edge('A1', 'right')).toEqual(at('B1'));
    expect(await edge('B1', 'right')).toEqual(at('Z1'));
    expect(await edge('A1', 'left')).toEqual(at('A1'));
  });
});
