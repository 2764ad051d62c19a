import { expect, test } from 'vitest';
import { onTool, r4, refused, type Sheet } from './support.ts';

onTool('write', ({ call, server, sheet }) => {
  const version = async (s: Sheet): Promise<number> =>
    (await call('get_history', { file_id: s.file_id, limit: 1 })).data.revisions[0].version;

  test('writes rows, formulas, formats and merges in one revision, and tells what changed and which errors that made', async () => {
    const s = await sheet('1,=A1*2,=1/A1\n');
    const before = await version(s);
    expect(
      await s.ok('write', {
        range: 'A1',
        rows: [[0], ['x', true, null, 5]],
        formulas: { 'F1:F2': '=A1&"!"' },
        formats: { A1: '0.00' },
        merges: ['H1:I1'],
      }),
    ).toEqual({
      written: 6,
      unchanged: 0,
      changed: { A1: '0.00', B1: '0', C1: '#DIV/0!', F1: '0!', A2: 'x', B2: 'TRUE', D2: '5', F2: 'x!' },
      changed_count: 8,
      errors: { C1: '#DIV/0! divides by A1, which is 0' },
      error_count: 1,
      version: before + 1,
    });
    expect(await version(s)).toBe(before + 1);
    expect(await s.formula('F2')).toBe('=A2&"!"');
    await s.put('I2', 'z\n');
    expect((await s.ok('read', { range: 'F1:I2', show: ['merges'] })).merges).toEqual(['H1:I1']);
  });

  test('reads texts as typed; codes stay text, "" clears, null skips, one cell fills the range', async () => {
    const s = await sheet('a,b,c\n');
    const rows = [['', null, '12%', '$3.50', '2026-05-01', '007', '12345678901234567', "'5", '=1+1']];
    await s.ok('write', { range: 'A1', rows });
    expect((await s.ok('read', { range: 'A1:I1', show: ['exact'] })).rows).toEqual({
      1: ['', 'b', 0.12, 3.5, 46143, '007', '12345678901234567', "'5", 2],
    });
    expect(await s.ok('write', { range: 'A3:B4', rows: [['=ROW()']] })).toMatchObject({ written: 4 });
    await s.ok('write', { range: 'D3:D5', rows: [['x']] });
    await s.ok('write', { range: 'A6', rows: { 7: ['seven'], 9: ['nine'] } });
    expect(await s.csv('A3:D9')).toBe('3,3,,x\n4,4,,x\n,,,x\n,,,\nseven,,,\n,,,\nnine,,,\n');
  });

  test('locale says how dates and numbers are written; a text that looks like a date and is none is told', async () => {
    const s = await sheet();
    expect((await s.ok('write', { range: 'A1', rows: [['31/12/2026']] })).notes).toEqual([
      'A1: 31/12/2026 is no date in en-US; kept as text (send locale, or write it as 2021-05-13)',
    ]);
    expect(await s.ok('write', { range: 'A2', rows: [['31/12/2026']], locale: 'en-GB' })).not.toHaveProperty('notes');
    await s.ok('write', { range: 'A3', rows: [['1.234,50']], locale: 'de-DE' });
    expect((await s.ok('read', { show: ['exact'] })).rows).toEqual({ 1: ['31/12/2026'], 2: [46387], 3: [1234.5] });
  });

  test('what is so already is left alone, formulas too, and makes no revision', async () => {
    const s = await sheet('2,=A1*2,x\n');
    const before = await version(s);
    const again = { range: 'A1', rows: [[2, 4, 'x']] };
    expect(await s.ok('write', again)).toEqual({
      written: 0,
      unchanged: 3,
      notes: ['B1: kept their formulas, which show this already (copy_range with what "values" makes them constants)'],
      changed: {},
      changed_count: 0,
    });
    expect(await s.ok('write', { formulas: { B1: '=A1*2' }, formats: { A1: '' } })).toMatchObject({
      written: 0,
      unchanged: 1,
    });
    expect(await version(s)).toBe(before);
    expect(await s.formula('B1')).toBe('=A1*2');
  });

  test('puts the answer to a query into cells, headings and number formats included', async () => {
    const s = await sheet();
    const rows = [
      ['region', 'share'],
      ['East', '10%'],
      ['West', '20%'],
      ['East', '30%'],
    ];
    await s.ok('write', { range: 'A1', rows });
    const query = 'select region, sum(share) total from A1:B4 group by region order by total desc';
    expect(await s.ok('write', { range: 'E1', query })).toMatchObject({ written: 6 });
    expect((await s.ok('read', { range: 'E1:F3' })).rows).toEqual({
      1: ['region', 'total'],
      2: ['East', '40%'],
      3: ['West', '20%'],
    });
    expect(await s.call('write', { range: 'E1', query: 'select regio from A1:B4' })).toEqual(
      refused(310001, 'query: there is no column regio; did you mean region?'),
    );
  });

  test('dry_run tells and changes nothing; assert is held on the sub-sheet that is written', async () => {
    const s = await sheet('1,=A1*2\n');
    const { sheet_id } = await s.ok('add_sheet', { name: 'Other' });
    await s.ok('set_range_value_by_csv', { sheet_id, csv_data: '7\n' });
    const before = await version(s);
    expect(await s.ok('write', { range: 'A1', rows: [[5]], dry_run: true })).toEqual({
      written: 1,
      unchanged: 0,
      changed: { A1: '5', B1: '10' },
      changed_count: 2,
      dry_run: true,
    });
    const write = (assert: string[]) => call('write', { file_id: s.file_id, range: 'Other!A1', rows: [[8]], assert });
    expect(await write(['A1 = 1'])).toEqual(
      refused(310008, 'assert: A1 = 1 does not hold: A1 is 8, 1 is 1; nothing was changed'),
    );
    expect(await write(['TRUE', 'SUM('])).toEqual(
      refused(
        310009,
        'assert[1]: SUM( is not a formula: A value is expected, not the end of the formula, at character 6',
      ),
    );
    expect(await version(s)).toBe(before);
    expect(await write(['A1 = 8', 'Sheet1!A1 = 1', 'no errors'])).toMatchObject({ code: 0, data: { written: 1 } });
    expect(await version(s)).toBe(before + 1);
  });

  test('refuses what does not fit or cannot be read, whole', async () => {
    const s = await sheet('1\n');
    const before = await version(s);
    const cases: [Record<string, unknown>, number, string][] = [
      [{}, 310001, 'rows: nothing to write; send rows, formulas, formats, styles or merges'],
      [{ rows: [[1]] }, 310001, 'range: is required with rows, e.g. "Sheet1!A1"'],
      [
        { range: 'A1:B1', rows: [[1, 2, 3]] },
        310001,
        'rows: row 1 with 3 cells does not fit A1:B1, 1 rows by 2 columns',
      ],
      [{ range: 'A1', rows: { x: [1] } }, 310001, 'rows.x: must be a row number from 1 to 1048576'],
      [
        { range: 'A:A', rows: [[1]] },
        310001,
        'range: Sheet1!A1:A1048576 has no end; name the last row or column to fill',
      ],
      [
        { range: 'B1', rows: [['ok'], ['=SUM(']] },
        310009,
        'cell B2: A value is expected, not the end of the formula, at character 6',
      ],
      [{ formats: { B1: '[[[' } }, 310001, 'formats.B1: is not a number format (got "[[[")'],
      [{ range: 'XFD1', rows: [[1, 2]] }, 310006, 'rows: column 16385 is past the last column, 16384'],
      [{ range: 'A1048576', rows: [[1], [2]] }, 310006, 'rows: row 1048577 is past the last row, 1048576'],
      [
        { range: 'A1:A200001', rows: [[1]] },
        310006,
        'rows: at most 200000 cells can be written in one call (got 200001)',
      ],
      [{ range: 'None!A1', rows: [[1]] }, 310003, 'range: there is no sub-sheet named "None"; there are Sheet1'],
      [{ range: 'A1', row: [[1]] }, 310001, 'row: is not a field of write; did you mean rows?'],
    ];
    for (const [input, code, message] of cases) expect(await s.call('write', input)).toEqual(refused(code, message));
    await s.ok('add_sheet', { name: 'Other' });
    const anywhere = (input: Record<string, unknown>) => call('write', { file_id: s.file_id, ...input });
    expect(await anywhere({ range: 'A2', rows: [[1]] })).toEqual(
      refused(310001, 'range: name the sub-sheet too, as Sheet1!A2; there are Sheet1, Other'),
    );
    expect(await anywhere({ range: 'Other!A1', rows: [[1]], formulas: { 'Sheet1!B1': '=1' } })).toEqual(
      refused(
        310001,
        'formulas.Sheet1!B1: one call writes one sub-sheet, Other here; use batch for several (got Sheet1)',
      ),
    );
    expect(await version(s)).toBe(before + 1);
    expect(await s.csv('A1:B2')).toBe('1,\n');
  });

  test('[S91] does not get past a protected cell; what is so already there is no change', async () => {
    const s = await sheet('1,2\n3,4\n');
    const other = await server().newUser();
    const shared = { file_id: s.file_id, user_id: other.userId, role: 'editor' };
    expect(await server().call('http', 'manage', 'share_file', shared)).toMatchObject({ code: 0 });
    const range = { start_row: 1, start_col: 1, end_row: 2, end_col: 2 };
    const { protect_range_id } = await s.ok('add_protect_range', { range });
    const held = refused(
      310005,
      `Sheet1!B2:B2 is protected (${protect_range_id}); its creator and the document's owner may change it`,
    );
    const rows = [
      [9, 9],
      [9, 9],
    ];
    expect(await s.call('write', { range: 'A1', rows }, other)).toEqual(held);
    expect(await s.call('write', { formats: { B2: '0.0' } }, other)).toEqual(held);
    expect(await s.call('write', { merges: ['A2:B2'] }, other)).toMatchObject({ code: 310005, data: {} });
    expect(await s.csv('A1:B2')).toBe('1,2\n3,4\n');
    const around = [
      [9, 9],
      [9, 4],
    ];
    expect(await s.ok('write', { range: 'A1', rows: around }, other)).toMatchObject({ written: 3, unchanged: 1 });
    expect(await s.ok('write', { range: 'A1', rows })).toMatchObject({ written: 1, unchanged: 3 });
    expect((await s.ok('get_cell_data', { ...r4('A1:B2'), return_csv: true })).csv_data).toBe('9,9\n9,9\n');
  });

  test('[finding T22] rows written just below a table belong to it; what stands beside one is told', async () => {
    const s = await sheet('name,kg\na,2\nb,5\n');
    await s.ok('set_table', { range: 'A1:B3', name: 'Stock' });
    await s.ok('write', { range: 'D1', rows: [['=SUM(Stock[kg])']] });
    expect(await s.ok('write', { range: 'A4', rows: [['c', 3]] })).toMatchObject({
      notes: ['table Stock now covers A1:B4'],
      changed: { D1: '10' },
    });
    await s.ok('enter_cells', { start_row: 4, start_col: 0, rows: [['d', '4']] });
    expect((await s.ok('get_cell_data', { ...r4('D1'), return_csv: true })).csv_data).toBe('14\n');
    expect(await s.ok('write', { range: 'C2', rows: [['x']] })).toMatchObject({
      notes: ['C2 is beside table Stock, not in it; set_table changes its range'],
    });
    expect(await s.ok('write', { range: 'A7', rows: [['far']] })).not.toHaveProperty('notes');
  });

  test('a number format of whole columns goes to the end of the grid and of the written rows', async () => {
    const s = await sheet('1\n');
    const size = async () => (await s.ok('get_sheet_info')).sheets[0];
    await s.ok('write', { range: 'A1', formats: { 'A:B': '0.00', '3:3': '0%' } });
    await s.ok('write', { range: 'A1', formats: { 'A:XFD': '' } });
    expect(await size()).toMatchObject({ row_count: 200, col_count: 26 });
    const rows = Array.from({ length: 250 }, () => [2]);
    await s.ok('write', { range: 'A1', rows, formats: { 'A:A': '0.00' } });
    expect(await size()).toMatchObject({ row_count: 250, col_count: 26 });
    expect((await s.ok('read', { range: 'A249:A250', show: ['formats'] })).formats).toEqual({ 'A249:A250': '0.00' });
  });

  test('clearing the number format of more cells than a call may look at is refused', async () => {
    const s = await sheet('1\n');
    expect(await s.call('write', { range: 'A1', formats: { 'A1:XFC1048575': '' } })).toMatchObject({ code: 310010 });
  });
});
