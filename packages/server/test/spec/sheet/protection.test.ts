import { beforeAll, expect, test } from 'vitest';
import { sheet as sheetModule } from '../../../src/modules/sheet/index.ts';
import { onSurface, type Key } from '@sheaf/tools/testing/test-server.ts';
import { examples } from './examples.ts';
import { at, newSheet, r4, sheetOf } from './support.ts';

/** Tools that change cells: refused by a protection of any cell they would touch. */
const changeCells = [
  'set_cell_value',
  'set_range_value',
  'write',
  'edit_rows',
  'set_range_value_by_csv',
  'clear_range_cells',
  'clear_range_style',
  'clear_range_all',
  'set_cell_style',
  'set_border',
  'clear_border',
  'merge_cell',
  'unmerge_cell',
  'insert_dimension',
  'delete_dimension',
  'move_dimension',
  'insert_range',
  'delete_range',
  'sort_range',
  'set_link',
  'clear_link',
  'delete_sheet',
  'add_pivot_table',
  'remove_pivot_table',
  'update_pivot_table',
  'update_protect_range',
  'delete_protect_range',
  'batch',
  'append_rows',
  'replace',
  'revert',
  'enter_cells',
  'copy_range',
  'undo_revision',
];
/** Tools that hide or resize cells or lie over them: refused as those above. */
const lieOver = [
  'set_dimension_size',
  'set_filter',
  'remove_filter',
  'update_filter',
  'insert_image',
  'add_chart',
  'delete_chart',
  'update_chart',
  'set_dimension_visible',
  'update_image',
  'delete_image',
];
lieOver.push('set_conditional_format', 'set_validation', 'set_comment', 'set_table');
changeCells.push(...lieOver);
/** Tools that change the sub-sheet but no cell: refused by a protection of the whole sub-sheet. */
const changeSheet = [
  'set_sheet_properties',
  'set_page_setup',
  'set_freeze',
  'unset_freeze',
  'rename_sheet',
  'move_sheet',
];
/** Tools that leave what is protected as it is. */
const harmless = ['add_sheet', 'copy_sheet', 'add_protect_range', 'set_name', 'delete_object'];

/** Preparations without which the example would find nothing to change. */
const before: Record<string, [tool: string, input: Record<string, unknown>][]> = {
  unmerge_cell: [['merge_cell', r4('A1:B1')]],
  clear_range_style: [['set_cell_style', { ...r4('A1:C4'), format: { bold: true } }]],
  clear_link: [['set_link', { ...at('A1'), url: 'https://example.com/' }]],
  remove_filter: [['set_filter', r4('A1:C4')]],
  unset_freeze: [['set_freeze', { row_count: 1, col_count: 1 }]],
  clear_border: [['set_border', { ...r4('A1:C4'), border_positions: [0] }]],
  move_sheet: [['add_sheet', {}]],
};

onSurface('sheet', 'protection', (call, server) => {
  let creator: Key;
  let other: Key;
  beforeAll(async () => {
    creator = await server().newUser();
    other = await server().newUser();
  });

  test('[S90] every writing tool is known here', () => {
    const writing = Object.values(sheetModule.operations)
      .filter((one) => one.effect !== 'read')
      .map((one) => one.name);
    expect([...changeCells, ...changeSheet, ...harmless].sort()).toEqual(writing.sort());
  });

  /** A document of the owner's, ready for the tool, protected by the creator; both are editors. */
  const prepare = async (tool: string, protection: Record<string, unknown>) => {
    const http = (name: string, input: unknown, as?: Key) =>
      server().call('http', name === 'share_file' || name === 'query_file_info' ? 'manage' : 'sheet', name, input, as);
    const input = await examples[tool]!(server());
    const file_id = input['file_id'] as string;
    const { data } = await http('get_sheet_info', { file_id });
    const sheet_id = data.sheets[0].sheet_id as string;
    for (const [name, more] of before[tool] ?? [])
      expect(await http(name, { file_id, sheet_id, ...more })).toMatchObject({ code: 0 });
    for (const user of [creator, other])
      expect(await http('share_file', { file_id, user_id: user.userId, role: 'editor' })).toMatchObject({ code: 0 });
    const made = await http('add_protect_range', { file_id, sheet_id, ...protection }, creator);
    expect(made).toMatchObject({ code: 0 });
    const ready: Record<string, unknown> = { ...input };
    if (tool === 'move_sheet') ready['dest_index'] = 1;
    if (tool === 'batch')
      ready['calls'] = [
        { tool: 'set_freeze', arguments: { sheet_id, row_count: 1, col_count: 0 } },
        { tool: 'set_cell_value', arguments: { sheet_id, ...at('B2'), value_type: 'NUMBER', number_value: 1 } },
      ];
    if (tool === 'update_protect_range' || tool === 'delete_protect_range')
      ready['protect_range_id'] = made.data.protect_range_id;
    const version = async () => (await http('query_file_info', { file_id })).data.file.version as number;
    return { ready, version };
  };

  const held = { range: { start_row: 0, start_col: 0, end_row: 30, end_col: 13 } };
  for (const tool of changeCells) {
    test(`[S91][T60][T61] ${tool} does not get past a protected range; its creator and the owner do`, async () => {
      const { ready, version } = await prepare(tool, held);
      const was = await version();
      expect(await call(tool, ready, other)).toMatchObject({ code: 310005, data: {} });
      expect(await version()).toBe(was);
      // Going back undoes the protection too, which is the creator's own.
      expect(await call(tool, ready, creator), 'creator').toMatchObject({ code: 0 });
      const again = await prepare(tool, held);
      expect(await call(tool, again.ready), 'owner').toMatchObject({ code: 0 });
      expect(await again.version()).toBeGreaterThan(was);
    });
  }

  for (const tool of [...changeCells, ...changeSheet]) {
    test(`[S92][T61] ${tool} does not get past a protected sub-sheet`, async () => {
      const { ready, version } = await prepare(tool, { whole_sheet: true });
      const was = await version();
      expect(await call(tool, ready, other)).toMatchObject({ code: 310005, data: {} });
      expect(await version()).toBe(was);
      if (changeCells.includes(tool)) return;
      expect(await call(tool, ready, creator), 'creator').toMatchObject({ code: 0 });
    });
  }

  test('[S93] tools that leave cells alone are free beside a protected range', async () => {
    for (const tool of [...changeSheet, ...harmless]) {
      const { ready } = await prepare(tool, held);
      expect(await call(tool, ready, other), tool).toMatchObject({ code: 0 });
    }
  });

  test('[S94][T60] the range is end-exclusive', async () => {
    const s = await newSheet(call, server());
    await server().call('http', 'manage', 'share_file', { file_id: s.file_id, user_id: other.userId, role: 'editor' });
    await s.ok('add_protect_range', { range: { start_row: 1, start_col: 1, end_row: 3, end_col: 3 } });
    const write = async (cell: string) =>
      (await s.call('set_cell_value', { ...at(cell), value_type: 'NUMBER', number_value: 1 }, other)).code;
    expect([await write('B2'), await write('C2'), await write('B3'), await write('C3')]).toEqual([
      310005, 310005, 310005, 310005,
    ]);
    expect([await write('A2'), await write('B1'), await write('D2'), await write('B4'), await write('D4')]).toEqual([
      0, 0, 0, 0, 0,
    ]);
    // Inserting beside the range leaves it whole, inside it does not.
    const insert = async (index: number) =>
      (await s.call('insert_dimension', { dimension_type: 'row', index, count: 1 }, other)).code;
    expect([await insert(1), await insert(5)]).toEqual([0, 0]);
    expect(await insert(3)).toBe(310005);
    expect((await s.ok('get_protect_ranges')).ranges[0].range).toEqual({
      start_row: 2,
      start_col: 1,
      end_row: 4,
      end_col: 3,
    });
  });

  test('[S97] a batch cannot move a protection away and write where it was', async () => {
    const s = await newSheet(call, server(), 'a\nsecret\n');
    await server().call('http', 'manage', 'share_file', { file_id: s.file_id, user_id: other.userId, role: 'editor' });
    await s.ok('add_protect_range', { range: { start_row: 1, start_col: 0, end_row: 2, end_col: 1 } });
    const theirs = sheetOf(call, s.file_id, s.sheet_id);
    const insert = {
      tool: 'insert_dimension',
      arguments: { sheet_id: s.sheet_id, dimension_type: 'row', index: 0, count: 1 },
    };
    const write = (cell: string) => ({
      tool: 'set_cell_value',
      arguments: { sheet_id: s.sheet_id, ...at(cell), value_type: 'STRING', string_value: 'x' },
    });
    expect(await theirs.call('batch', { calls: [insert, write('A3')] }, other)).toMatchObject({
      code: 310005,
      data: {},
    });
    expect(await s.csv('A1:A3')).toBe('a\nsecret\n');
    // Where the protection no longer is, writing is free.
    expect(await theirs.call('batch', { calls: [insert, write('A2')] }, other)).toMatchObject({ code: 0 });
    expect(await s.csv('A1:A3')).toBe('\nx\nsecret\n');
  });

  test('[S98][T60] a pivot table does not grow into a protected range because its source changed', async () => {
    const s = await newSheet(call, server(), 'k,v\na,1\na,2\n');
    await server().call('http', 'manage', 'share_file', { file_id: s.file_id, user_id: other.userId, role: 'editor' });
    await call('add_pivot_table', {
      file_id: s.file_id,
      pivot_table_id: 'p',
      source_sheet_id: s.sheet_id,
      source_range: r4('A1:B3'),
      anchor_sheet_id: s.sheet_id,
      anchor_row: 0,
      anchor_col: 4,
    });
    await s.ok('update_pivot_table', {
      pivot_table_id: 'p',
      row_groups: [{ source_data_column: 0 }],
      pivot_values: [{ source_data_column: 1, summarize_function: 'SUM' }],
    });
    const shown = await s.csv('E1:F3');
    await s.ok('add_protect_range', { range: { start_row: 3, start_col: 4, end_row: 10, end_col: 6 } });
    const write = (value: string, as?: Key) =>
      s.call('set_cell_value', { ...at('A3'), value_type: 'STRING', string_value: value }, as);
    expect(await write('b', other)).toMatchObject({ code: 310005, data: {} });
    expect(await s.csv('A1:B3')).toBe('k,v\na,1\na,2\n');
    expect(await s.csv('E1:F3')).toBe(shown);
    expect(await write('b')).toMatchObject({ code: 0 });
    expect(await s.csv('E2:F3')).toBe('a,1\nb,2\n');
  });

  test('[S99][T60] an array does not come to fill cells that somebody else protected', async () => {
    const s = await newSheet(call, server(), '1,,=A1\n');
    await server().call('http', 'manage', 'share_file', { file_id: s.file_id, user_id: other.userId, role: 'editor' });
    await s.ok('add_protect_range', { range: { start_row: 3, start_col: 4, end_row: 6, end_col: 5 } });
    const write = (cell: string, formula: string, as?: Key) =>
      s.call('set_cell_value', { ...at(cell), value_type: 'FORMULA', formula }, as);
    // E1 down, C5 across, both into E4:E6.
    expect(await write('E1', '=SEQUENCE(4)', other)).toMatchObject({
      code: 310005,
      msg: expect.stringContaining('Sheet1!E1'),
      data: {},
    });
    expect(await write('C5', '=SEQUENCE(1,3)', other)).toMatchObject({ code: 310005, data: {} });
    expect(
      await s.call('set_range_value_by_csv', { start_row: 0, start_col: 4, csv_data: '"=SEQUENCE(4)"' }, other),
    ).toMatchObject({ code: 310005, data: {} });
    expect(await s.csv('C1:E6')).toBe('1,,\n');
    expect(await write('E1', '=SEQUENCE(3)', other)).toMatchObject({ code: 0 });
    // Nor does one grow because what it reads changed.
    expect(await write('E1', '=SEQUENCE(A1)', other)).toMatchObject({ code: 0 });
    const put = (number_value: number, as?: Key) =>
      s.call('set_cell_value', { ...at('A1'), value_type: 'NUMBER', number_value }, as);
    expect(await put(3, other)).toMatchObject({ code: 0 });
    expect(await put(4, other)).toMatchObject({ code: 310005, data: {} });
    expect(await s.csv('E1:E4')).toBe('1\n2\n3\n');
    // Nor in a batch, where each step is looked at.
    const step = (tool: string, input: Record<string, unknown>) => ({
      tool,
      arguments: { sheet_id: s.sheet_id, ...input },
    });
    const calls = [
      step('set_cell_value', { ...at('A1'), value_type: 'NUMBER', number_value: 5 }),
      step('set_cell_value', { ...at('A1'), value_type: 'NUMBER', number_value: 1 }),
    ];
    expect(await s.call('batch', { calls }, other)).toMatchObject({ code: 310005, data: {} });
    expect(await put(5)).toMatchObject({ code: 0 });
    expect(await s.csv('E1:E5')).toBe('1\n2\n3\n4\n5\n');
  });

  test('[S99] what an array fills already it may go on filling: moved, smaller, or anchored inside', async () => {
    const s = await newSheet(call, server(), '4,,,,"=SEQUENCE(A1)*B1"\n');
    await server().call('http', 'manage', 'share_file', { file_id: s.file_id, user_id: other.userId, role: 'editor' });
    await s.put('H4', '"=SEQUENCE(A1)"\n');
    await s.ok('add_protect_range', { range: { start_row: 3, start_col: 4, end_row: 20, end_col: 8 } });
    const put = (cell: string, number_value: number) =>
      s.call('set_cell_value', { ...at(cell), value_type: 'NUMBER', number_value }, other);
    expect(await put('B1', 10)).toMatchObject({ code: 0 });
    expect(await s.csv('E1:E5')).toBe('10\n20\n30\n40\n\n');
    expect(await s.call('insert_dimension', { dimension_type: 'row', index: 0, count: 2 }, other)).toMatchObject({
      code: 0,
    });
    expect(await put('A3', 3)).toMatchObject({ code: 0 });
    expect(await put('A3', 9)).toMatchObject({ code: 310005, data: {} });
    // One that stands in the range is its protector's own: it follows what it reads.
    await s.ok('clear_range_cells', r4('E3'));
    expect(await put('A3', 9)).toMatchObject({ code: 0 });
    expect(await s.csv('H6:H14')).toBe('1\n2\n3\n4\n5\n6\n7\n8\n9\n');
  });
});
