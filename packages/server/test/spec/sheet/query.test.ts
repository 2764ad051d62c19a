import { expect, test } from 'vitest';
import { onTool, refused } from './support.ts';

onTool('query', ({ call, sheet }) => {
  const sales =
    'region,product,date,score,unit price\nEast,pear,2026-04-01,3,1.5\nWest,leek,2026-04-02,5,2\n' +
    'east,plum,2026-05-01,7,1\nNorth,pear,2026-06-01,,3\nWest,pear,2026-06-02,=1/0,3\n';

  test('groups, orders and names its columns; texts compare without case and errors count as nothing', async () => {
    const s = await sheet(sales);
    const query =
      'select region, sum(score) as total, count(*) n from A1:E6 group by region having count(*) > 0 order by total desc';
    expect(await s.ok('query', { query })).toEqual({
      columns: ['region', 'total', 'n'],
      rows: [
        ['East', 10, 2],
        ['West', 5, 2],
        ['North', 0, 1],
      ],
      row_count: 3,
    });
  });

  test('columns by heading or letter; where, case, like, in, between and functions', async () => {
    const s = await sheet(sales);
    const rows = async (query: string) => (await s.ok('query', { query })).rows;
    expect(await rows('select [unit price], B from Sheet1 where D = 5')).toEqual([[2, 'leek']]);
    expect(await rows("select product from Sheet1 where product like 'p%' and region in ('EAST')")).toEqual([
      ['pear'],
      ['plum'],
    ]);
    expect(await rows("select upper(product) || '-' || length(region) from Sheet1 limit 1 offset 2")).toEqual([
      ['PLUM-4'],
    ]);
    expect(await rows('select product from Sheet1 where score is null and region = "north"')).toEqual([['pear']]);
    expect(
      await rows("select case when score > 4 then 'hi' else 'lo' end c, count(*) from Sheet1 group by c order by c"),
    ).toEqual([
      ['hi', 2],
      ['lo', 3],
    ]);
    expect(await rows('select count(*) from Sheet1 where [unit price] between 2 and 3')).toEqual([[3]]);
    expect(await rows('select distinct region from Sheet1 order by region desc')).toEqual([
      ['West'],
      ['North'],
      ['East'],
    ]);
  });

  test('joins sub-sheets by equal values; a left join keeps what finds none', async () => {
    const s = await sheet(sales);
    const { sheet_id } = await s.ok('add_sheet', { name: 'Rates' });
    await s.ok('set_range_value_by_csv', { sheet_id, csv_data: 'area,rate\nEast,2\nWest,3\n' });
    const rows = async (query: string) => (await call('query', { file_id: s.file_id, query })).data.rows;
    expect(
      await rows('select s.product, s.score * r.rate x from Sheet1 s join Rates r on s.region = r.area order by x'),
    ).toEqual([
      ['pear', 6],
      ['plum', 14],
      ['leek', 15],
      ['pear', ''],
    ]);
    expect(
      await rows('select region from Sheet1 s left join Rates r on s.region = r.area where r.rate is null'),
    ).toEqual([['North']]);
    expect(
      (await call('query', { file_id: s.file_id, query: 'select A, B from A1:B2', sheet_id: 'Rates' })).data,
    ).toEqual({ columns: ['A', 'B'], rows: [['East', 2]], row_count: 1 });
  });

  test('stays within its tokens, goes on at next_offset, and always tells the number of all rows', async () => {
    const s = await sheet(`n\n${Array.from({ length: 1000 }, (_, i) => `${i}\n`).join('')}`);
    const query = 'select n from Sheet1 where n >= 500 limit 300';
    const seen: number[] = [];
    let offset: number | undefined = 0;
    while (offset !== undefined) {
      const page: any = await s.ok('query', { query, offset, max_tokens: 200 });
      expect(JSON.stringify(page).length / 4).toBeLessThanOrEqual(200);
      expect(page.row_count).toBe(300);
      expect(page.rows.length).toBeGreaterThan(0);
      seen.push(...page.rows.flat());
      offset = page.next_offset;
    }
    expect(seen).toEqual(Array.from({ length: 300 }, (_, i) => 500 + i));
    for (const past of [300, 5000])
      expect(await s.ok('query', { query, offset: past })).toEqual({ columns: ['n'], rows: [], row_count: 300 });
    const grouped = 'select n > 499 half, count(*) c from Sheet1 group by n > 499';
    expect(await s.ok('query', { query: grouped, offset: 7 })).toMatchObject({ rows: [], row_count: 2 });
  });

  test('says what it cannot read, with the place or what was probably meant', async () => {
    const s = await sheet(sales);
    const asking = (query: string) => s.call('query', { query });
    expect(await asking('select regio from Sheet1')).toEqual(
      refused(310001, 'query: there is no column regio; did you mean region?'),
    );
    expect(await asking('select region, row_number() over (order by region) as n from Sheet1 where n < 3')).toEqual(
      refused(310001, 'query: n is named by this select; use it outside: select * from (select …) t where t.n …'),
    );
    expect(await asking('delete from Sheet1')).toEqual(
      refused(
        310001,
        'query: delete is not known, a query only reads; use edit_rows with action delete at 1: "delete from Sheet1"',
      ),
    );
    expect(await asking('select region from Sheet1 where')).toEqual(
      refused(310001, 'query: expected a value, column or function, found the end at 32: ""'),
    );
    expect(await asking('select load_file(region) from Sheet1')).toEqual(
      refused(310001, 'query: there is no function load_file, or it cannot stand here'),
    );
    expect(await asking('')).toEqual(refused(310001, 'query: must not be empty (got "")'));
    expect(await s.call('query', {})).toEqual(refused(310001, 'query: is required'));
    expect(await s.call('query', { query: 'select * from Sheet1', offset: -1 })).toEqual(
      refused(310001, 'offset: must be at least 0 (got -1)'),
    );
    expect(await s.call('query', { query: 'select * from Sheet1', limit: 1 })).toMatchObject({
      code: 310001,
      msg: expect.stringMatching(/^limit: is not a field of query; /),
      data: {},
    });
  });

  test('[T88] names nothing outside the document and ends within its budget', async () => {
    const s = await sheet(`k\n${'same\n'.repeat(3000)}`);
    for (const table of ['sqlite_master', 'information_schema.tables', "'../x'!A1", 'http://x/!A1'])
      expect([310001, 310003]).toContain((await s.call('query', { query: `select * from ${table}` })).code);
    const cross = 'select count(*) from Sheet1 a join Sheet1 b on a.k = b.k join Sheet1 c on b.k = c.k';
    const answer = await s.call('query', { query: cross });
    expect([310001, 310010]).toContain(answer.code);
    expect(answer.msg).toMatch(/the join gives more than 2000000 rows|the calculation needs more than/);
    expect(await s.ok('query', { query: 'select count(*) c from Sheet1' })).toMatchObject({ rows: [[3000]] });
  });

  test('[finding G10] in (select …), derived tables, with, t.*, separators and windows', async () => {
    const s = await sheet(sales);
    const { sheet_id } = await s.ok('add_sheet', { name: 'Rates' });
    await s.ok('set_range_value_by_csv', { sheet_id, csv_data: 'area,rate\nEast,2\nWest,3\n' });
    const rows = async (query: string) => (await s.ok('query', { query })).rows;
    expect(await rows('select region from Sheet1 where region not in (select area from Rates)')).toEqual([['North']]);
    expect(await rows('select count(*) from Sheet1 where score > (select avg(score) from Sheet1)')).toEqual([[1]]);
    expect(
      await rows(
        'select t.n, t.region from (select region, count(*) n from Sheet1 group by region) t where n > 1 order by 2',
      ),
    ).toEqual([
      [2, 'East'],
      [2, 'West'],
    ]);
    expect(
      await rows(
        'with x as (select region, sum(score) s from Sheet1 group by region), y as (select * from x where s > 0) ' +
          'select y.*, r.rate from y join Rates r on y.region = r.area order by r.rate',
      ),
    ).toEqual([
      ['East', 10, 2],
      ['West', 5, 3],
    ]);
    expect(await rows("select region, group_concat(product, ' + ') from Sheet1 group by region limit 1")).toEqual([
      ['East', 'pear + plum'],
    ]);
    expect(
      await rows(
        'select * from (select product, date, row_number() over (partition by product order by date desc) n from Sheet1) t ' +
          'where n = 1 order by product',
      ),
    ).toEqual([
      ['leek', "'2026-04-02", 1],
      ['pear', "'2026-06-02", 1],
      ['plum', "'2026-05-01", 1],
    ]);
    expect(await rows('select product, sum(score) over (order by date) s from Sheet1 limit 3')).toEqual([
      ['pear', 3],
      ['leek', 8],
      ['plum', 15],
    ]);
    expect(
      await rows('select region, rank() over (order by sum(score) desc) k from Sheet1 group by region order by k'),
    ).toEqual([
      ['East', 1],
      ['West', 2],
      ['North', 3],
    ]);
  });

  test('[finding G10] styles are conditions, in edit_rows too', async () => {
    const s = await sheet(sales);
    await s.ok('set_cell_style', { range: 'Sheet1!A2:A3', format: { bold: true, bg_color: 'FFFF00' } });
    const query = 'select product, fill(A) f from Sheet1 where bold(A)';
    expect((await s.ok('query', { query })).rows).toEqual([
      ['pear', 'FFFF00'],
      ['leek', 'FFFF00'],
    ]);
    expect(
      await s.ok('edit_rows', { range: 'Sheet1', where: 'fill(region) = "ffff00"', action: 'find' }),
    ).toMatchObject({
      matched: 2,
    });
    const inside = 'region in (select region from Sheet1 where score > 4)';
    expect(await s.ok('edit_rows', { range: 'Sheet1', where: inside, action: 'find' })).toMatchObject({ matched: 4 });
  });

  test('[finding G10] what is not known is named, with what to use instead', async () => {
    const s = await sheet(sales);
    const cases: [string, string][] = [
      ['select A from Sheet1 union select B from Sheet1', 'union is not known; run the queries one after the other'],
      ['select * from Sheet1 a right join Sheet1 b on a.A = b.A', 'right join is not known; swap the tables'],
      ['select * from Sheet1, Sheet1', 'a comma between tables is not known; use join'],
      ['update Sheet1 set A = 1', 'update is not known, a query only reads; use edit_rows with action mark'],
      [
        'select strftime(date) from Sheet1',
        'there is no function strftime, or it cannot stand here; use year, month, day',
      ],
      ['select row_number() from Sheet1', 'row_number() needs over (order by …)'],
      ['select A from Sheet1 where rank() over (order by A) = 1', 'put it into a derived table'],
      ['select percent_rank() over (order by A) from Sheet1', 'there are row_number, rank, dense_rank'],
      ['select z.* from Sheet1 s', 'there is no table z; there are s'],
      ['select A from Sheet1 s where exists (select * from Sheet1 where zone = s.region)', 'sees only its own tables'],
      ['select bold(1) from Sheet1', 'bold takes a column, as in bold(A)'],
      ['select (select A from Sheet1) from Sheet1', 'use in (select …) or limit 1 (got 5 rows)'],
    ];
    for (const [query, message] of cases) {
      const { code, msg } = await s.call('query', { query });
      expect([query, code, msg]).toEqual([query, 310001, expect.stringContaining(message)]);
    }
  });

  test(
    '[finding R23] derived tables, lists and windows are counted against the budget',
    { timeout: 60_000 },
    async () => {
      const s = await sheet();
      await s.ok('write', { range: 'A1:A20000', rows: [['=ROW()']] });
      const windows = Array.from({ length: 200 }, (_, at) => `row_number() over (order by A + ${at})`);
      const lists = Array.from({ length: 100 }, (_, at) => `A in (select A + ${at} from Sheet1!A1:A20000)`);
      for (const query of [
        `select ${windows.join(', ')} from Sheet1!A1:A20000 limit 1`,
        `select count(*) from Sheet1!A1:A20000 where ${lists.join(' and ')}`,
      ])
        expect(await s.call('query', { query })).toMatchObject({ code: 310010 });
    },
  );
});
