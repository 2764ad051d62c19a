import { expect, test } from 'vitest';
import { onTool, r4, refused } from './support.ts';

onTool('inspect', ({ call, sheet }) => {
  const tokens = (answer: unknown): number => JSON.stringify(answer).length / 4;

  test('tells tables, headings, types and units, a line a column', async () => {
    const s = await sheet();
    const rows = [
      ['region', 'day', 'share', 'price', 'paid'],
      ['East', '2026-05-01', '12%', '$1.50', true],
      ['West', '2026-05-02', '50%', '$3.00', false],
      ['east', '2026-05-09', '', '$2.00', true],
    ];
    await s.ok('write', { range: 'A1', rows });
    await s.ok('write', { range: 'H9', rows: [['a note']] });
    expect(await s.ok('inspect')).toEqual({
      sheets: [
        {
          sheet: 'Sheet1',
          sheet_id: s.sheet_id,
          used: 'A1:H9',
          tables: [
            {
              range: 'A1:E4',
              header_row: 1,
              columns: [
                'A region: text, 2 different: East | West',
                'B day: date 2026-05-01…2026-05-09',
                'C share: percent 12%…50%, 1 blank',
                'D price: number in $ $1.50…$3.00',
                'E paid: TRUE/FALSE',
              ],
            },
          ],
          cells: { H9: 'a note' },
        },
      ],
    });
  });

  test('tells formulas by pattern and where they break, and errors with what is behind them', async () => {
    const s = await sheet('n,m,total\n1,2,=A2*B2\n3,4,=A3*B3\n5,6,99\n7,8,=A5+B5\n9,=1/0,=A6*B6\n');
    const [one] = (await s.ok('inspect')).sheets;
    expect(one.tables[0].columns[2]).toBe(
      'C total: number 2…99, =A2*B2 in C2:C6, BREAKS in 2: C4 is the constant 99; C5 =A5+B5, 1 errors',
    );
    expect(one).toMatchObject({ errors: { B6: '#DIV/0! divides by 0', C6: '#DIV/0! from B6' }, error_count: 2 });
  });

  test('[finding T18] tells a constant that differs from that of nearly all rows, and none that differs from row to row', async () => {
    const rows = Array.from({ length: 200 }, (_, at) => {
      const row = at + 2;
      const rate = row === 51 ? 3 : 2;
      const name = row === 60 || row === 61 ? 'old' : 'new';
      return `${at},=A${row}*${rate},"=A${row}*${at}+1","=IF(A${row}>5,""${name}"",0)",=A${row}*0.${row % 3}`;
    });
    const s = await sheet(`n,twice,own,kind,thirds\n${rows.join('\n')}\n`);
    const [one] = (await s.ok('inspect')).sheets;
    expect(one.tables[0].columns.slice(1)).toEqual([
      'B twice: number 0…398, =A2*2, BREAKS in 1: B51 =A51*3',
      'C own: number 1…39602, =A2*0+1',
      'D kind: mixed: 6 number 0…0, 194 text, 2 different: new | old, =IF(A2>5,"new",0), BREAKS in 2: D60 =IF(A60>5,"old",0)',
      'E thirds: number 0…39.6, =A2*0.2',
    ]);
  });

  test('tells links between sub-sheets, names, hidden and frozen parts, merges, arrays and objects', async () => {
    const s = await sheet('1,=Other!A1\n');
    await s.ok('add_sheet', { name: 'Other' });
    await s.put('D1', '"=SEQUENCE(3)"\n');
    await call('set_name', { file_id: s.file_id, name: 'rate', refers_to: '=Sheet1!$A$1' });
    await s.ok('merge_cell', r4('F1:G2'));
    await s.ok('set_freeze', { row_count: 1, col_count: 2 });
    await s.ok('set_dimension_visible', { dimension_type: 'row', index: 4, count: 2, visible: false });
    await s.ok('set_dimension_visible', { dimension_type: 'col', index: 8, count: 1, visible: false });
    await s.ok('add_chart', { chart_type: 'CHART_PIE', data_range: r4('A1:B1'), drawing_id: 'c' });
    await s.ok('set_filter', r4('A1:B1'));
    const answer = await s.ok('inspect', { sheet_id: 'Sheet1' });
    expect(answer.names).toEqual(['rate =Sheet1!$A$1']);
    expect(answer.sheets).toMatchObject([
      {
        merges: 'F1:G2',
        hidden: 'rows 5:6, columns I:I',
        frozen: '1 rows, 2 columns',
        reads: ['Other (from B1)'],
        arrays: 'D1:D3',
        has: '1 chart, filter A1:B1',
      },
    ]);
  });

  test('all sub-sheets in tab order, or the one that is named by id or name', async () => {
    const s = await sheet('1\n');
    const { sheet_id } = await s.ok('add_sheet', { name: 'My costs' });
    const seen = async (input: Record<string, unknown>): Promise<string[]> =>
      (await call('inspect', { file_id: s.file_id, ...input })).data.sheets.map((one: { sheet: string }) => one.sheet);
    expect(await seen({})).toEqual(['Sheet1', 'My costs']);
    expect(await seen({ sheet_id })).toEqual(['My costs']);
    expect(await seen({ sheet_id: 'My costs' })).toEqual(['My costs']);
    expect((await call('inspect', { file_id: s.file_id, sheet_id })).data.sheets[0]).toEqual({
      sheet: 'My costs',
      sheet_id,
      used: '',
      tables: [],
    });
    expect(await call('inspect', { file_id: s.file_id, sheet_id: 'None' })).toEqual(
      refused(
        310003,
        `sheet_id: there is no sub-sheet "None"; there are ${s.sheet_id} (Sheet1), ${sheet_id} (My costs)`,
      ),
    );
  });

  test('keeps its budget of tokens and says when it left something out', async () => {
    const headings = Array.from({ length: 40 }, (_, i) => `a rather long heading ${i}`).join(',');
    const line = Array.from({ length: 40 }, (_, i) => `some text ${i}`).join(',');
    const s = await sheet(`${headings}\n${`${line}\n`.repeat(4)}`);
    for (const max_tokens of [1500, 700, 300, 100, 50]) {
      const answer = await s.ok('inspect', { max_tokens });
      expect(tokens(answer), `${max_tokens} tokens`).toBeLessThanOrEqual(max_tokens);
      expect(answer.sheets).toMatchObject([{ sheet: 'Sheet1', used: 'A1:AN5' }]);
      expect(answer.truncated).toBe(max_tokens < 700 ? true : undefined);
    }
    expect(await s.call('inspect', { max_tokens: 49 })).toEqual(
      refused(310001, 'max_tokens: must be at least 50 (got 49)'),
    );
    expect(await s.call('inspect', { max_tokens: 50_001 })).toEqual(
      refused(310001, 'max_tokens: must be at most 50000 (got 50001)'),
    );
  });

  test('errors, merges and names do not break the budget either', async () => {
    const s = await sheet(Array.from({ length: 12 }, () => '=SUMMMM(1)\n\n').join(''));
    await s.ok('write', { merges: Array.from({ length: 12 }, (_, i) => `K${100 + i}:L${100 + i}`) });
    for (let i = 0; i < 5; i++)
      await s.ok('set_name', { name: `a_long_name_of_something_${i}`, refers_to: '=SUM(Sheet1!$A$1:$B$20)+1' });
    const answer = await s.ok('inspect', { max_tokens: 50 });
    expect(tokens(answer)).toBeLessThanOrEqual(50);
    expect(answer).toMatchObject({ sheets: [{ sheet: 'Sheet1', error_count: 12 }], truncated: true });
    expect((await s.ok('inspect')).names).toHaveLength(5);
  });

  test('[finding T18] a series that runs to the right is one line; columns with names of their own are not', async () => {
    const months = Array.from({ length: 24 }, (_, at) => `M${at + 1}`);
    const row = (name: string, start: number) => [name, ...months.map((_, at) => start + at)].join(',');
    const s = await sheet(
      `item,${months.join(',')},qty,price,tax,total\n${row('a', 0)},1,2,3,4\n${row('b', 9)},5,6,7,8\n${row('c', 5)},1,1,1,1\n`,
    );
    const [one] = (await s.ok('inspect')).sheets;
    expect(one.tables[0].columns).toEqual([
      'A item: text, all different: a | b | c',
      'B:Y M1 … M24: number 0…32, each',
      'Z qty: number 1…5',
      'AA price: number 1…6',
      'AB tax: number 1…7',
      'AC total: number 1…8',
    ]);
  });

  test('[finding T18] numbers are dates only where their own cells are; a list without headings has none', async () => {
    const s = await sheet();
    await s.ok('write', { range: 'A1', rows: [['v'], ['2026-01-01'], [3], [4], [5], ['2026-02-01']] });
    await s.ok('write', {
      range: 'D1',
      rows: [
        ['ann@x.org', 'Oslo'],
        ['bob@y.org', 'Rome'],
        ['cid@z.org', 'Paris'],
        ['dan@z.org', 'Rome'],
      ],
    });
    const { tables } = (await s.ok('inspect')).sheets[0];
    expect(tables[0].columns).toEqual(['A v: mixed: 3 number 3…5, 2 date 2026-01-01…2026-02-01']);
    expect(tables[1]).not.toHaveProperty('header_row');
    expect(tables[1].columns[0]).toBe('D: text, all different: ann@x.org | bob@y.org | cid@z.org | dan@z.org');
  });
});
