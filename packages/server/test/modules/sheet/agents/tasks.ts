/** A piece of work as agents are given it: the document, the calls that solve it, and what must hold afterwards. */
export interface Task {
  readonly name: string;
  readonly sheets?: readonly string[];
  prepare(put: Put): unknown;
  solve(call: Call): unknown;
  /** Assertions as check takes them. */
  readonly holds: readonly string[];
}

type Put = (range: string, rows: readonly (readonly unknown[])[], formulas?: Record<string, string>) => unknown;
type Call = (tool: string, input?: Record<string, unknown>) => any;

const regions = ['East', 'West', 'North', 'South'];

/** A table of sales, the same on every run. */
function sales(rows = 40): unknown[][] {
  return [
    ['id', 'region', 'date', 'qty', 'price'],
    ...Array.from({ length: rows }, (_, at) => [
      `S${String(at + 1).padStart(3, '0')}`,
      regions[at % 4],
      `2026-${String((at % 6) + 1).padStart(2, '0')}-${String((at % 27) + 1).padStart(2, '0')}`,
      (at * 7) % 10,
      10 + (at % 5),
    ]),
  ];
}

const total = (rows = 40): Record<string, string> => ({ [`Sales!F2:F${rows + 1}`]: '=D2*E2' });

export const tasks: readonly Task[] = [
  {
    name: 'add a computed column',
    prepare: (put) => put('Sales!A1', sales()),
    solve: (call) =>
      call('write', { range: 'Sales!F1', rows: [['total']], formulas: { 'F2:F41': '=D2*E2' }, assert: ['no errors'] }),
    holds: ['Sales!F41 = Sales!D41*Sales!E41', 'Sales!F1 = "total"'],
  },
  {
    name: 'find and mend the broken formula of a column',
    prepare: async (put) => {
      await put('Sales!A1', sales(), total());
      await put('Sales!F17', [['=D17+E17']]);
    },
    solve: async (call) => {
      const [table] = (await call('inspect')).sheets[0].tables;
      const line = (table.columns as string[]).find((one) => one.includes('BREAKS'))!;
      const [, cell] = /: ([A-Z]+\d+) =/.exec(line.slice(line.indexOf('BREAKS')))!;
      await call('write', { range: `Sales!${cell}`, rows: [[`=D${cell!.slice(1)}*E${cell!.slice(1)}`]] });
    },
    holds: ['Sales!F17 = Sales!D17*Sales!E17'],
  },
  {
    name: 'find the constant that stands among formulas',
    prepare: async (put) => {
      await put('Sales!A1', sales(), total());
      await put('Sales!F9', [[5]]);
    },
    solve: async (call) => {
      const [table] = (await call('inspect')).sheets[0].tables;
      const line = (table.columns as string[]).find((one) => one.includes('constant'))!;
      const cell = /([A-Z]+\d+) is the constant/.exec(line)![1]!;
      await call('write', { formulas: { [`Sales!${cell}`]: `=D${cell.slice(1)}*E${cell.slice(1)}` } });
    },
    holds: ['Sales!F9 = Sales!D9*Sales!E9'],
  },
  {
    name: 'total by region into a sheet of its own',
    sheets: ['Sales', 'Summary'],
    prepare: (put) => put('Sales!A1', sales(), total()),
    solve: (call) =>
      call('write', {
        range: 'Summary!A1',
        query: 'select region, sum(F) as total from Sales!A1:F41 group by region order by region',
      }),
    holds: ['SUM(Summary!B2:B5) = SUM(Sales!F2:F41)', 'Summary!A2 = "East"'],
  },
  {
    name: 'reconcile two sheets',
    sheets: ['Ours', 'Theirs', 'Diff'],
    prepare: async (put) => {
      await put('Ours!A1', [
        ['id', 'amount'],
        ['a', 1],
        ['b', 2],
        ['c', 3],
      ]);
      await put('Theirs!A1', [
        ['id', 'amount'],
        ['a', 1],
        ['b', 5],
        ['d', 4],
      ]);
    },
    solve: (call) =>
      call('write', {
        range: 'Diff!A1',
        query:
          'select o.id, o.amount ours, t.amount theirs from Ours o left join Theirs t on o.id = t.id where t.id is null or o.amount <> t.amount',
      }),
    holds: ['Diff!A2 = "b"', 'Diff!C2 = 5', 'Diff!A3 = "c"', 'COUNTA(Diff!A:A) = 3'],
  },
  {
    name: 'delete rows by a condition',
    prepare: (put) => put('Sales!A1', sales()),
    solve: (call) => call('edit_rows', { range: 'Sales', where: 'qty = 0', action: 'delete' }),
    holds: ['COUNTIF(Sales!D2:D60, 0) = 0', 'COUNTA(Sales!A2:A60) = 36'],
  },
  {
    name: 'move finished rows to the archive',
    sheets: ['Tasks', 'Archive'],
    prepare: (put) =>
      put('Tasks!A1', [
        ['task', 'm', 's'],
        ['a', 90, 'Complete'],
        ['b', 95, 'Complete'],
        ['c', 10, 'Open'],
      ]),
    solve: (call) =>
      call('edit_rows', { range: 'Tasks', where: 'M <= 90 and S = "Complete"', action: 'move', to: 'Archive' }),
    holds: ['Archive!A1 = "a"', 'COUNTA(Tasks!A2:A9) = 2'],
  },
  {
    name: 'mark late rows in color and in words',
    prepare: (put) => put('Sales!A1', sales()),
    solve: (call) =>
      call('edit_rows', {
        range: 'Sales',
        where: "date >= '2026-06-01'",
        action: 'mark',
        set: { status: 'late' },
        color: 'FFCCCC',
      }),
    holds: ['Sales!F1 = "status"', 'COUNTIF(Sales!F2:F41, "late") = 6'],
  },
  {
    name: 'sort a table by two columns',
    prepare: (put) => put('Sales!A1', sales()),
    solve: (call) =>
      call('edit_rows', {
        range: 'Sales',
        action: 'sort',
        sort_by: [{ column: 'region' }, { column: 'qty', descending: true }],
      }),
    holds: ['Sales!B2 = "East"', 'Sales!B41 = "West"', 'Sales!D2 >= Sales!D3'],
  },
  {
    name: 'turn formulas into values',
    prepare: (put) => put('Sales!A1', sales(), total()),
    solve: (call) => call('copy_range', { source: 'Sales!F2:F41', target: 'Sales!F2', what: 'values' }),
    holds: ['NOT(ISFORMULA(Sales!F2))', 'SUM(Sales!F2:F41) = SUMPRODUCT(Sales!D2:D41, Sales!E2:E41)'],
  },
  {
    name: 'transpose a table',
    prepare: (put) =>
      put('Sales!A1', [
        ['q', 1, 2, 3],
        ['r', 4, 5, 6],
      ]),
    solve: (call) => call('copy_range', { source: 'Sales!A1:D2', target: 'Sales!A5', transpose: true }),
    holds: ['Sales!B8 = 6', 'Sales!A5 = "q"'],
  },
  {
    name: 'several replacements at once',
    prepare: (put) => put('Sales!A1', [['N.Y.'], ['L.A.'], ['N.Y. north']]),
    solve: (call) =>
      call('replace', {
        replacements: [
          { search_term: 'N.Y.', replacement: 'New York' },
          { search_term: 'L.A.', replacement: 'Los Angeles' },
        ],
      }),
    holds: ['Sales!A1 = "New York"', 'Sales!A2 = "Los Angeles"', 'Sales!A3 = "New York north"'],
  },
  {
    name: 'find where a wrong total comes from',
    prepare: async (put) => {
      await put('Sales!A1', sales(), total());
      await put('Sales!H1', [['=SUM(F2:F41)']]);
      await put('Sales!E20', [['n/a']]);
    },
    solve: async (call) => {
      const { errors } = await call('check');
      const source = Object.keys(errors).find((one) => !String(errors[one]).includes('from'))!;
      const { precedents } = await call('trace', { range: source, direction: 'precedents' });
      const bad = (precedents[0] as string[]).find((one) => one.includes('n/a'))!.split(' ')[0]!;
      await call('write', { range: `Sales!${bad}`, rows: [[10]], assert: ['no errors'] });
    },
    holds: ['no errors', 'Sales!E20 = 10'],
  },
  {
    name: 'name the unknown function of a formula and mend it',
    prepare: (put) => put('Sales!A1', [[1, 2, '=SUMM(A1:B1)']]),
    solve: async (call) => {
      const { errors } = await call('check');
      const [cell, why] = Object.entries(errors as Record<string, string>)[0]!;
      const name = /mean ([A-Z]+)\?/.exec(why)![1]!;
      await call('write', { range: cell, rows: [[`=${name}(A1:B1)`]] });
    },
    holds: ['Sales!C1 = 3'],
  },
  {
    name: 'enter dates of another country',
    prepare: (put) => put('Sales!A1', [['when']]),
    solve: (call) => call('write', { range: 'Sales!A2', rows: [['13/5/2026'], ['1/6/2026']], locale: 'en-GB' }),
    holds: ['MONTH(Sales!A2) = 5', 'MONTH(Sales!A3) = 6'],
  },
  {
    name: 'keep leading zeros of codes',
    prepare: (put) => put('Sales!A1', [['code']]),
    solve: (call) => call('write', { range: 'Sales!A2', rows: [['00123'], ['04567']] }),
    holds: ['Sales!A2 = "00123"', 'ISTEXT(Sales!A3)'],
  },
  {
    name: 'append rows below a table',
    prepare: (put) => put('Sales!A1', sales(3)),
    solve: async (call) => {
      const used = (await call('inspect')).sheets[0].used as string;
      const next = Number(/\d+$/.exec(used)![0]) + 1;
      await call('write', { range: `Sales!A${next}`, rows: [['S999', 'East', '2026-07-01', 2, 11]] });
    },
    holds: ['Sales!A5 = "S999"', 'Sales!D5 = 2'],
  },
  {
    name: 'a total that is proven',
    prepare: (put) => put('Sales!A1', sales(), total()),
    solve: (call) =>
      call('write', {
        range: 'Sales!E42',
        rows: [['Total', '=SUM(F2:F41)']],
        assert: ['F42 = SUMPRODUCT(D2:D41,E2:E41)'],
      }),
    holds: ['Sales!F42 = SUM(Sales!F2:F41)'],
  },
  {
    name: 'which region sold most',
    prepare: (put) => put('Sales!A1', sales(), total()),
    solve: async (call) => {
      const { rows } = await call('query', {
        query: 'select region, sum(F) t from Sales!A1:F41 group by region order by t desc limit 1',
      });
      await call('write', { range: 'Sales!H1', rows: [[rows[0][0]]] });
    },
    holds: ['SUMIF(Sales!B2:B41, Sales!H1, Sales!F2:F41) = MAX(SUMIF(Sales!B2:B41, Sales!B2:B5, Sales!F2:F41))'],
  },
  {
    name: 'duplicates of an id',
    prepare: async (put) => {
      await put('Sales!A1', sales());
      await put('Sales!A30', [['S003']]);
    },
    solve: async (call) => {
      const { failed } = await call('check', { assertions: ['unique Sales!A2:A41'] });
      const cell = /([A-Z]+\d+) repeats/.exec(Object.values(failed as Record<string, string>)[0]!)![1]!;
      await call('write', { range: `Sales!${cell}`, rows: [['S129']], assert: ['unique Sales!A2:A41'] });
    },
    holds: ['unique Sales!A2:A41'],
  },
  {
    name: 'look a price up from another sheet',
    sheets: ['Orders', 'Prices'],
    prepare: async (put) => {
      await put('Orders!A1', [
        ['item', 'qty'],
        ['pear', 3],
        ['leek', 2],
      ]);
      await put('Prices!A1', [
        ['item', 'price'],
        ['leek', 2],
        ['pear', 4],
      ]);
    },
    solve: (call) =>
      call('write', {
        range: 'Orders!C1',
        rows: [['cost']],
        formulas: { 'C2:C3': '=B2*XLOOKUP(A2,Prices!$A$2:$A$3,Prices!$B$2:$B$3)' },
        assert: ['no errors'],
      }),
    holds: ['Orders!C2 = 12', 'Orders!C3 = 4'],
  },
  {
    name: 'fill a form without breaking its merges',
    prepare: (put) => put('Form!A1', [['Name'], ['Street'], ['Total', '', '=SUM(C5:C7)']]),
    sheets: ['Form'],
    solve: async (call) => {
      const { rows } = await call('read', { range: 'Form' });
      const row = Object.entries(rows as Record<string, unknown[]>).find(([, cells]) => cells[0] === 'Street')![0];
      await call('write', { range: `Form!B${row}`, rows: [['High Street 1']] });
    },
    holds: ['Form!B2 = "High Street 1"'],
  },
  {
    name: 'percentages of the whole',
    prepare: (put) =>
      put('Sales!A1', [
        ['part', 'n'],
        ['a', 1],
        ['b', 3],
      ]),
    solve: (call) =>
      call('write', {
        formulas: { 'Sales!C2:C3': '=B2/SUM(B$2:B$3)' },
        formats: { 'Sales!C2:C3': '0%' },
        assert: ['SUM(C2:C3) = 1'],
      }),
    holds: ['TEXT(Sales!C3,"0%") = "75%"'],
  },
  {
    name: 'the first row for which something holds',
    prepare: (put) => put('Sales!A1', sales()),
    solve: async (call) => {
      const { rows } = await call('query', { query: 'select id from Sales where qty > 8 limit 1' });
      await call('write', { range: 'Sales!H1', rows: [[rows[0][0]]] });
    },
    holds: ['Sales!H1 = INDEX(Sales!A2:A41, MATCH(TRUE, Sales!D2:D41 > 8, 0))'],
  },
  {
    name: 'mend the range of a sum that stops too early',
    prepare: async (put) => {
      await put('Sales!A1', sales(), total());
      await put('Sales!F42', [['=SUM(F2:F31)']]);
    },
    solve: async (call) => {
      await call('trace', { range: 'Sales!F42', direction: 'precedents' });
      await call('write', { range: 'Sales!F42', rows: [['=SUM(F2:F41)']], assert: ['F42 = SUM(F2:F41)'] });
    },
    holds: ['Sales!F42 = SUM(Sales!F2:F41)'],
  },
  {
    name: 'months as rows, regions as columns',
    sheets: ['Sales', 'Cross'],
    prepare: (put) => put('Sales!A1', sales(), total()),
    solve: (call) =>
      call('write', {
        range: 'Cross!A1',
        query:
          "select month(date) m, sum(case when region = 'East' then F end) East, sum(case when region = 'West' then F end) West " +
          'from Sales!A1:F41 group by month(date) order by m',
      }),
    holds: ['SUM(Cross!B2:B7) = SUMIF(Sales!B2:B41, "East", Sales!F2:F41)', 'Cross!A7 = 6'],
  },
  {
    name: 'what would change if a price rose',
    prepare: async (put) => {
      await put('Sales!A1', sales(), total());
      await put('Sales!H1', [['=SUM(F2:F41)']]);
    },
    solve: async (call) => {
      const { changed } = await call('write', { range: 'Sales!E3', rows: [[100]], dry_run: true });
      await call('write', { range: 'Sales!J1', rows: [[changed.H1]] });
    },
    holds: ['Sales!J1 > Sales!H1', 'Sales!E3 = 11'],
  },
  {
    name: 'clean up text in a column',
    prepare: (put) => put('Sales!A1', [['city'], [' Oslo '], ['BERGEN'], ['oslo']]),
    solve: (call) =>
      call('write', {
        range: 'Sales!B1',
        rows: [['clean']],
        formulas: { 'B2:B4': '=PROPER(TRIM(A2))' },
        assert: ['COUNTIF(B2:B4,"Oslo") = 2'],
      }),
    holds: ['Sales!B3 = "Bergen"'],
  },
  {
    name: 'two edits and a look at them as one revision',
    prepare: (put) =>
      put('Sales!A1', [
        ['a', 1],
        ['b', 2],
      ]),
    solve: (call) =>
      call('batch', {
        calls: [
          { tool: 'write', arguments: { range: 'Sales!B1', rows: [[10]] } },
          { tool: 'write', arguments: { range: 'Sales!B3', rows: [['=SUM(B1:B2)']] } },
          { tool: 'read', arguments: { range: 'Sales!B1:B3' } },
        ],
      }),
    holds: ['Sales!B3 = 12'],
  },
  {
    name: 'a unit price that is blank',
    prepare: async (put) => {
      await put('Sales!A1', sales());
      await put('Sales!E12', [['']]);
    },
    solve: async (call) => {
      const { rows } = await call('edit_rows', { range: 'Sales', where: 'price is null', action: 'find' });
      await call('write', {
        range: `Sales!E${Object.keys(rows)[0]!}`,
        rows: [[11]],
        assert: ['no blanks in Sales!E2:E41'],
      });
    },
    holds: ['Sales!E12 = 11'],
  },
];

/** Where a task is done: a document that tools are called on. */
export interface TaskDesk {
  call(tool: string, input?: Record<string, unknown>): any;
}

/** Does a task and counts what it took: calls, and tokens of their answers. */
export async function doTask(task: Task, desk: TaskDesk): Promise<{ calls: number; tokens: number; failed: unknown }> {
  await task.prepare((range, rows, formulas) => desk.call('write', { range, rows, ...(formulas ? { formulas } : {}) }));
  let calls = 0;
  let tokens = 0;
  await task.solve(async (tool, input) => {
    const answer = await desk.call(tool, input);
    calls++;
    tokens += Math.ceil(JSON.stringify(answer).length / 4);
    return answer;
  });
  const { failed } = await desk.call('check', { assertions: [...task.holds] });
  return { calls, tokens, failed };
}

export const median = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)]!;
