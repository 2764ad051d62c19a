import { describe, expect, test } from 'vitest';
import { SheetDocument } from '@sheaf/engine/internal/document';
import { loadColumn } from '@sheaf/engine';
import { inspect } from '../../../../src/modules/sheet/extensions/inspect.ts';
import { desk, type Desk } from './support.ts';

function shop(): Desk {
  const d = desk('Sales', 'Rates');
  d.call('write', {
    range: 'Sales!A1',
    rows: [
      ['region', 'product', 'date', 'score', 'unit price'],
      ['East', 'pear', '2021-04-01', 3, '$1.50'],
      ['West', 'leek', '2021-04-02', 5, '$2.00'],
      ['east', 'plum', '2021-05-01', 7, '$1.00'],
      ['North', 'pear', '2021-06-01', null, '$3.00'],
      ['West', 'pear', '2021-06-02', '=1/0', '$3.00'],
    ],
  });
  d.call('write', {
    range: 'Rates!B2',
    rows: [
      ['area', 'rate'],
      ['East', 2],
      ['West', 3],
    ],
  });
  return d;
}

describe('query', () => {
  const cases: [string, unknown[][]][] = [
    [
      'select region, sum(score) as total, count(*) n from A1:E6 group by region order by total desc',
      [
        ['East', 10, 2],
        ['West', 5, 2],
        ['North', 0, 1],
      ],
    ],
    [
      'select region, score*2 d from Sales where score >= 5 or product = "pear" order by date desc limit 2',
      [
        ['West', ''],
        ['North', ''],
      ],
    ],
    [
      'select s.region, s.score * r.rate as x from Sales s join Rates r on s.region = r.area order by x',
      [
        ['East', 6],
        ['east', 14],
        ['West', 15],
        ['West', ''],
      ],
    ],
    [
      'select s.region, r.rate from Sales s left join Rates r on s.region = r.area where r.rate is null',
      [['North', '']],
    ],
    [
      'select s.region, s.score, r.rate from Sales s left join Rates r on s.region = r.area and r.rate * s.score > 10 order by s.score',
      [
        ['East', 3, ''],
        ['West', 5, 3],
        ['east', 7, 2],
        ['North', '', ''],
        ['West', '', ''],
      ],
    ],
    [
      "select group_concat(product, ''), group_concat(product, 'A') a, group_concat(product, 'a') b from Sales where score > 4",
      [['leekplum', 'leekAplum', 'leekaplum']],
    ],
    ['select min(distinct product), max(distinct product) from Sales', [['leek', 'plum']]],
    [
      "select month(date) m, avg([unit price]) from Sales where date between '2021-04-01' and '2021-05-31' group by month(date) having count(*) > 1",
      [[4, '$1.75']],
    ],
    [
      'select count(distinct region), max(date), min(product), group_concat(product) from Sales where region like "%st"',
      [[2, '2021-06-02', 'leek', 'pear, leek, plum, pear']],
    ],
    [
      "select case when score > 4 then 'hi' else 'lo' end c, count(*) from Sales group by c order by 2 desc",
      [
        ['lo', 3],
        ['hi', 2],
      ],
    ],
    ['select distinct region from Sales order by region desc', [['West'], ['North'], ['East']]],
    ['select sum(D), median(score), round(stdev(score), 3) from Sales', [[15, 5, 2]]],
    ["select count(*) from Sales where region = 'zzz'", [[0]]],
    ["select region from Sales where region in ('NORTH') and not score > 1 or product = 'leek'", [['West']]],
    ["select upper(product) || '-' || length(region) p from Sales limit 1 offset 2", [['PLUM-4']]],
    ['select coalesce(score, 0) + 1 from Sales order by date limit 1', [[4]]],
  ];

  test.each(cases)('%s', (query, rows) => {
    expect(shop().call('query', { query }).rows).toEqual(rows);
  });

  test('says what it cannot read, with the place or what was probably meant', () => {
    const d = shop();
    const refused = (query: string): string => d.refusal('query', { query });
    expect(refused('select regio from Sales')).toBe(
      'invalid_parameter: query: there is no column regio; did you mean region?',
    );
    expect(refused('select region from Sales where')).toBe(
      'invalid_parameter: query: expected a value, column or function, found the end at 31: ""',
    );
    expect(refused('delete from Sales')).toBe(
      'invalid_parameter: query: delete is not known, a query only reads; use edit_rows with action delete at 1: "delete from Sales"',
    );
    expect(refused('select load_file(region) from Sales')).toBe(
      'invalid_parameter: query: there is no function load_file, or it cannot stand here',
    );
    expect(refused('select region from Salse')).toContain('did you mean Sales?');
    expect(refused('select * from Sales a join Rates b on a.score > b.rate')).toContain(
      'a join needs a condition of the form a.x = b.y',
    );
    expect(refused(`select ${'('.repeat(200)}1${')'.repeat(200)} from Sales`)).toContain('nested more than 100 deep');
  });

  test('goes on where its tokens ended', () => {
    const d = desk('Big');
    d.call('write', { range: 'Big!A1', rows: [['n'], ...Array.from({ length: 1000 }, (_, at) => [at])] });
    const seen: number[] = [];
    for (let offset: number | undefined = 0; offset !== undefined;) {
      const page: any = d.call('query', {
        query: 'select n from Big where n >= 500 limit 300',
        offset,
        max_tokens: 200,
      });
      expect(page.row_count).toBe(300);
      seen.push(...page.rows.flat());
      offset = page.next_offset;
    }
    expect(seen).toEqual(Array.from({ length: 300 }, (_, at) => 500 + at));
  });

  test("[T88] spends the document's budget and reaches nothing outside", () => {
    const d = desk('Big');
    const rows = Array.from({ length: 3000 }, () => ['same']);
    d.call('write', { range: 'Big!A1', rows: [['k'], ...rows] });
    expect(
      d.refusal('query', { query: 'select count(*) from Big a join Big b on a.k = b.k join Big c on b.k = c.k' }),
    ).toMatch(/the join gives more than 2000000 rows|the calculation needs more than/);
    for (const table of ['sqlite_master', 'information_schema.tables', "'../x'!A1", 'http://x/!A1'])
      expect(d.refusal('query', { query: `select * from ${table}` })).toMatch(/^(no_such_sheet|invalid_parameter): /);
  });

  test('agrees with a plain loop over many random rows', () => {
    const d = desk('Big');
    // As many as are read and packed at once; more are read in turns, which `call` does not wait for.
    const rows = Array.from({ length: 2000 }, (_, at) => [
      `k${(at * 7919) % 13}`,
      (at * 104_729) % 977,
      at % 11 === 0 ? null : at % 50,
    ]);
    d.call('write', { range: 'Big!A1', rows: [['k', 'a', 'b'], ...rows] });
    const expected = new Map<string, [number, number]>();
    for (const [k, a, b] of rows as [string, number, number | null][]) {
      const sums = expected.get(k) ?? [0, 0];
      expected.set(k, [sums[0] + a, sums[1] + (b ?? 0)]);
    }
    expect(d.call('query', { query: 'select k, sum(a), sum(b) from Big group by k', max_tokens: 5000 }).rows).toEqual(
      [...expected].map(([k, sums]) => [k, ...sums]),
    );
  });
});

describe('inspect', () => {
  test('100,000 rows of 20 columns are told in fewer than 1,500 tokens', () => {
    const document = new SheetDocument();
    const sub = document.add('s', 'worksheet', 'Big', 0, 1);
    const headings = Array.from('abcdefghijklmnopqrst', (letter) => `heading ${letter}`);
    for (let col = 0; col < 20; col++) {
      const values = Array.from({ length: 99_999 }, (_, at) =>
        col > 0 && col < 5 ? `text ${at % (col * 37)}` : (at * col) / 7,
      );
      loadColumn(document.workbook, sub.sheet, 0, col, [headings[col]!, ...values]);
    }
    if (inspect.work.kind !== 'read') throw new Error('inspect reads');
    const told = JSON.stringify(inspect.work.read(document, {} as never, {} as never));
    console.log(`inspect of 100,000 x 20 cells: ${Math.ceil(told.length / 4)} tokens`);
    expect(told.length / 4).toBeLessThan(1500);
    for (const heading of headings) expect(told).toContain(heading);
  });

  test('[finding G5] tells tables, headings, types, units, formulas and where they break, errors, links and small blocks', () => {
    const d = shop();
    d.call('write', { range: 'Sales!F1', rows: [['total']], formulas: { 'F2:F6': '=D2*E2*Rates!$C$3' } });
    d.call('write', { range: 'Sales!F4', rows: [[99]] });
    d.call('write', { range: 'Sales!F5', rows: [['=D5+E5']] });
    d.call('write', { range: 'Sales!H9', rows: [['=SUM(F2:F4)']], merges: ['H11:I11'] });
    expect(d.call('inspect')).toEqual({
      sheets: [
        {
          sheet: 'Sales',
          sheet_id: 's0',
          used: 'A1:H9',
          tables: [
            {
              range: 'A1:F6',
              header_row: 1,
              columns: [
                'A region: text, 3 different: East | West | North',
                'B product: text, 3 different: pear | leek | plum',
                'C date: date 2021-04-01…2021-06-02',
                'D score: number 3…7, =1/0 in D6, 1 blank, 1 errors',
                'E unit price: number in $ $1.00…$3.00',
                'F total: number 3…99, =D2*E2*Rates!$C$3 in F2:F6, BREAKS in 2: F4 is the constant 99; F5 =D5+E5, 1 errors',
              ],
            },
          ],
          cells: { H9: '128 (=SUM(F2:F4))' },
          errors: { D6: '#DIV/0! divides by 0', F6: '#DIV/0! from D6' },
          error_count: 2,
          merges: 'H11:I11',
          reads: ['Rates (from F2:F3)'],
        },
        {
          sheet: 'Rates',
          sheet_id: 's1',
          used: 'B2:C4',
          tables: [
            {
              range: 'B2:C4',
              header_row: 2,
              columns: ['B area: text, all different: East | West', 'C rate: number 2…3'],
            },
          ],
        },
      ],
    });
  });

  test('a form of many single cells is a few lines, and nothing is past the budget', () => {
    const d = desk('Form');
    const formulas: Record<string, string> = {};
    for (let at = 0; at < 150; at++)
      formulas[`Form!${'ACEGI'[at % 5]}${1 + 2 * Math.floor(at / 5)}`] = `="label ${at}"`;
    d.call('write', { formulas });
    for (const max_tokens of [1500, 400, 120])
      expect(JSON.stringify(d.call('inspect', { max_tokens })).length / 4).toBeLessThanOrEqual(max_tokens);
  });
});

describe('trace', () => {
  test('follows formulas both ways, by level, over sub-sheets', () => {
    const d = desk('Main', 'Rates');
    d.call('write', { range: 'Rates!A1', rows: [[2]] });
    d.call('write', {
      range: 'Main!A1',
      rows: [[1], [2], [3]],
      formulas: { 'B1:B3': '=A1*Rates!$A$1', C1: '=SUM(B1:B3)' },
    });
    expect(d.call('trace', { range: 'Main!C1', levels: 2 })).toEqual({
      cell: 'Main!C1 12  =SUM(B1:B3)',
      precedents: [
        ['B1:B3 3 filled, 3 numbers 2…6, sum 12  =A1*Rates!$A$1'],
        ['A1:A3 3 filled, 3 numbers 1…3, sum 6', 'Rates!A1 2'],
      ],
      dependents: [],
    });
    expect(d.call('trace', { range: 'Rates!A1', direction: 'dependents', levels: 5 }).dependents).toEqual([
      ['Main!B1:B3 3 filled, 3 numbers 2…6, sum 12  =A1*Rates!$A$1'],
      ['Main!C1 12  =SUM(B1:B3)'],
    ]);
  });
});

describe('check', () => {
  test('holds formulas and ready-made rules, and says why one does not', () => {
    const d = desk();
    d.call('write', {
      range: 'A1',
      rows: [
        ['id', 'n'],
        ['a1', 1],
        ['b2', 2],
        ['a1', 3],
        ['', '=1/0'],
      ],
    });
    expect(
      d.call('check', {
        assertions: [
          'SUM(B2:B4) = 6',
          'B2:B4 > 0',
          'SUM(B2:B4) = 7',
          'unique A2:A4',
          'A2:A4 matches ^[a-z]\\d$',
          'A2:A4 matches ^a',
          'no blanks in A2:A5',
          'B2:B4 balances B2:B3',
          'no errors in B2:B4',
          'no errors',
          'COUNT(B2:B4)',
        ],
      }),
    ).toEqual({
      ok: false,
      failed: {
        'SUM(B2:B4) = 7': 'SUM(B2:B4) is 6, 7 is 7',
        'unique A2:A4': 'A4 repeats A2 (a1)',
        'A2:A4 matches ^a': 'A3 is b2',
        'no blanks in A2:A5': 'A5 are blank',
        'B2:B4 balances B2:B3': 'Sheet1!B2:B4 sums to 6, Sheet1!B2:B3 to 3',
        'no errors': 'B5 #DIV/0! divides by 0',
        'COUNT(B2:B4)': 'it gives 3, not TRUE',
      },
      errors: { 'Sheet1!B5': '#DIV/0! divides by 0' },
      error_count: 1,
    });
    expect(d.refusal('check', { assertions: ['SUM('] })).toMatch(/^formula: assertions\[0\]: SUM\( is not a formula/);
  });
});

describe('edit_rows', () => {
  const rows = [
    ['name', 'score', 'state'],
    ['a', 95, 'done'],
    ['b', 80, 'done'],
    ['c', 70, 'open'],
    ['d', 60, 'Done'],
    ['e', 99, 'open'],
  ];
  const table = (): Desk => {
    const d = desk('Sales', 'Archive');
    d.call('write', { range: 'Sales!A1', rows });
    return d;
  };

  test('[finding G6] finds, marks, sorts, moves and deletes rows by a condition, each in one call', () => {
    const d = table();
    expect(
      d.call('edit_rows', { range: 'Sales', where: 'score <= 90 and state = "done"', action: 'find' }),
    ).toMatchObject({
      matched: 2,
      rows: { 3: ['b', 80, 'done'], 5: ['d', 60, 'Done'] },
    });
    d.call('edit_rows', {
      range: 'Sales',
      where: 'B > 90',
      action: 'mark',
      set: { state: 'top', note: 'x' },
      color: 'FFDDEE',
    });
    d.call('edit_rows', { range: 'Sales', where: 'state <> "top"', action: 'sort', sort_by: [{ column: 'score' }] });
    expect(d.call('read', { range: 'Sales' }).rows).toEqual({
      1: ['name', 'score', 'state', 'note'],
      2: ['a', 95, 'top', 'x'],
      3: ['d', 60, 'Done'],
      4: ['c', 70, 'open'],
      5: ['b', 80, 'done'],
      6: ['e', 99, 'top', 'x'],
    });
    const before = d.version();
    d.call('edit_rows', { range: 'Sales', where: 'state = "done"', action: 'move', to: 'Archive' });
    expect(d.version()).toBe(before + 1);
    expect(d.call('read', { range: 'Archive' }).rows).toEqual({ 1: ['d', 60, 'Done'], 2: ['b', 80, 'done'] });
    expect(d.call('edit_rows', { range: 'Sales', where: 'state = "top"', action: 'delete' })).toMatchObject({
      matched: 2,
      shifted: ['Sales!rows 4:4 deleted', 'Sales!rows 2:2 deleted'],
    });
    expect(d.call('read', { range: 'Sales' }).rows).toEqual({
      1: ['name', 'score', 'state', 'note'],
      2: ['c', 70, 'open'],
    });
  });

  test('leaves what stands beside the table where it is', () => {
    const d = table();
    d.call('write', { range: 'Sales!F1', rows: [['kept'], [1], [2], [3]] });
    d.call('edit_rows', { range: 'Sales!A1:C6', where: 'name in ("a", "b")', action: 'delete' });
    expect(d.call('read', { range: 'Sales!F1:F4' }).rows).toEqual({ 1: ['kept'], 2: [1], 3: [2], 4: [3] });
    expect(d.call('read', { range: 'Sales!A1:A4' }).rows).toEqual({ 1: ['name'], 2: ['c'], 3: ['d'], 4: ['e'] });
  });

  test('says what is missing', () => {
    const d = table();
    expect(d.refusal('edit_rows', { where: 'a = 1', action: 'find' })).toContain(
      'range: name the table or its sub-sheet',
    );
    expect(d.refusal('edit_rows', { range: 'Sales', where: 'stat = 1', action: 'delete' })).toBe(
      'invalid_parameter: where: there is no column stat; did you mean state?',
    );
    expect(d.refusal('edit_rows', { range: 'Sales', action: 'sort' })).toBe(
      'invalid_parameter: sort_by: is required for sort',
    );
  });
});

describe('older writes', () => {
  test('[finding G4] return_changes lists what was written, sorted and replaced, by address, and no cell that shows the same', () => {
    const d = desk();
    d.call('write', {
      range: 'A1',
      rows: [
        [3, '=C1'],
        [1, '=D2+1'],
        [2, '=C2'],
      ],
      formulas: { C1: '=C1+1' },
    });
    const sorted = d.call('sort_range', {
      sheet_id: 'Sheet1',
      start_row: 0,
      start_col: 0,
      end_row: 2,
      end_col: 0,
      columns: [{ col: 0, order: 1 }],
      return_changes: true,
    });
    expect(sorted.changes.map((one: any) => [one.address, one.text])).toEqual([
      ['A1', '1'],
      ['A2', '2'],
      ['A3', '3'],
    ]);
    expect(sorted.changed_count).toBe(3);
    const deleted = d.call('delete_dimension', {
      sheet_id: 's0',
      dimension_type: 'row',
      index: 2,
      count: 1,
      return_changes: true,
    });
    expect(deleted.shifted).toEqual(['Sheet1!rows 3:3 deleted']);
    expect(
      d.call('replace', { search_term: '2', replacement: '5', sheet_id: 's0', return_changes: true }),
    ).toMatchObject({
      replaced_count: 1,
      changes: [{ address: 'A2', text: '5', value: 5 }],
    });
  });

  test('[finding G2] set_cell_style takes the names that get_cell_style gives', () => {
    const d = desk();
    d.call('write', { range: 'A1', rows: [[0.5]] });
    const at = { sheet_id: 's0', start_row: 0, start_col: 0, end_row: 0, end_col: 0 };
    d.call('set_cell_style', { ...at, format: { number_format: '0.0%', background_color: 'FFEEDDCC' } });
    const [{ row: _, col: __, ...style }] = d.call('get_cell_style', at).cells;
    expect(style).toMatchObject({ number_format: '0.0%', background_color: 'FFEEDDCC' });
    const before = d.state();
    d.call('set_cell_style', { ...at, format: style });
    expect(d.state()).toBe(before);
    d.call('set_cell_style', { ...at, is_clear: true, format: { bold: 'yes' } });
  });

  test('[finding G6] copy_range takes addresses and transposes, replace takes several, a batch ends with a read', () => {
    const d = desk('One', 'Two');
    d.call('write', {
      range: 'One!A1',
      rows: [
        ['q', 1, '50%'],
        ['r', '=B1*4', 6],
      ],
    });
    d.call('copy_range', { source: 'One!A1:C2', target: 'Two!B2', transpose: true });
    expect(d.call('read', { range: 'Two' }).rows).toEqual({ 2: ['q', 'r'], 3: [1, 4], 4: ['50%', 6] });
    d.call('replace', {
      range: 'Two',
      replacements: [
        { search_term: 'q', replacement: 'r' },
        { search_term: 'r', replacement: 's' },
      ],
    });
    const before = d.version();
    const { results } = d.call('batch', {
      calls: [
        { tool: 'write', arguments: { range: 'Two!B5', rows: [['t']] } },
        { tool: 'read', arguments: { range: 'Two!B2:C5' } },
      ],
    });
    expect(d.version()).toBe(before + 1);
    expect(results[1].rows).toEqual({ 2: ['s', 's'], 3: [1, 4], 4: ['50%', 6], 5: ['t'] });
  });
});
