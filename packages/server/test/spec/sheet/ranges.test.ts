import { describe, expect, test } from 'vitest';
import { specifiedTools } from '../../../src/modules/sheet/tools.ts';
import { publishedInputSchema } from '../../../src/kernel/describe-operation.ts';
import { onTool, r4, refused, type Sheet } from './support.ts';

const numbers = new Set(['start_row', 'start_col', 'end_row', 'end_col', 'row', 'col', 'row_index', 'dimension_type']);

describe('[finding G10] A1 ranges in the specified tools', () => {
  test('every tool that names cells by numbers takes range too, and still publishes its numbers as specified', () => {
    const shapes = Object.values(specifiedTools).map((tool) => ({
      name: tool.name,
      ...publishedInputSchema(tool as never),
    }));
    const named = shapes.filter(({ properties = {} }) => Object.keys(properties).some((name) => numbers.has(name)));
    expect(named.length).toBeGreaterThanOrEqual(23);
    expect(named.filter(({ properties }) => !('range' in properties!)).map(({ name }) => name)).toEqual([]);
    const { required } = shapes.find(({ name }) => name === 'clear_range_all')!;
    expect(required).toEqual(['file_id', 'sheet_id', 'start_row', 'start_col', 'end_row', 'end_col']);
  });
});

onTool('A1 ranges', ({ call, sheet }) => {
  const csv = 'a,b,c\n1,2,3\n4,5,6\n7,8,9\n';
  /** Calls a tool without the sub-sheet's id, which the range names. */
  const on = (s: Sheet) => (tool: string, input: Record<string, unknown>) =>
    call(tool, { file_id: s.file_id, ...input });

  test("[finding G10] stand for the numbers, with a sub-sheet's name in quotes", async () => {
    const s = await sheet(csv);
    await s.ok('rename_sheet', { name: 'Q1 plan' });
    const { sheet_id } = await s.ok('add_sheet', { name: 'Other' });
    const run = on(s);
    expect((await run('get_cell_data', { range: "'Q1 plan'!A2:B3", return_csv: true })).data).toEqual({
      csv_data: '1,2\n4,5\n',
    });
    expect((await run('get_cell_data', { range: 'C:C', sheet_id: 'Q1 plan', return_csv: true })).data).toEqual({
      csv_data: 'c\n3\n6\n9\n',
    });
    expect(await run('set_cell_style', { range: "'Q1 plan'!A1:C1", format: { bold: true } })).toMatchObject({
      code: 0,
    });
    expect(await run('insert_dimension', { range: "'Q1 plan'!2:3" })).toMatchObject({ code: 0 });
    expect(await s.csv('A1:A4')).toBe('a\n\n\n1\n');
    expect(await run('delete_dimension', { range: "'Q1 plan'!2:3" })).toMatchObject({ code: 0 });
    const sort = { range: "'Q1 plan'!A2:C4", columns: [{ col: 0, order: 0 }] };
    expect(await run('sort_range', sort)).toMatchObject({ code: 0 });
    expect(await s.csv('A1:A4')).toBe('a\n7\n4\n1\n');
    const cell = { range: 'Other!B2', value_type: 'NUMBER', number_value: 5 };
    expect(await run('set_cell_value', cell)).toMatchObject({ code: 0 });
    expect((await run('get_cell_data', { sheet_id, ...r4('B2'), return_csv: true })).data).toEqual({ csv_data: '5\n' });
    const sizes = {
      sheet_id: 'Q1 plan',
      dimensions: [
        { range: 'A:B', size: 120 },
        { range: '1:1', size: 30 },
      ],
    };
    expect(await run('set_dimension_size', sizes)).toMatchObject({ code: 0 });
    expect((await run('read', { range: "'Q1 plan'!A1:B1", show: ['styles'] })).data).toMatchObject({
      sizes: { 'A:B': 120, '1:1': 30 },
      styles: { 'A1:B1': 'bold' },
    });
    const nested = { chart_type: 'CHART_LINE', data_range: "'Q1 plan'!A1:B4", drawing_id: 'c', location: 'G2' };
    expect(await run('add_chart', nested)).toMatchObject({ code: 0 });
    expect((await s.ok('get_charts')).charts[0]).toMatchObject({ data_range: r4('A1:B4'), location: { row_index: 1 } });
    expect(await run('add_protect_range', { range: 'Other!A1:B2' })).toMatchObject({ code: 0 });
    expect((await run('get_protect_ranges', { sheet_id })).data['ranges']).toMatchObject([
      { range: { start_row: 0, start_col: 0, end_row: 2, end_col: 2 } },
    ]);
  });

  test('[finding G10] several areas are one call and one revision; what shifts lines starts at the end', async () => {
    const s = await sheet(csv);
    const run = on(s);
    expect((await run('get_cell_data', { range: 'Sheet1!A1:A2,C3' })).data['cells']).toHaveLength(3);
    const before = (await call('get_history', { file_id: s.file_id, limit: 1 })).data['revisions'] as {
      version: number;
    }[];
    expect(await run('delete_dimension', { range: 'Sheet1!2:2,4:4' })).toMatchObject({ code: 0 });
    expect(await s.csv('A1:C2')).toBe('a,b,c\n4,5,6\n');
    const after = (await call('get_history', { file_id: s.file_id, limit: 1 })).data['revisions'] as {
      version: number;
    }[];
    expect(after[0]!.version).toBe(before[0]!.version + 1);
    expect((await s.ok('read', { range: 'A1,C2' })).more).toEqual([{ range: 'Sheet1!C2', rows: { 2: [6] } }]);
  });

  test('[finding G10] several areas are searched with one offset, listed once, linked and filled in one call', async () => {
    const s = await sheet(csv);
    const run = on(s);
    const found = async (more: object): Promise<any> =>
      (await run('find', { search_term: '[0-9]', use_regex: true, range: 'A1:A4,C1:C4', ...more })).data;
    const addresses = ({ results }: any): string[] => results.map((one: any) => one.address);
    expect(await found({})).toMatchObject({ total_results: 6, overflow: false, next_offset: 0 });
    const page = await found({ offset: 2, max_results: 2 });
    expect(addresses(page)).toEqual(['A4', 'C2']);
    expect(page).toMatchObject({ total_results: 6, overflow: true, next_offset: 4 });
    await s.ok('set_filter', { range: 'A1:C4' });
    const { objects } = (await run('get_sheet_object_list', { range: 'A1:A2,B2:C4,E9' })).data;
    expect(objects).toHaveLength(1);
    expect(await run('set_link', { range: 'A2,C3', url: 'https://example.org' })).toMatchObject({ code: 0 });
    expect(await run('set_range_value_by_csv', { range: 'E1,G1', csv_data: 'x,y' })).toMatchObject({ code: 0 });
    expect(await s.csv('E1:H1')).toBe('x,y,x,y\n');
  });

  test('[finding G10] are refused with what is wrong: two places, no sub-sheet, not lines, several where one is meant', async () => {
    const s = await sheet(csv);
    const run = on(s);
    expect(await run('clear_range_cells', { range: 'A1', start_row: 3 })).toEqual(
      refused(310001, 'range: stands for start_row, which would be 0; send one of them (got both)'),
    );
    expect(await run('insert_dimension', { range: 'A1:B2' })).toEqual(
      refused(310001, 'range: must be whole rows (3:5) or columns (B:C), or send dimension_type too'),
    );
    expect(await run('set_link', { range: 'A1:B1', url: 'https://example.org' })).toEqual(
      refused(310001, 'range: must be one cell (got A1:B1)'),
    );
    expect(await run('find', { search_term: 'a', range: 'A1:B2,B2:C3' })).toEqual(
      refused(310001, 'range: areas must not overlap (got A1:B2 and B2:C3)'),
    );
    expect(await run('update_filter', { range: 'A1:B2,C1:C2' })).toEqual(
      refused(310001, 'range: must name one area, because the tool takes one (got 2)'),
    );
    await s.ok('add_sheet', { name: 'Other' });
    expect(await run('clear_range_all', { range: 'A1' })).toEqual(
      refused(310001, 'range: name the sub-sheet too, as Sheet1!A1; there are Sheet1, Other'),
    );
  });

  test('[finding G10] an unknown field names the right one, by the words that programs use', async () => {
    const s = await sheet(csv);
    expect(await s.call('clear_range_cells', { address: 'A1:B2' })).toEqual(
      refused(310001, 'start_row: is required; address is not a field of clear_range_cells, did you mean range?'),
    );
    const cases: [string, Record<string, unknown>, string][] = [
      [
        'copy_range',
        { source: 'A1', target: 'B1', tab: 'x' },
        'tab: is not a field of copy_range; did you mean sheet_id?',
      ],
      ['read', { cells: 'A1' }, 'cells: is not a field of read; did you mean range?'],
      ['query', { sql: 'select 1' }, 'sql: is not a field of query; did you mean query?'],
      ['edit_rows', { action: 'find', filter: 'a = 1' }, 'filter: is not a field of edit_rows; did you mean where?'],
      ['write', { range: 'A1', values: [[1]] }, 'values: is not a field of write; did you mean rows?'],
      ['replace', { find: 'a', replacement: 'b' }, 'find: is not a field of replace; did you mean search_term?'],
    ];
    for (const [tool, input, msg] of cases)
      expect(await call(tool, { file_id: s.file_id, ...input })).toEqual(refused(310001, msg));
  });
});
