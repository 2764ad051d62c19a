import { beforeAll, expect, test } from 'vitest';
import type { Key } from '@sheaf/tools/testing/call-client.ts';
import { importedSheet } from './imported.ts';
import { at, nothing, onTool, r4, refused } from './support.ts';

onTool('set_cell_style', ({ sheet, server, call }) => {
  test('[finding T5] `format` of `set_cell_style` also takes the names that `get_cell_style` returns, and is not looked at when `is_clear`', async () => {
    const s = await sheet('0.5\n');
    await s.ok('set_cell_style', { ...r4('A1'), format: { background_color: 'FFFFFF00', number_format: '0%' } });
    const [style] = (await s.ok('get_cell_style', r4('A1'))).cells;
    expect(style).toMatchObject({ background_color: 'FFFFFF00', number_format: '0%' });
    expect(await s.call('set_cell_style', { ...r4('A1'), is_clear: true, format: { bg_color: 'nonsense' } })).toEqual(
      nothing,
    );
    expect((await s.ok('get_cell_style', r4('A1'))).cells[0]).toMatchObject({
      background_color: '',
      number_format: '',
    });
    await s.ok('batch', {
      calls: [
        {
          tool: 'set_cell_style',
          arguments: { sheet_id: s.sheet_id, ...r4('A1'), format: { number_format: '0.00' } },
        },
      ],
    });
    expect((await s.ok('get_cell_style', r4('A1'))).cells[0]).toMatchObject({ number_format: '0.00' });
  });

  test('[finding T5] pieces of a text follow what is said of the whole cell', async () => {
    const s = await importedSheet(
      call,
      server(),
      '<row r="1"><c r="A1" t="inlineStr"><is><r><rPr><b/><i/></rPr><t>a</t></r><r><t>b</t></r></is></c></row>',
    );
    const pieces = async () => (await s.ok('get_view', r4('A1'))).rich?.[0]?.pieces;
    const before = await pieces();
    expect(before).toMatchObject([{ text: 'a', style: { bold: true, italic: true } }, { text: 'b' }]);
    await s.ok('set_cell_style', { ...r4('A1'), format: { bold: false } });
    expect(await pieces()).toEqual([{ text: 'a', style: { italic: true } }, { text: 'b' }]);
    await s.ok('clear_range_style', r4('A1'));
    expect(await pieces()).toBeUndefined();
    expect(await s.csv('A1')).toBe('ab\n');
  });
});

onTool('add_protect_range', ({ sheet, server }) => {
  let other: Key;
  beforeAll(async () => {
    other = await server().newUser();
  });
  const shared = async (csv?: string) => {
    const s = await sheet(csv);
    await server().call('http', 'manage', 'share_file', { file_id: s.file_id, user_id: other.userId, role: 'editor' });
    return s;
  };
  const b2 = { range: { start_row: 1, start_col: 1, end_row: 2, end_col: 2 } };

  test('[finding T6] protection holds for what a call touches, however it reaches it: neighbours’ borders, hiding, sizes, filters and objects', async () => {
    const s = await shared('a,b,c\n1,2,3\n4,5,6\n');
    await s.ok('set_border', { ...r4('B2'), border_positions: [0, 1, 2, 3] });
    await s.ok('add_protect_range', b2);
    const code = async (tool: string, input: Record<string, unknown>) => (await s.call(tool, input, other)).code;
    expect(await code('clear_border', r4('B1'))).toBe(310005);
    expect(await code('set_border', { ...r4('C2'), border_positions: [2] })).toBe(310005);
    expect(await code('set_border', { ...r4('D2'), border_positions: [2] })).toBe(0);
    const hide = (count: number) => ({ dimension_type: 'row', index: 0, count, visible: false });
    expect(await code('set_dimension_visible', hide(2))).toBe(310005);
    expect(await code('set_dimension_visible', hide(1))).toBe(0);
    expect(await code('set_dimension_size', { dimensions: [{ dimension_type: 'col', index: 1, size: 50 }] })).toBe(
      310005,
    );
    expect(await code('set_filter', r4('A1:C3'))).toBe(310005);
    expect(await code('set_filter', { ...r4('E1:F3'), filter_id: 'beside' })).toBe(0);
    // A filter beside the range that would hide its rows.
    expect(await code('update_filter', { filter_id: 'beside', columns: [{ col: 4, visible_values: ['none'] }] })).toBe(
      310005,
    );
    const chart = { chart_type: 'CHART_LINE', data_range: r4('A1:C3') };
    const place = (row_index: number) => ({ location: { row_index, col_index: 0, width: 300, height: 100 } });
    expect(await code('add_chart', { ...chart, drawing_id: 'over', ...place(0) })).toBe(310005);
    expect(await code('add_chart', { ...chart, drawing_id: 'below', ...place(10) })).toBe(0);
    expect(await code('update_chart', { drawing_id: 'below', ...place(1) })).toBe(310005);
  });

  test('[finding T6] a range’s creator is never locked out of it by another’s', async () => {
    const s = await shared('a,b\n');
    const mine = { range: { start_row: 0, start_col: 0, end_row: 1, end_col: 1 } };
    expect((await s.call('add_protect_range', { ...mine, sheet_id: s.sheet_id }, other)).code).toBe(0);
    await s.ok('add_protect_range', { whole_sheet: true });
    const write = async (cell: string, as?: Key) =>
      (await s.call('set_cell_value', { ...at(cell), value_type: 'NUMBER', number_value: 1 }, as)).code;
    expect([await write('A1', other), await write('B1', other)]).toEqual([0, 310005]);
    // One that comes later opens nothing.
    expect((await s.call('add_protect_range', b2, other)).code).toBe(0);
    expect(await write('B2', other)).toBe(310005);
    expect(await write('B2')).toBe(0);
  });
});

onTool('update_pivot_table', ({ sheet, call }) => {
  const withPivot = async (csv = 'k,v\nNorth,1\nsouth,2\n') => {
    const s = await sheet(csv);
    const made = await call('add_pivot_table', {
      file_id: s.file_id,
      pivot_table_id: 'p',
      source_sheet_id: s.sheet_id,
      source_range: r4('A1:B3'),
      anchor_sheet_id: s.sheet_id,
      anchor_row: 0,
      anchor_col: 4,
    });
    expect(made).toEqual(nothing);
    return s;
  };
  const rows = { pivot_table_id: 'p', row_groups: [{ source_data_column: 0 }] };
  const sum = { pivot_values: [{ source_data_column: 1, summarize_function: 'SUM' }] };

  test('[finding T8] writing into or clearing a pivot table’s output is 310008', async () => {
    const s = await withPivot();
    await s.ok('update_pivot_table', { ...rows, ...sum });
    const shown = await s.csv('E1:F4');
    const says = refused(
      310008,
      'E1:F4 shows pivot table p; change it with update_pivot_table or remove it with remove_pivot_table',
    );
    expect(await s.call('set_cell_value', { ...at('F2'), value_type: 'NUMBER', number_value: 9 })).toEqual(says);
    expect(await s.call('clear_range_cells', r4('D1:E2'))).toEqual(says);
    expect(await s.call('set_range_value_by_csv', { start_row: 0, start_col: 3, csv_data: 'a,b' })).toEqual(says);
    expect(
      (
        await s.call('batch', {
          calls: [{ tool: 'clear_range_all', arguments: { sheet_id: s.sheet_id, ...r4('F3') } }],
        })
      ).code,
    ).toBe(310008);
    expect(await s.call('clear_range_cells', { range: 'A9:A10,E2:E3' })).toEqual(says);
    const { sheet_id: other } = await s.ok('add_sheet', { name: 'Other' });
    await s.ok('enter_cells', {
      sheet_id: other,
      start_row: 0,
      start_col: 0,
      rows: [
        ['k', 'v'],
        ['x', '1'],
      ],
    });
    expect(await s.call('edit_rows', { range: 'Other', action: 'move', where: "k = 'x'", to: 'Sheet1!E2' })).toEqual(
      says,
    );
    expect(await s.csv('E1:F4')).toBe(shown);
    expect(await s.call('set_cell_value', { ...at('G2'), value_type: 'NUMBER', number_value: 9 })).toEqual(nothing);
  });

  test('[finding T8] labels of days are days, shown by the format of their source, copied too', async () => {
    const s = await withPivot('day,v\n45001,1\n45000,2\n');
    await s.ok('set_cell_style', { ...r4('A2:A3'), format: { number_format_pattern: 'yyyy-mm-dd' } });
    await s.ok('update_pivot_table', { ...rows, ...sum });
    expect(await s.csv('E1:F4')).toBe('day,SUM of v\n2023-03-15,2\n2023-03-16,1\nGrand Total,3\n');
    const styles = await s.ok('get_cell_style', r4('E2'));
    expect(styles).toMatchObject({ cells: [{ number_format: 'yyyy-mm-dd' }] });
    await s.put('H1', '=E3+1');
    expect(await s.csv('H1')).toBe('45002\n');
    await s.ok('copy_range', { source: 'E2:E3', target: 'H2' });
    expect(await s.csv('H2:H3')).toBe('2023-03-15\n2023-03-16\n');
  });

  test('[finding T8] a calculated field with an unknown name is refused, filters fold case', async () => {
    const s = await withPivot();
    const calculated = (formula: string) => ({ ...rows, ...sum, calculated_values: [{ name: 'c', formula }] });
    expect(await s.call('update_pivot_table', calculated('=v*prise'))).toEqual(
      refused(310001, 'calculated_values[0].formula: there is no field "prise"; there are k, v'),
    );
    expect(await s.call('update_pivot_table', calculated('=LET(x,v*2,x+1)'))).toEqual(nothing);
    await s.ok('update_pivot_table', {
      ...rows,
      ...sum,
      filters: [{ source_data_column: 0, visible_values: ['SOUTH'] }],
    });
    expect(await s.csv('E1:F3')).toBe('k,SUM of v\nsouth,2\nGrand Total,2\n');
  });
});

onTool('update_filter', ({ sheet, call }) => {
  test('[finding T9] `update_filter` matches a cell by its shown text or its stored value', async () => {
    const s = await sheet('h,p,b\n123456789012,0.5,TRUE\n7,0.25,FALSE\n');
    await s.ok('set_cell_style', { ...r4('B2:B3'), format: { number_format_pattern: '0%' } });
    await s.ok('set_filter', { ...r4('A1:C3'), filter_id: 'f' });
    await s.put('E1', '"=SUBTOTAL(109,A2:A3)"');
    const seen = async (col: number, value: string) => {
      await s.ok('update_filter', { filter_id: 'f', columns: [{ col, visible_values: [value] }] });
      const sum = await s.csv('E1');
      await s.ok('remove_filter', { filter_id: 'f' });
      await s.ok('set_filter', { ...r4('A1:C3'), filter_id: 'f' });
      return sum;
    };
    expect(await seen(1, '50%')).toBe('123456789012\n');
    expect(await seen(0, '123456789012')).toBe('123456789012\n');
    expect(await seen(1, '0.5')).toBe('123456789012\n');
    expect(await seen(2, 'TRUE')).toBe('123456789012\n');
    expect(await seen(1, '0.250')).toBe('0\n');
  });

  test('[finding T9] `table_id` of sort_range sorts the part of the table that the region names', async () => {
    const s = await sheet('h\n3\n1\n2\n0\n');
    await s.ok('set_filter', { ...r4('A1:A5'), filter_id: 'f' });
    const columns = [{ col: 0, order: 1 }];
    await s.ok('sort_range', { ...r4('A2:A4'), columns, table_id: 'f' });
    expect(await s.csv('A1:A5')).toBe('h\n1\n2\n3\n0\n');
    await s.ok('sort_range', { ...r4('A1:A5'), columns, table_id: 'f' });
    expect(await s.csv('A1:A5')).toBe('h\n0\n1\n2\n3\n');
    expect(await s.call('sort_range', { ...r4('C1:C5'), columns, table_id: 'f' })).toEqual(
      refused(310001, 'start_row: the region must meet the table, rows 0 to 4, columns 0 to 0'),
    );
  });

  test('[finding T9] `file_id` and `file_url` of different documents: 310001', async () => {
    const s = await sheet();
    const file_url = `http://127.0.0.1/sheet/${s.file_id}`;
    expect(await call('get_sheet_info', { file_id: s.file_id, file_url })).toMatchObject({ code: 0 });
    expect(await call('get_sheet_info', { file_id: s.file_id, file_url: 'http://127.0.0.1/sheet/doc_other' })).toEqual(
      refused(310001, `file_url: must be the address of file_id, "${s.file_id}" (got "doc_other")`),
    );
  });
});

onTool('set_link', ({ sheet }) => {
  test('[finding T10] a link goes to a sub-sheet whose name has blanks; `get_cell_data` adds `link_id` to linked cells', async () => {
    const s = await sheet('x,y\n');
    expect(await s.call('set_link', { ...at('A1'), url: "#'My Sheet'!A1" })).toEqual(nothing);
    const [linked, plain] = await s.cells('A1:B1');
    expect(plain).not.toHaveProperty('link_id');
    const { link_id } = linked as { link_id?: string };
    expect(link_id).toEqual(expect.any(String));
    expect((await s.call('clear_link', { ...at('A1'), link_id: 'link_other' })).code).toBe(310004);
    expect(await s.call('clear_link', { ...at('A1'), link_id })).toEqual(nothing);
    expect((await s.cells('A1'))[0]).not.toHaveProperty('link_id');
  });

  test('[finding T10] a sub-sheet’s name has no control characters', async () => {
    const s = await sheet();
    expect(await s.call('rename_sheet', { name: 'a\u0007b' })).toEqual(
      refused(310001, 'name: must not contain control characters (got "a\\u0007b")'),
    );
    expect((await s.call('add_sheet', { name: 'a\tb' })).code).toBe(310001);
  });
});

onTool('add_chart', ({ sheet }) => {
  const drawn = async (s: Awaited<ReturnType<typeof sheet>>) =>
    JSON.parse((await s.ok('render_chart', { drawing_id: 'c', format: 'data' })).content).data;

  test('[finding T11] a chart keeps its direction when columns are inserted', async () => {
    const s = await sheet(',x,y\na,1,2\nb,3,4\n');
    await s.ok('add_chart', { chart_type: 'CHART_LINE', data_range: r4('A1:C3'), drawing_id: 'c' });
    const before = await drawn(s);
    expect(before.columnSeries).toBe(true);
    await s.ok('insert_dimension', { dimension_type: 'col', index: 2, count: 3 });
    expect((await drawn(s)).columnSeries).toBe(true);
  });

  test('[finding T11] hidden rows are not drawn; a lower limit over the upper one is refused', async () => {
    const s = await sheet('k,v\na,1\nb,2\nc,3\n');
    await s.ok('add_chart', { chart_type: 'CHART_LINE', data_range: r4('A1:B4'), drawing_id: 'c' });
    await s.ok('set_filter', { ...r4('A1:B4'), filter_id: 'f' });
    await s.ok('update_filter', { filter_id: 'f', columns: [{ col: 0, visible_values: ['a', 'c'] }] });
    expect(await drawn(s)).toMatchObject({ categories: ['a', 'c'], series: [{ name: 'v', values: [1, 3] }] });
    expect(await s.call('update_chart', { drawing_id: 'c', options_json: '{"yAxis":{"min":5,"max":1}}' })).toEqual(
      refused(310001, 'options_json: yAxis.min: must be less than max, 1 (got 5)'),
    );
  });
});
