import { expect, test } from 'vitest';
import { at, onTool, r4 } from './support.ts';

onTool('copy_range', ({ call, sheet }) => {
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
    expect(view.merges).toEqual([[4, 2, 4, 3], [6, 2, 6, 3]]);
    expect(view.links).toEqual([[4, 0, 'https://example.com/'], [6, 0, 'https://example.com/']]);
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
    expect(await s.cells('B1:B2')).toEqual([{ row: 1, col: 1, value_type: 'FORMULA', number_value: 10, formula: '=A1*10' }]);
    await s.ok('copy_range', { source: r4('A1:B2'), target: r4('A2:B3'), move: true });
    expect(await s.csv('A1:B3')).toBe(',\n1,\n,10\n');
    expect(await s.formula('B3')).toBe('=A2*10');
    await s.ok('copy_range', { source: r4('A2'), target: r4('C1'), target_sheet_id: sheet_id });
    expect((await call('get_cell_data', { file_id: s.file_id, sheet_id, ...r4('C1') })).data.cells).toEqual([{ row: 0, col: 2, value_type: 'NUMBER', number_value: 1 }]);
    expect(await s.call('copy_range', { source: r4('A1:B2'), target: { start_row: 1_048_575, start_col: 0, end_row: 1_048_575, end_col: 0 } })).toEqual({ code: 310006, msg: 'target: row 1048576 is past the last, 1048575', data: {} });
  });

  test('[S119] with move formulas that read the moved cells follow them, on every sub-sheet', async () => {
    const s = await sheet('1,=A1,=SUM(A1:A2),=SUM(A1:A3),=$A$1+A3\n2\n3\n');
    const { sheet_id } = (await call('add_sheet', { file_id: s.file_id, name: 'Other' })).data;
    const other = async (cell: string): Promise<unknown> => (await call('get_cell_data', { file_id: s.file_id, sheet_id, ...r4(cell) })).data.cells[0]?.formula;
    await call('set_cell_value', { file_id: s.file_id, sheet_id, row: 0, col: 0, value_type: 'FORMULA', formula: '=Sheet1!A2*2' });
    await s.ok('copy_range', { source: r4('A1:A2'), target: r4('G5'), move: true });
    expect(await Promise.all(['B1', 'C1', 'D1', 'E1'].map(s.formula))).toEqual(['=G5', '=SUM(G5:G6)', '=SUM(A1:A3)', '=$G$5+A3']);
    expect(await other('A1')).toBe('=Sheet1!G6*2');
    expect(await s.csv('B1:E1')).toBe('1,3,3,4\n');

    // The formulas move themselves, to another sub-sheet: what stays is spoken of by its sub-sheet's name, what comes along is not.
    await s.put('I1', '5,=I1+A3\n');
    await s.ok('copy_range', { source: r4('I1:J1'), target: r4('C3'), target_sheet_id: sheet_id, move: true });
    expect(await other('D3')).toBe('=C3+Sheet1!A3');
    await s.ok('undo_revision', { version: (await s.ok('get_history', {})).revisions[0].version });
    expect(await s.formula('J1')).toBe('=I1+A3');
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
