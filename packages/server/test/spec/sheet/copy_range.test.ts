import { expect, test } from 'vitest';
import { SheetDocument, edit, addSheet, defineName, setRangeBlock } from '@sheaf/engine';
import { writeXlsx } from '@sheaf/files/xlsx/write-workbook';
import { at, onTool, r4, sheetOf, type Sheet } from './support.ts';

/** Names come with workbooks. */
function workbookWithNames(): string {
  const document = new SheetDocument();
  edit(document, [
    addSheet.of({ sheet: 'one', name: 'Data' }),
    addSheet.of({ sheet: 'two', name: 'Other' }),
    setRangeBlock.of({
      sheet: 'one',
      row: 0,
      col: 0,
      rows: [
        [1, 10],
        [2, 20],
        [3, 30],
      ],
    }),
    defineName.of({ name: 'rate', formula: '=Data!$A$1' }),
    defineName.of({ name: 'top', formula: '=SUM(Data!$A$1:$A$2)*2' }),
    defineName.of({ name: 'wide', formula: '=Data!$A$1:$B$3' }),
    defineName.of({ name: 'beside', formula: '=Data!A1' }),
    defineName.of({ name: 'local', sheet: 'two', formula: '=Data!$A$2' }),
    setRangeBlock.of({
      sheet: 'two',
      row: 0,
      col: 0,
      rows: [
        [
          { formula: '=rate' },
          { formula: '=top' },
          { formula: '=SUM(wide)' },
          { formula: '=local' },
          { formula: '=rate+local' },
        ],
      ],
    }),
  ]);
  return Buffer.from(writeXlsx(document)).toString('base64');
}

onTool('copy_range', ({ call, server, sheet }) => {
  test('[S119] relative references follow, styles, links and merges come along, the source repeats', async () => {
    const s = await sheet('1,=A1*10,x\n2,=A2*10\n');
    await s.ok('set_cell_style', { ...r4('B1:B2'), format: { font_size: 20 } });
    await s.ok('merge_cell', r4('C1:D1'));
    await s.ok('set_link', { ...at('A1'), url: 'https://example.com/' });
    await s.ok('copy_range', { source: r4('A1:D2'), target: r4('A5:D8') });
    expect(await s.csv('A5:C8')).toBe('1,10,x\n2,20,\n1,10,x\n2,20,\n');
    expect(await s.formula('B8')).toBe('=A8*10');
    expect((await s.ok('get_cell_style', r4('B8'))).cells[0].font_size).toBe(20);
    const view = await s.ok('get_view', r4('A5:D8'));
    expect(view.merges).toEqual([
      [4, 2, 4, 3],
      [6, 2, 6, 3],
    ]);
    expect(view.links).toEqual([
      [4, 0, 'https://example.com/'],
      [6, 0, 'https://example.com/'],
    ]);
    await s.ok('copy_range', { source: r4('B1:B2'), target: r4('F1'), what: 'values' });
    expect(await s.formula('F2')).toBeUndefined();
    expect(await s.csv('F1:F2')).toBe('10\n20\n');
    await s.ok('copy_range', { source: r4('B1'), target: r4('G1:G3'), what: 'formats' });
    expect(await s.csv('G1:G3')).toBe('\n\n\n');
    expect((await s.ok('get_cell_style', r4('G3'))).cells[0].font_size).toBe(20);
  });

  test('[S119] with move cuts; formulas keep speaking of the same cells', async () => {
    const s = await sheet('1,=A1*10\n');
    const { sheet_id } = (await call('add_sheet', { file_id: s.file_id })).data;
    await s.ok('copy_range', { source: r4('B1'), target: r4('B2'), move: true });
    expect(await s.cells('B1:B2')).toEqual([
      { row: 1, col: 1, value_type: 'FORMULA', number_value: 10, formula: '=A1*10' },
    ]);
    await s.ok('copy_range', { source: r4('A1:B2'), target: r4('A2:B3'), move: true });
    expect(await s.csv('A1:B3')).toBe(',\n1,\n,10\n');
    expect(await s.formula('B3')).toBe('=A2*10');
    await s.ok('copy_range', { source: r4('A2'), target: r4('C1'), target_sheet_id: sheet_id });
    expect((await call('get_cell_data', { file_id: s.file_id, sheet_id, ...r4('C1') })).data.cells).toEqual([
      { row: 0, col: 2, value_type: 'NUMBER', number_value: 1 },
    ]);
    expect(
      await s.call('copy_range', {
        source: r4('A1:B2'),
        target: { start_row: 1_048_575, start_col: 0, end_row: 1_048_575, end_col: 0 },
      }),
    ).toEqual({ code: 310006, msg: 'target: row 1048576 is past the last, 1048575', data: {} });
  });

  test('[S119] with move formulas that read the moved cells follow them, on every sub-sheet', async () => {
    const s = await sheet('1,=A1,=SUM(A1:A2),=SUM(A1:A3),=$A$1+A3\n2\n3\n');
    const { sheet_id } = (await call('add_sheet', { file_id: s.file_id, name: 'Other' })).data;
    const other = async (cell: string): Promise<unknown> =>
      (await call('get_cell_data', { file_id: s.file_id, sheet_id, ...r4(cell) })).data.cells[0]?.formula;
    await call('set_cell_value', {
      file_id: s.file_id,
      sheet_id,
      row: 0,
      col: 0,
      value_type: 'FORMULA',
      formula: '=Sheet1!A2*2',
    });
    await s.ok('copy_range', { source: r4('A1:A2'), target: r4('G5'), move: true });
    expect(await Promise.all(['B1', 'C1', 'D1', 'E1'].map(s.formula))).toEqual([
      '=G5',
      '=SUM(G5:G6)',
      '=SUM(A1:A3)',
      '=$G$5+A3',
    ]);
    expect(await other('A1')).toBe('=Sheet1!G6*2');
    expect(await s.csv('B1:E1')).toBe('1,3,3,4\n');

    // The formulas move themselves, to another sub-sheet: what stays is spoken of by its sub-sheet's name, what comes along is not.
    await s.put('I1', '5,=I1+A3\n');
    await s.ok('copy_range', { source: r4('I1:J1'), target: r4('C3'), target_sheet_id: sheet_id, move: true });
    expect(await other('D3')).toBe('=C3+Sheet1!A3');
    await s.ok('undo_revision', { version: (await s.ok('get_history', {})).revisions[0].version });
    expect(await s.formula('J1')).toBe('=I1+A3');
  });

  const newest = async (s: Sheet): Promise<number> => (await s.ok('get_history', {})).revisions[0].version;

  test('[S119] with move names follow the cells they speak of, and come back with undo and revert', async () => {
    const { file_id } = (
      await server().call('http', 'manage', 'import_file', {
        title: 'Names',
        content: workbookWithNames(),
        format: 'xlsx',
      })
    ).data;
    const [one, two] = (await call('get_sheet_info', { file_id })).data.sheets.map((tab: { sheet_id: string }) =>
      sheetOf(call, file_id, tab.sheet_id),
    );
    expect(await two.csv('A1:E1')).toBe('1,6,66,2,3\n');
    await one.ok('copy_range', { source: r4('A1:A2'), target: r4('D5'), move: true });
    // `wide` reaches out of what was moved and stays where it is; so does the one that depends on where it is used.
    expect(await two.csv('A1:E1')).toBe('1,6,63,2,3\n');
    await one.put('D5', '100\n200\n');
    expect(await two.csv('A1:E1')).toBe('100,600,63,200,300\n');
    await one.put('A1', '7\n');
    expect(await two.csv('A1:E1')).toBe('100,600,70,200,300\n');

    // To the other sub-sheet, and back by undoing that revision alone under a later one.
    await one.ok('copy_range', { source: r4('D5:D6'), target: r4('A9'), target_sheet_id: two.sheet_id, move: true });
    const moved = await newest(one);
    await two.put('A9', '5\n6\n');
    expect(await two.csv('A1:E1')).toBe('5,22,70,6,11\n');
    await two.ok('undo_revision', { version: await newest(two) });
    await one.put('H1', 'later\n');
    await one.ok('undo_revision', { version: moved });
    await one.put('D5', '8\n9\n');
    expect(await two.csv('A1:E1')).toBe('8,34,70,9,17\n');
    await one.ok('revert', { version: 0 });
    await one.put('A1', '50\n60\n');
    expect(await two.csv('A1:E1')).toBe('50,220,173,60,110\n');
    await one.ok('revert', { version: moved });
    await two.put('A9', '70\n80\n');
    expect(await two.csv('A1:E1')).toBe('70,300,70,80,150\n');
  });

  test('[S119] with move charts draw the cells where they are then, and come back with undo', async () => {
    const s = await sheet('m,n\na,1\nb,2\n');
    const { sheet_id } = (await call('add_sheet', { file_id: s.file_id })).data;
    await s.ok('add_chart', { drawing_id: 'inside', chart_type: 'CHART_LINE', data_range: r4('A1:B3') });
    await s.ok('add_chart', { drawing_id: 'wider', chart_type: 'CHART_PIE', data_range: r4('A1:B4') });
    const drawn = async (): Promise<unknown> =>
      Object.fromEntries((await s.ok('get_charts', {})).charts.map((one: any) => [one.drawing_id, one.data_range]));
    const before = await drawn();
    await s.ok('copy_range', { source: r4('A1:B3'), target: r4('D6'), move: true });
    const moved = await newest(s);
    expect(await drawn()).toEqual({ inside: r4('D6:E8'), wider: r4('A1:B4') });
    await s.put('H1', 'later\n');
    await s.ok('undo_revision', { version: moved });
    expect(await drawn()).toEqual(before);
    await s.ok('undo_revision', { version: await newest(s) });
    expect(await drawn()).toEqual({ inside: r4('D6:E8'), wider: r4('A1:B4') });
    await s.ok('update_chart', { drawing_id: 'inside', title: 'Mine' });
    expect(await s.call('undo_revision', { version: moved + 3 })).toEqual({
      code: 310008,
      msg: `version: revision ${moved + 3} cannot be undone on its own, because revision ${moved + 4} set the same; use revert`,
      data: {},
    });
    await s.ok('revert', { version: moved - 1 });
    expect(await drawn()).toEqual(before);
    // Copied, or cut to another sub-sheet, it draws what it did.
    await s.ok('copy_range', { source: r4('A1:B3'), target: r4('D6') });
    await s.ok('copy_range', { source: r4('A1:B3'), target: r4('A1'), target_sheet_id: sheet_id, move: true });
    expect(await drawn()).toEqual(before);
  });

  test('[S119] with move pivot tables read their source where it is then, and move along when they lie in the block', async () => {
    const s = await sheet('kind,n\na,1\nb,2\na,3\n');
    const { sheet_id } = (await call('add_sheet', { file_id: s.file_id })).data;
    const other = sheetOf(call, s.file_id, sheet_id);
    await call('add_pivot_table', {
      file_id: s.file_id,
      pivot_table_id: 'p',
      source_sheet_id: s.sheet_id,
      source_range: r4('A1:B4'),
      anchor_sheet_id: s.sheet_id,
      anchor_row: 0,
      anchor_col: 3,
    });
    await s.ok('update_pivot_table', {
      pivot_table_id: 'p',
      row_groups: [{ source_data_column: 0 }],
      pivot_values: [{ source_data_column: 1, summarize_function: 'SUM' }],
    });
    const table = await s.csv('D1:E4');
    expect(table).toBe('kind,SUM of n\na,4\nb,2\nGrand Total,6\n');
    const start = await newest(s);
    await s.ok('copy_range', { source: r4('A1:B4'), target: r4('A10'), target_sheet_id: sheet_id, move: true });
    expect((await s.ok('get_pivot_table_detail', { pivot_table_id: 'p' })).pivot_table.source_data_range).toEqual({
      sheet_id,
      start_row_index: 9,
      start_col_index: 0,
      end_row_index: 12,
      end_col_index: 1,
    });
    await other.put('B11', '5\n');
    expect(await s.csv('D1:E4')).toBe('kind,SUM of n\na,8\nb,2\nGrand Total,10\n');
    await s.put('G1', 'beside\n');
    await s.ok('copy_range', { source: r4('C1:G4'), target: r4('E2'), target_sheet_id: sheet_id, move: true });
    expect(await other.csv('F2:I5')).toBe('kind,SUM of n,,beside\na,8,,\nb,2,,\nGrand Total,10,,\n');
    expect(await other.cells('F2')).toEqual([{ row: 1, col: 5, value_type: 'STRING', string_value: 'kind' }]);
    expect(await s.csv('C1:G4')).toBe('');
    await other.put('B11', '1\n');
    expect(await other.csv('F2:G5')).toBe(table);
    await s.ok('revert', { version: start });
    expect(await s.csv('D1:E4')).toBe(table);
    expect(await other.csv('F2:G5')).toBe('');
  });

  test('[S119] what an array fills is filled by its copy', async () => {
    const s = await sheet('=SEQUENCE(3)\n');
    await s.ok('copy_range', { source: r4('A1:A3'), target: r4('C1') });
    expect(await s.cells('C1:C3')).toEqual([
      { row: 0, col: 2, value_type: 'FORMULA', number_value: 1, formula: '=SEQUENCE(3)' },
      { row: 1, col: 2, value_type: 'NUMBER', number_value: 2 },
      { row: 2, col: 2, value_type: 'NUMBER', number_value: 3 },
    ]);
    await s.ok('copy_range', { source: r4('A2:A3'), target: r4('E2') });
    await s.ok('copy_range', { source: r4('A1:A3'), target: r4('F1'), what: 'values' });
    await s.ok('copy_range', { source: r4('A1:A3'), target: r4('G2'), move: true });
    expect(await s.csv('A1:G4')).toBe(',,1,,,1,\n,,2,,2,2,1\n,,3,,3,3,2\n,,,,,,3\n');
  });

  test('[S119] with series goes on with numbers, dates, names and counted texts', async () => {
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
});
