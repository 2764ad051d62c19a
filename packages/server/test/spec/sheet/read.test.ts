import { expect, test } from 'vitest';
import { onTool, r4, refused } from './support.ts';

onTool('read', ({ call, sheet }) => {
  test('gives what cells show by row number; without a range all that is used', async () => {
    const s = await sheet();
    const rows = [
      ['name', 'day', 'share', 'n', 'ok'],
      ['pear', '1/5/2026', '12%', 3, true],
      [null, null, null, null, null],
      ["'007", '', '', 1.5],
    ];
    await s.ok('write', { range: 'A1', rows });
    const all = {
      range: 'Sheet1!A1:E4',
      rows: {
        1: ['name', 'day', 'share', 'n', 'ok'],
        2: ['pear', '1/5/2026', '12%', 3, true],
        4: ['007', '', '', 1.5],
      },
    };
    expect(await s.ok('read')).toEqual(all);
    expect(await s.ok('read', { range: 'Sheet1' })).toEqual(all);
    expect(await s.ok('read', { range: 'C2:XFD9' })).toEqual({
      range: 'Sheet1!C2:E4',
      rows: { 2: ['12%', 3, true], 4: ['', 1.5] },
    });
    expect(await s.ok('read', { range: 'K5:L9' })).toEqual({ range: 'Sheet1!K5:L9', rows: {} });
    expect(await (await sheet()).ok('read')).toEqual({ range: 'Sheet1!A1', rows: {} });
  });

  test('takes addresses as people write them: columns, rows, open ends, names, headings, sub-sheets', async () => {
    const s = await sheet('name,unit price\npear,2\nfig,3\n');
    const { sheet_id } = await s.ok('add_sheet', { name: 'My costs' });
    await s.ok('set_range_value_by_csv', { sheet_id, csv_data: '7\n' });
    await s.ok('set_name', { name: 'prices', refers_to: '=Sheet1!$B$2:$B$3' });
    const read = async (range: string, more = {}) => (await call('read', { file_id: s.file_id, range, ...more })).data;
    const others = { other_sheets: ['My costs'] };
    const column = { range: 'Sheet1!B1:B3', rows: { 1: ['unit price'], 2: [2], 3: [3] } };
    expect(await read('B:B')).toEqual({ ...column, ...others });
    expect(await read('2:2')).toEqual({ range: 'Sheet1!A2:B2', rows: { 2: ['pear', 2] }, ...others });
    const prices = { range: 'Sheet1!B2:B3', rows: { 2: [2], 3: [3] } };
    for (const range of ['B2:B', 'unit price', '[Unit Price]'])
      expect(await read(range), range).toEqual({ ...prices, ...others });
    expect(await read('prices')).toEqual(prices);
    const costs = { range: "'My costs'!A1", rows: { 1: [7] } };
    for (const range of ["'My costs'!A1", 'My costs', sheet_id]) expect(await read(range), range).toEqual(costs);
    expect(await read('A1', { sheet_id: 'My costs' })).toEqual(costs);
  });

  test('show adds formulas once for the cells they fill, number formats, merges, all digits', async () => {
    const s = await sheet('1,=A1*2\n2,=A2*2\n3,=A3*2\n0.123456,x\n');
    await s.ok('write', { formats: { 'A1:A3': '0.00', A4: '0.0' }, merges: ['D1:E1'] });
    expect(await s.ok('read', { show: ['formulas', 'formats', 'merges'] })).toEqual({
      range: 'Sheet1!A1:B4',
      rows: { 1: ['1.00', 2], 2: ['2.00', 4], 3: ['3.00', 6], 4: ['0.1', 'x'] },
      formulas: { 'B1:B3': '=A1*2' },
      formats: { 'A1:A3': '0.00', A4: '0.0' },
      merges: [],
    });
    expect((await s.ok('read', { range: 'A4', show: ['exact'] })).rows).toEqual({ 4: [0.123456] });
    await s.put('E2', 'y\n');
    expect((await s.ok('read', { show: ['merges'] })).merges).toEqual(['D1:E1']);
  });

  test('what is read is left alone when it is written back', async () => {
    const s = await sheet('12%,2026-05-01,=A1*2\n007,$3.50,TRUE\n');
    await s.ok('merge_cell', r4('E1:F1'));
    await s.put('G1', 'x\n');
    const grid = await s.ok('read', { show: ['formulas', 'formats', 'merges'] });
    const before = (await call('get_history', { file_id: s.file_id, limit: 1 })).data.revisions[0].version;
    expect(await s.ok('write', grid)).toMatchObject({ written: 0, changed: {}, changed_count: 0 });
    expect((await call('get_history', { file_id: s.file_id, limit: 1 })).data.revisions[0].version).toBe(before);
  });

  test('locale says which texts would be taken for dates: those have an apostrophe in front', async () => {
    const s = await sheet();
    await s.ok('write', { range: 'A1', rows: [['31/12/2026', '12/31/2026', 'x']] });
    expect((await s.ok('read')).rows).toEqual({ 1: ['31/12/2026', '12/31/2026', 'x'] });
    expect((await s.ok('read', { locale: 'en-GB' })).rows).toEqual({ 1: ["'31/12/2026", '12/31/2026', 'x'] });
    expect(await s.call('read', { locale: 'zz_' })).toEqual(
      refused(310001, 'locale: must be a language tag such as en-US, en-GB or de-DE (got "zz_")'),
    );
  });

  test('stays within its tokens and goes on at next; at least one row a call', async () => {
    const s = await sheet(Array.from({ length: 400 }, (_, i) => `row ${i},${i},=B${i + 1}*2\n`).join(''));
    const seen: Record<string, unknown[]> = {};
    let range: string | undefined = 'Sheet1!A1:C400';
    while (range !== undefined) {
      const part: any = await s.ok('read', { range, max_tokens: 300, show: ['formulas'] });
      expect(JSON.stringify(part).length / 4).toBeLessThanOrEqual(300);
      Object.assign(seen, part.rows);
      range = part.next;
    }
    expect(Object.keys(seen)).toHaveLength(400);
    expect(seen[400]).toEqual(['row 399', 399, 798]);
    await s.put('A1', `${'long '.repeat(200)}\n`);
    expect(await s.ok('read', { range: 'A1:A9', max_tokens: 50 })).toMatchObject({
      range: 'Sheet1!A1',
      next: 'Sheet1!A2:A9',
    });
    expect(await s.call('read', { max_tokens: 49 })).toEqual(
      refused(310001, 'max_tokens: must be at least 50 (got 49)'),
    );
  });

  test('names what it does not find, with what was probably meant', async () => {
    const s = await sheet('name,price\npear,2\nfig,3\n');
    const reading = (input: Record<string, unknown>) => s.call('read', input);
    expect(await reading({ range: 'Sheet2!A1' })).toEqual(
      refused(310003, 'range: there is no sub-sheet named "Sheet2"; did you mean Sheet1?'),
    );
    expect(await reading({ range: 'prise' })).toEqual(
      refused(310001, 'range: "prise" is neither an address nor a heading on Sheet1; did you mean price?'),
    );
    expect(await reading({ range: '%' })).toEqual(
      refused(
        310001,
        'range: "%" is neither an address nor a heading on Sheet1; write it like B2, A1:D9, A:C or Sheet1!A1:D9',
      ),
    );
    expect(await reading({ show: ['colors'] })).toEqual(
      refused(310001, 'show[0]: must be one of formulas, formats, merges, styles, exact (got "colors")'),
    );
    expect(await reading({ rang: 'A1' })).toEqual(refused(310001, 'rang: is not a field of read; did you mean range?'));
  });

  test('[finding T20] styles are told in words by range, with sizes and frozen lines, and can be written back', async () => {
    const s = await sheet('1,2,3\n4,5,6\n');
    const look = { bold: true, italic: true, underline: 'single', wrap_text: true, horizontal_align: 'center' };
    await s.ok('set_cell_style', { ...r4('A1:C1'), format: { ...look, bg_color: 'FFEEDD', font_size: 12 } });
    await s.ok('set_border', {
      ...r4('A2:A2'),
      border_positions: [0, 1, 2, 3],
      border_style: 2,
      border_color: 'FF0000',
    });
    await s.ok('set_dimension_size', {
      dimensions: [{ dimension_type: 'col', start_index: 0, end_index: 1, size: 90 }],
    });
    await s.ok('set_freeze', { row_count: 1, col_count: 0 });
    const told = await s.ok('read', { range: 'A1:C2', show: ['styles'] });
    expect(told).toMatchObject({
      styles: {
        'A1:C1': expect.stringMatching(/^bold, italic, underline, size 12, fill FFEEDD, center, wrap/) as string,
      },
      sizes: { 'A:B': 90 },
      frozen: '1 rows, 0 columns',
    });
    expect(told.styles.A2).toBe('borders medium FF0000');
    const plain = await s.ok('read', { range: 'A1:U13', show: ['styles'] });
    expect(JSON.stringify(plain).length).toBeLessThan(600);
    await s.ok('write', { styles: { 'Sheet1!A1:C2': 'plain' } });
    expect((await s.ok('read', { range: 'A1:C2', show: ['styles'] })).styles).toEqual({});
    await s.ok('write', told);
    expect((await s.ok('read', { range: 'A1:C2', show: ['styles'] })).styles).toEqual(told.styles);
    expect(await s.call('write', { styles: { A1: 'shiny' } })).toMatchObject({
      code: 310001,
      msg: expect.stringMatching(/^styles\.A1: "shiny" is no style; there are plain, bold, /) as string,
    });
  });
});
