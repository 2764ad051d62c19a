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
    expect(await asking('delete from Sheet1')).toEqual(
      refused(310001, 'query: expected select, found "delete" at 1: "delete from Sheet1"'),
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
});
