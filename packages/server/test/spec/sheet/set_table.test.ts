import { expect, test } from 'vitest';
import { exportedParts } from './exported.ts';
import { done, onTool, r4, refused, type Sheet, sharedWith, sheetOf, versionOf } from './support.ts';

onTool('set_table', ({ call, sheet, server }) => {
  const stock = 'name,unit price,kg\npear,3,10\nleek,2,20\nplum,1,30\n';
  const tables = async (s: Sheet) => (await s.ok('list_objects', { object_types: ['table'] })).tables;
  const write = (s: Sheet, cell: string, formula: string) => s.ok('write', { range: cell, rows: [[formula]] });

  test('a range becomes a table whose columns formulas read by their headings', async () => {
    const s = await sheet(stock);
    const { table_id, name } = await s.ok('set_table', { range: 'A1:C4', name: 'Stock' });
    expect([table_id, name]).toEqual([expect.stringMatching(/^table_/), 'Stock']);
    await write(s, 'E1', '=SUM(Stock[kg])');
    await write(s, 'E2', '=Stock[@[unit price]]*Stock[@kg]');
    await write(s, 'E3', '=COUNTA(Stock[#Headers])&Stock[[#Headers],[unit price]]');
    await write(s, 'E4', '=SUM(Stock[[unit price]:[kg]])+ROWS(Stock[#All])');
    expect(await s.csv('E1:E4')).toBe('60\n30\n3unit price\n70\n');
    expect(await s.formula('E2')).toBe('=Stock[@[unit price]]*Stock[@kg]');
    expect(await tables(s)).toEqual([
      {
        table_id,
        sheet_id: s.sheet_id,
        name: 'Stock',
        range: 'A1:C4',
        has_headings: true,
        has_totals: false,
        style: 'TableStyleMedium2',
        style_parts: ['row_stripes'],
        columns: ['name', 'unit price', 'kg'],
      },
    ]);
    expect((await s.ok('read', { range: 'Stock[kg]' })).range).toContain('C2:C4');
  });

  test('an empty heading gets a name that no other heading has, whatever its case', async () => {
    const s = await sheet(',column1\n1,2\n');
    await s.ok('set_table', { range: 'A1:B2', name: 'T' });
    expect((await tables(s))[0].columns).toEqual(['Column12', 'column1']);
    expect(await s.csv('A1:B1')).toBe('Column12,column1\n');
  });

  test('it follows rows, columns, headings, sorting and the names of sub-sheets; revert brings it back', async () => {
    const s = await sheet(stock);
    await s.ok('set_table', { range: 'A1:C4', name: 'Stock' });
    await write(s, 'E1', '=SUM(Stock[kg])');
    await write(s, 'E2', '=SUM(Stock[unit price])');
    const made = await versionOf(server(), s);
    await s.ok('insert_dimension', { dimension_type: 'row', index: 2, count: 1 });
    await s.put('A3', 'fig,5,40\n');
    await s.ok('insert_dimension', { dimension_type: 'col', index: 0, count: 1 });
    await s.put('D1', 'weight\n');
    await s.ok('rename_sheet', { name: 'My stock' });
    await s.ok('sort_range', { ...r4('B2:D5'), columns: [{ col: 2 }] });
    expect(await s.csv('F1:F2')).toBe('100\n11\n');
    expect([await s.formula('F1'), await s.formula('F2')]).toEqual(['=SUM(Stock[weight])', '=SUM(Stock[unit price])']);
    expect((await tables(s))[0]).toMatchObject({ range: 'B1:D5', columns: ['name', 'unit price', 'weight'] });
    await s.ok('insert_dimension', { dimension_type: 'col', index: 3, count: 1 });
    await write(s, 'H1', '=COUNTA(Stock[Column3])');
    expect((await tables(s))[0]).toMatchObject({
      range: 'B1:E5',
      columns: ['name', 'unit price', 'Column3', 'weight'],
    });
    await s.ok('delete_dimension', { dimension_type: 'col', index: 4, count: 1 });
    expect(await s.csv('F1:G2')).toBe('#REF!,0\n11,\n');
    await s.ok('delete_dimension', { dimension_type: 'row', index: 0, count: 1 });
    expect((await tables(s))[0]).toMatchObject({ has_headings: false, columns: ['name', 'unit price', 'Column3'] });
    await s.ok('revert', { version: made });
    expect(await s.csv('E1:E2')).toBe('60\n6\n');
    expect(await s.formula('E1')).toBe('=SUM(Stock[kg])');
    await s.ok('revert', { version: made - 3 });
    expect(await tables(s)).toEqual([]);
  });

  test('a totals row is written below, changed and taken away again', async () => {
    const s = await sheet(stock);
    const { table_id } = await s.ok('set_table', { range: 'A1:C4', name: 'Stock', totals: { KG: 'sum' } });
    expect(await s.csv('A5:C5')).toBe('Total,,60\n');
    expect(await s.formula('C5')).toBe('=SUBTOTAL(109,Stock[kg])');
    await write(s, 'E1', '=Stock[[#Totals],[kg]]');
    await s.ok('set_table', { table_id, totals: { 'unit price': 'average', kg: 'max' } });
    expect(await s.csv('A5:E5')).toBe('Total,2,30,,\n');
    expect(await s.csv('E1')).toBe('30\n');
    await s.ok('insert_dimension', { dimension_type: 'row', index: 6, count: 2 });
    await s.ok('set_table', { table_id, range: 'A1:C6' });
    expect(await s.csv('A5:C7')).toBe(',,\n,,\nTotal,2,30\n');
    await s.ok('set_table', { table_id, totals: {} });
    expect(await s.csv('A1:C7')).toBe(stock);
    expect(await s.csv('E1')).toBe('#REF!\n');
    expect((await tables(s))[0]).toMatchObject({ range: 'A1:C6', has_totals: false });
  });

  test('headings that are missing or there twice are written; names are given', async () => {
    const s = await sheet('a,a,,b\n1,2,3,4\n');
    const { name } = await s.ok('set_table', { range: 'A1:D2' });
    expect([name, await s.csv('A1:D1')]).toEqual(['Table1', 'a,a2,Column3,b\n']);
    await s.put('F1', 'x\n1\n');
    expect((await s.ok('set_table', { range: 'F1:F2' })).name).toBe('Table2');
    const bare = await s.ok('set_table', { range: 'H1:I2', has_headings: false, name: 'Bare' });
    await write(s, 'K1', '=ROWS(Bare)&COLUMNS(Bare[[Column1]:[Column2]])');
    expect(await s.csv('H1:K1')).toBe(',,,22\n');
    expect((await tables(s)).at(-1)).toMatchObject({ table_id: bare.table_id, columns: ['Column1', 'Column2'] });
  });

  test('a new name is that of every formula; formulas that waited for a table find it', async () => {
    const s = await sheet(stock);
    await write(s, 'E1', '=SUM(Stock[kg])');
    await write(s, 'E2', '=ROWS(Stock)');
    expect(await s.csv('E1:E2')).toBe('#REF!\n#NAME?\n');
    const { table_id } = await s.ok('set_table', { range: 'A1:C4', name: 'Stock' });
    expect(await s.csv('E1:E2')).toBe('60\n3\n');
    const before = await versionOf(server(), s);
    await s.ok('set_conditional_format', {
      ranges: ['B2:B4'],
      kind: 'cell',
      test: 'greater',
      values: ['=AVERAGE(Stock[unit price])'],
      style: { bold: true },
    });
    await s.ok('set_name', { name: 'weights', refers_to: '=Stock[kg]' });
    await write(s, 'E3', '=SUM(weights)');
    expect(await s.ok('set_table', { table_id, name: 'Goods' })).toMatchObject({ table_id, name: 'Goods' });
    expect([await s.formula('E1'), await s.formula('E2')]).toEqual(['=SUM(Goods[kg])', '=ROWS(Goods)']);
    expect(await s.csv('E1:E3')).toBe('60\n3\n60\n');
    const all = await s.ok('list_objects');
    expect(all.conditional_formats[0].values).toEqual(['=AVERAGE(Goods[unit price])']);
    await s.ok('revert', { version: before - 1 });
    expect(await s.csv('E1:E2')).toBe('#REF!\n#NAME?\n');
    expect(await s.formula('E1')).toBe('=SUM(Stock[kg])');
  });

  test('deleted, its cells stay and formulas name them', async () => {
    const s = await sheet(stock);
    const { table_id } = await s.ok('set_table', { range: 'A1:C4', name: 'Stock' });
    await s.ok('set_name', { name: 'weights', refers_to: '=Stock[kg]' });
    await write(s, 'E1', '=SUM(Stock[kg],weights)');
    await write(s, 'E2', '=Stock[@kg]+1');
    expect(await s.call('delete_object', { object_type: 'table', object_id: table_id })).toEqual(done);
    expect([await s.formula('E1'), await s.formula('E2')]).toEqual(['=SUM($C$2:$C$4,weights)', '=$C2+1']);
    expect(await s.csv('A1:E2')).toBe('name,unit price,kg,,120\npear,3,10,,11\n');
    expect((await s.ok('list_objects')).names[0].refers_to).toBe('=Sheet1!$C$2:$C$4');
  });

  test('cut and pasted, it goes along; copied, it is another; so on a copied sub-sheet; rows appended are its own', async () => {
    const s = await sheet(stock);
    await s.ok('set_table', { range: 'A1:C4', name: 'Stock' });
    await s.put('D2', '=Stock[@kg]*2\n');
    await write(s, 'F1', '=SUM(Stock[kg])');
    await s.ok('append_rows', { rows: [['fig', 5, 40]] });
    expect(await s.csv('F1')).toBe('100\n');
    await s.ok('copy_range', { source: 'A1:D5', target: 'A11' });
    expect((await tables(s)).map((one: any) => [one.name, one.range])).toEqual([
      ['Stock', 'A1:C5'],
      ['Stock1', 'A11:C15'],
    ]);
    expect(await s.formula('D12')).toBe('=Stock1[@kg]*2');
    await s.ok('copy_range', { source: 'A1:D5', target: 'H1', move: true });
    expect([await s.formula('F1'), await s.csv('F1'), await s.formula('K2'), await s.csv('K2')]).toEqual([
      '=SUM(Stock[kg])',
      '100\n',
      '=Stock[@kg]*2',
      '20\n',
    ]);
    const { sheet_id } = await s.ok('copy_sheet');
    const copy = sheetOf(call, s.file_id, sheet_id);
    expect([await copy.formula('F1'), await copy.formula('D12')]).toEqual(['=SUM(Stock2[kg])', '=Stock3[@kg]*2']);
    await copy.put('J2', '1000\n');
    expect([await copy.csv('F1'), await s.csv('F1')]).toEqual(['1090\n', '100\n']);
  });

  test('exported, it is a table of the file with its totals and style', async () => {
    const s = await sheet(stock);
    await s.ok('set_table', {
      range: 'A1:C4',
      name: 'Stock',
      totals: { kg: 'sum' },
      style: 'TableStyleLight9',
      style_parts: ['first_column'],
    });
    await write(s, 'E1', '=Stock[[#Totals],[kg]]');
    const parts = await exportedParts(server(), s);
    expect(parts['xl/tables/table1.xml']).toContain(
      'name="Stock" displayName="Stock" ref="A1:C5" totalsRowCount="1"><tableColumns count="3">' +
        '<tableColumn id="1" name="name" totalsRowLabel="Total"/><tableColumn id="2" name="unit price"/>' +
        '<tableColumn id="3" name="kg" totalsRowFunction="sum"/></tableColumns>' +
        '<tableStyleInfo name="TableStyleLight9" showFirstColumn="1" showLastColumn="0" showRowStripes="0" showColumnStripes="0"/>',
    );
    expect(parts['xl/worksheets/sheet1.xml']).toContain('<f>Stock[[#Totals],[kg]]</f>');
  });

  test('[finding G3] takes an address that names the sub-sheet, and finds a table by its id alone', async () => {
    const s = await sheet(stock);
    const { sheet_id: other } = await s.ok('add_sheet', { name: 'Other' });
    const anywhere = { sheet_id: undefined };
    const { table_id } = await s.ok('set_table', { ...anywhere, range: 'Sheet1!A1:C4', name: 'Stock' });
    await s.ok('set_table', { ...anywhere, table_id, style: 'TableStyleLight1' });
    expect((await tables(s)).map(({ name }: { name: string }) => name)).toEqual(['Stock']);
    expect((await s.ok('list_objects', { sheet_id: other, object_types: ['table'] })).tables).toEqual([]);
    expect((await s.call('set_table', { ...anywhere, range: 'E1:F3' })).msg).toContain('name the sub-sheet too');
  });

  test('what makes no table is refused', async () => {
    const s = await sheet(stock);
    const set = (given: object) => s.call('set_table', given as Record<string, unknown>);
    expect(await set({})).toEqual(refused(310001, 'range: is required without table_id'));
    expect(await set({ range: 'A0' })).toEqual(
      refused(
        310001,
        'range: "A0" is neither an address nor a heading on Sheet1; write it like B2, A1:D9, A:C or Sheet1!A1:D9',
      ),
    );
    expect(await set({ range: 'A1:C1' })).toEqual(
      refused(310001, 'range: must have a row below the headings (got A1:C1)'),
    );
    expect(await set({ range: 'A1:C4', name: 'two words' })).toEqual(
      refused(
        310001,
        'name: must begin with a letter or _ and contain only letters, digits, . and _ (got "two words")',
      ),
    );
    expect(await set({ range: 'A1:C4', totals: { size: 'sum' } })).toEqual(
      refused(310001, 'totals: there is no column "size"; there are name, unit price, kg'),
    );
    expect((await set({ range: 'A1:C4', totals: { kg: 'mode' } })).code).toBe(310001);
    expect(await set({ range: 'A1:C3', totals: { kg: 'sum' } })).toEqual(
      refused(310008, 'totals: the cells in A4:C4 are not empty; insert a row there first'),
    );
    await s.ok('set_name', { name: 'rate', refers_to: '=1' });
    expect(await set({ range: 'A1:C4', name: 'Rate' })).toEqual(
      refused(310008, 'name: "rate" is a name of the document'),
    );
    const { table_id } = await s.ok('set_table', { range: 'A1:C4', name: 'Stock' });
    expect(await set({ range: 'C4:D6' })).toEqual(refused(310008, 'range: C4:D6 overlaps the table Stock in A1:C4'));
    expect(await set({ range: 'E1:F3', name: 'STOCK' })).toEqual(
      refused(310008, 'name: there is a table "Stock" already'),
    );
    expect(await s.call('set_name', { name: 'stock', refers_to: '=1' })).toEqual(
      refused(310008, 'name: there is a table "Stock"'),
    );
    expect(await set({ table_id: 'none', name: 'x' })).toEqual(
      refused(310004, `table_id: there is none "none" on this sub-sheet; there are ${table_id}`),
    );
    await s.ok('merge_cell', r4('G1:H1'));
    expect(await set({ range: 'G1:H3' })).toEqual(
      refused(310008, 'range: contains merged cells in G1:H1; unmerge them first'),
    );
  });

  test('not over cells that somebody else protected', async () => {
    const s = await sheet(stock);
    const other = await sharedWith(server(), s, 'editor');
    await s.ok('add_protect_range', { range: { start_row: 1, start_col: 1, end_row: 3, end_col: 2 } });
    expect((await s.call('set_table', { range: 'A1:C4' }, other)).code).toBe(310005);
    expect((await s.call('set_table', { range: 'E1:F4' }, other)).code).toBe(0);
  });
});
