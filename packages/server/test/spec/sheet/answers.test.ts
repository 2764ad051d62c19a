import { expect, test } from 'vitest';
import { at, onTool, r4 } from './support.ts';

onTool('what a change answers', ({ call, server, sheet }) => {
  test('[finding G11] runs of equal cells are one entry; of many different ones the first and the last are told', async () => {
    const s = await sheet();
    expect(await s.ok('write', { range: 'A1:C40', rows: [[7]] })).toMatchObject({
      changed: { 'A1:C40': '7' },
      changed_count: 120,
      version: expect.any(Number) as number,
    });
    const rows = Array.from({ length: 300 }, (_, index) => [`row ${index}`]);
    const { changed } = await s.ok('write', { range: 'E1', rows });
    const addresses = Object.keys(changed as object);
    expect(addresses.slice(0, 2)).toEqual(['E1', 'E2']);
    expect(addresses.at(-1)).toBe('E300');
    expect(JSON.stringify(changed).length / 4).toBeLessThan(150);
  });

  test('[finding G11] errors name the argument or operand that causes them', async () => {
    const s = await sheet('-4,n/a,0,x\n');
    const { errors } = await s.ok('write', {
      range: 'A2',
      rows: [
        [
          '=SQRT(A1)',
          '=A1*B1',
          '=A1/C1',
          '=VLOOKUP("pear",A1:D1,2,FALSE)',
          '=ROUND(B1,2)',
          '=WEBSERVICE("http://x")',
          '=IF(A1>0,1,SUM(1,LN(A1)))',
        ],
      ],
    });
    expect(errors).toEqual({
      A2: '#NUM! in SQRT(A1): argument 1 A1 is -4',
      B2: '#VALUE! B1 is "n/a", not a number',
      C2: '#DIV/0! divides by C1, which is 0',
      D2: '#N/A VLOOKUP finds no "pear" in A1:D1',
      E2: '#VALUE! in ROUND(B1,2): argument 1 B1 is "n/a", not a number',
      F2: '#BLOCKED! WEBSERVICE reaches outside of the document, which formulas may not',
      G2: '#NUM! in LN(A1): argument 1 A1 is -4',
    });
  });

  test('[finding G11] own changes answer their version, and undo_revision takes it', async () => {
    const s = await sheet('1\n2\n');
    const { version } = await s.ok('write', { range: 'A1', rows: [[5]] });
    expect(await s.ok('undo_revision', { version })).toEqual({
      undone: { version, tool: 'write', range: `${s.sheet_id}$A1:A1` },
      changed: { 'Sheet1!A1': '1' },
      changed_count: 1,
      version: version + 1,
    });
    const dry = await s.ok('write', { range: 'A1', rows: [[6]], dry_run: true });
    expect(dry).not.toHaveProperty('version');
    const copied = await s.ok('copy_range', { source: 'A1:A2', target: 'B1' });
    expect(copied).toMatchObject({ changed: { B1: '1', B2: '2' }, version: version + 2 });
  });

  test('[finding T21] revert tells what it took back, comments too', async () => {
    const s = await sheet('1\n');
    const { version } = await s.ok('write', { range: 'A1', rows: [[2]] });
    await s.ok('set_comment', { range: 'A1', text: 'why' });
    await s.ok('write', { range: 'A1', rows: [[3]] });
    expect(await s.ok('revert', { version })).toMatchObject({
      undone: [
        { version: version + 2, tool: 'write' },
        { version: version + 1, tool: 'set_comment' },
      ],
      undone_count: 2,
      notes: ['comments made since then were taken back too'],
      changed: { 'Sheet1!A1': '2' },
      version: version + 3,
    });
  });

  test('[finding G11] specified tools answer {} and say beside it what they did to lines, rows and sub-sheets', async () => {
    const s = await sheet('a,1,=B1\nb,2,=B2\nc,3,=B2+B3\n');
    const { url, owner } = server();
    const asked = async (tool: string, input: object) => {
      const response = await fetch(`${url}/openapi/sheet/v1/${tool}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'svc-openapi-clientid': owner.clientId,
          'svc-openapi-apikey': owner.apiKey,
        },
        body: JSON.stringify({ file_id: s.file_id, ...input }),
      });
      const { data } = (await response.json()) as { data: unknown };
      const version = response.headers.get('x-sheaf-version')!;
      return { data, notice: response.headers.get('x-sheaf-notice')?.replace(version, 'N') };
    };
    expect(await asked('delete_dimension', { range: '2:2' })).toEqual({
      data: {},
      notice:
        'Sheet1!rows 2:2 deleted; 1 recalculated cells show errors: Sheet1!C2 #REF! what it referred to is gone; version N',
    });
    const pivot = { pivot_table_id: 'p', source_range: 'A1:C2', create_new_sheet: true, new_sheet_id: 'pivot_1' };
    expect(await asked('add_pivot_table', pivot)).toEqual({
      data: {},
      notice: 'new sub-sheet Pivot2 with sheet_id pivot_1; version N',
    });
    const sort = { range: 'Sheet1!A1:B2', columns: [{ col: 1, order: 0 }] };
    expect(await asked('sort_range', sort)).toEqual({
      data: {},
      notice: 'sorted Sheet1!A1:B2, 2 rows moved; version N',
    });
    await s.ok('rename_sheet', { name: '表' });
    expect((await asked('clear_range_cells', { range: '表!A1:B2' })).notice).toBe('cleared \\u8868!A1:B2; version N');
    const silent = { sheet_id: s.sheet_id, cell: { ...at('A1'), value_type: 'NUMBER', number_value: 1 } };
    expect(await asked('set_cell_value', silent)).toEqual({ data: {}, notice: undefined });
  });

  test('[finding T21] append_rows and write tell the totals that end one row above', async () => {
    const s = await sheet('id,n\na,1\nb,2\n');
    await s.put('D1', '=SUM(B2:B3)\n');
    expect(await s.ok('append_rows', { rows: [['c', 3]] })).toMatchObject({
      range: 'Sheet1!A4:B4',
      notes: ['D1 =SUM(B2:B3) ends above the new rows; B2:B4 would include them'],
    });
    await s.put('D1', '=SUM(B2:B4)\n');
    expect((await s.ok('write', { range: 'A5', rows: [['d', 4]] })).notes).toEqual([
      'D1 =SUM(B2:B4) ends above the new rows; B2:B5 would include them',
    ]);
    const total = await sheet('id,n\na,1\nb,2\nTotal,=SUM(B2:B3)\n');
    expect((await total.ok('append_rows', { rows: [['c', 3]] })).notes).toEqual([
      'B4 =SUM(B2:B3) is above the new rows and leaves them out; rows that insert_dimension puts before row 3 (index 2) would be in it',
    ]);
    const footer = await sheet('id,n\na,1\nb,2\nTotal,=SUM(B2:B3)\nVAT,=B4*0.19\nGross,=B4+B5\n');
    expect((await footer.ok('append_rows', { rows: [['c', 3]] })).notes).toEqual([
      expect.stringContaining('B4 =SUM(B2:B3) is above the new rows and leaves them out'),
    ]);
    const inserted = { sheet_id: footer.sheet_id, dimension_type: 'row', index: 2, count: 1 };
    await footer.ok('insert_dimension', inserted);
    expect(await footer.formula('B5')).toBe('=SUM(B2:B4)');
    const running = await sheet('n,all\n1,\n2,=SUM(A$2:A2)\n3,=SUM(A$2:A3)\n');
    expect(await running.ok('append_rows', { rows: [[4]] })).not.toHaveProperty('notes');
    expect(await total.ok('write', { range: 'B2', rows: [[9]] })).not.toHaveProperty('notes');
  });

  test('[finding T22] rows below a table that does not grow are told', async () => {
    const s = await sheet('id,n\na,1\n');
    await s.ok('set_table', { range: 'A1:B2', name: 'Items', totals: { n: 'sum' } });
    const { notes } = await s.ok('append_rows', { rows: [['b', 2]] });
    expect(notes).toContain('the rows are below table Items, not in it; set_table changes its range');
    expect((await s.ok('write', { range: 'C2', rows: [['x']] })).notes).toEqual([
      'C2 is beside table Items, not in it; set_table changes its range',
    ]);
  });

  test('[finding T21] a duration of more than a day is shown as Excel shows it', async () => {
    const s = await sheet();
    await s.ok('write', { range: 'A1', rows: [['25:10', '1:10', '30:15:20']] });
    expect((await s.ok('read', { show: ['formats'] })).rows).toEqual({ 1: ['25:10:00', '01:10', '30:15:20'] });
    expect(await s.cells('A1')).toMatchObject([{ string_value: '25:10:00' }]);
  });

  test('[finding G13] get_history of a cell follows it through inserted and deleted rows', async () => {
    const s = await sheet('a,1\nb,2\nc,3\n');
    const first = (await s.ok('write', { range: 'B2', rows: [[20]] })).version as number;
    await s.ok('write', { range: 'A9', rows: [['other']] });
    await s.ok('insert_dimension', { dimension_type: 'row', index: 0, count: 2 });
    await s.ok('write', { range: 'B4', rows: [[21]] });
    await s.ok('delete_dimension', { dimension_type: 'row', index: 0, count: 1 });
    await s.ok('set_cell_style', { ...r4('B3'), format: { bold: true } });
    const history = async (input: object) => (await call('get_history', { file_id: s.file_id, ...input })).data as any;
    const { revisions, is_end } = await history({ range: 'B3' });
    expect(
      revisions.map((one: any) => [
        one.tool,
        one.cells?.map((cell: any) => `${cell.address} ${cell.before} > ${cell.after}`),
      ]),
    ).toEqual([
      ['set_cell_style', undefined],
      ['delete_dimension', undefined],
      ['write', ['B4 20 > 21']],
      ['insert_dimension', undefined],
      ['write', ['B2 2 > 20']],
      ['set_range_value_by_csv', ['B2  > 2']],
    ]);
    expect(is_end).toBe(true);
    const page = await history({ range: 'B3', limit: 4 });
    const rest = await history({ range: 'B3', limit: 4, cursor: page.next_cursor });
    expect(rest.revisions[0].version).toBe(first);
    expect((await history({ range: 'Sheet1!A11' })).revisions.map((one: any) => one.tool)).toEqual([
      'delete_dimension',
      'insert_dimension',
    ]);
    expect(await call('get_history', { file_id: s.file_id, range: 'nonsense here' })).toMatchObject({
      code: 310001,
      msg: 'range: must be an address such as B2 or Sheet1!B2:D9 (got "nonsense here")',
    });
  });
});
