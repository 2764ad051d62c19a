import { expect, test } from 'vitest';
import { onTool, refused } from './support.ts';

onTool('append_rows', ({ sheet }) => {
  test('[S101] writes after the last used row of its columns and tells where', async () => {
    const s = await sheet('name,n\npear,1\n');
    await s.put('F9', 'far\n');
    expect(
      await s.ok('append_rows', {
        rows: [
          ['plum', 2, '=B2*10'],
          ['fig', null, true],
        ],
      }),
    ).toMatchObject({ start_row: 2, row_count: 2 });
    expect(await s.csv('A1:C4')).toBe('name,n,\npear,1,\nplum,2,10\nfig,,TRUE\n');
    expect(await s.formula('C3')).toBe('=B2*10');
  });

  test('[S101] a date below dates is a date, as those; elsewhere it is the text that was sent', async () => {
    const s = await sheet();
    const rows = [
      ['due', 'code'],
      ['2026-05-01', 'a'],
    ];
    await s.ok('write', { range: 'A1', rows });
    await s.ok('append_rows', { rows: [['2026-05-09', '2026-05-09']] });
    expect((await s.ok('query', { query: 'select max(due) - min(due) from A1:A3' })).rows).toEqual([[8]]);
    expect((await s.ok('read', { range: 'A3:B3' })).rows).toEqual({ 3: ['2026-05-09', "'2026-05-09"] });
  });

  test('[S101] start_col and end_col say which columns count', async () => {
    const s = await sheet('name,n\npear,1\n');
    await s.put('F9', 'far\n');
    expect(await s.ok('append_rows', { rows: [['right']], start_col: 4 })).toMatchObject({
      start_row: 0,
      row_count: 1,
    });
    expect(await s.ok('append_rows', { rows: [['wide']], start_col: 4, end_col: 5 })).toMatchObject({
      start_row: 9,
      row_count: 1,
    });
    expect(await s.csv('E1:E10')).toBe('right\n\n\n\n\n\n\n\n\nwide\n');
    expect(await s.call('append_rows', { rows: [['a', 'b']], start_col: 4, end_col: 4 })).toEqual(
      refused(310001, 'end_col: must be at least 5, the last column written (got 4)'),
    );
  });

  test('[S101] what cannot be written is refused whole', async () => {
    const s = await sheet('x\n');
    expect(await s.call('append_rows', { rows: [['ok'], ['=SUM(']] })).toMatchObject({
      code: 310009,
      msg: expect.stringMatching(/^cell A3: /),
      data: {},
    });
    expect(await s.call('append_rows', { rows: [[]] })).toEqual(
      refused(310001, 'rows: must contain at least one value'),
    );
    expect(await s.call('append_rows', { rows: [] })).toEqual(
      refused(310001, 'rows: must have at least 1 entry (got an array of 0)'),
    );
    expect(await s.csv('A1:A3')).toBe('x\n');
  });

  test('[S101] the grid grows, up to its limit', async () => {
    const s = await sheet();
    await s.ok('set_cell_value', { row: 1_048_574, col: 0, value_type: 'NUMBER', number_value: 1 });
    expect(await s.call('append_rows', { rows: [['a'], ['b']] })).toEqual(
      refused(310006, 'rows: 2 rows starting at row 1048575 exceed 1048576 rows'),
    );
    expect(await s.ok('append_rows', { rows: [['a']] })).toMatchObject({ start_row: 1_048_575, row_count: 1 });
  });

  test('[S102] rows of callers that append at once all land, each once', async () => {
    const s = await sheet('who\n');
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => s.ok('append_rows', { rows: [[`caller ${i}`]] })),
    );
    expect(answers.map((one) => one.start_row).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, i) => i + 1),
    );
    expect(new Set((await s.csv('A2:A21')).trim().split('\n')).size).toBe(20);
  });
});
