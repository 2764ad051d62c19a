import { expect, test } from 'vitest';
import { onTool, refused } from './support.ts';

onTool('trace', ({ call, sheet }) => {
  test('tells what a cell is calculated from and what depends on it, with values and formulas', async () => {
    const s = await sheet('1,=A1*2,=SUM(B1:B3)\n2,=A2*2,=C1&"!"\n3,=A3*2,\n');
    expect(await s.ok('trace', { range: 'C1' })).toEqual({
      cell: 'Sheet1!C1 12  =SUM(B1:B3)',
      precedents: [['B1:B3 3 filled, 3 numbers 2…6, sum 12  =A1*2']],
      dependents: [['C2 12!  =C1&"!"']],
    });
    expect(await s.ok('trace', { range: 'A1:A3', direction: 'dependents' })).toEqual({
      cell: 'Sheet1!A1:A3 3 filled, 3 numbers 1…3, sum 6',
      dependents: [['B1:B3 3 filled, 3 numbers 2…6, sum 12  =A1*2']],
    });
    expect(await s.ok('trace', { range: 'F9' })).toEqual({
      cell: 'Sheet1!F9 (blank)',
      precedents: [],
      dependents: [],
    });
  });

  test('follows so many levels, over sub-sheets, one way or both', async () => {
    const s = await sheet('=Rates!A1*10,=A1+1,=B1+1\n');
    const { sheet_id } = await s.ok('add_sheet', { name: 'Rates' });
    await s.ok('set_range_value_by_csv', { sheet_id, csv_data: '2\n' });
    await s.ok('set_range_value_by_csv', { csv_data: '=Rates!A1*10\n' });
    const precedents = [['B1 21  =A1+1'], ['A1 20  =Rates!A1*10'], ['Rates!A1 2']];
    for (const levels of [1, 2, 3, 20])
      expect(await s.ok('trace', { range: 'C1', direction: 'precedents', levels })).toEqual({
        cell: 'Sheet1!C1 22  =B1+1',
        precedents: precedents.slice(0, levels),
      });
    const forward = { file_id: s.file_id, range: 'A1', sheet_id: 'Rates', direction: 'dependents', levels: 5 };
    expect((await call('trace', forward)).data).toEqual({
      cell: 'Rates!A1 2',
      dependents: [['Sheet1!A1 20  =Rates!A1*10'], ['Sheet1!B1 21  =A1+1'], ['Sheet1!C1 22  =B1+1']],
    });
  });

  test('a circle ends, and each place is told once', async () => {
    const s = await sheet('=B1+1,=A1+1\n');
    const { precedents } = await s.ok('trace', { range: 'A1', direction: 'precedents', levels: 20 });
    expect(precedents.map((level: string[]) => level.map((line) => line.split(' ')[0]))).toEqual([['B1'], ['A1']]);
  });

  test('stays within its tokens and says when something was left out', async () => {
    const s = await sheet('1\n');
    const formulas = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`C${2 * i + 1}`, `=$A$1+${i}`]));
    await s.ok('write', { formulas });
    const short = await s.ok('trace', { range: 'A1', max_tokens: 100 });
    expect(JSON.stringify(short).length / 4).toBeLessThanOrEqual(100);
    expect(short.truncated).toBe(true);
    const whole = await s.ok('trace', { range: 'A1', max_tokens: 2000 });
    expect(whole.dependents[0]).toHaveLength(60);
    expect(whole).not.toHaveProperty('truncated');
    expect(await s.call('trace', { range: 'A1', max_tokens: 10 })).toEqual(
      refused(310001, 'max_tokens: must be at least 50 (got 10)'),
    );
  });

  test('says so too where it stops for the number of places', async () => {
    const s = await sheet('1\n');
    const readers = Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`C${2 * i + 1}`, '=$A$1']));
    await s.ok('write', { formulas: readers });
    const forward = await s.ok('trace', { range: 'A1', max_tokens: 50_000 });
    expect(forward.dependents[0]).toHaveLength(500);
    expect(forward.truncated).toBe(true);
    await s.ok('write', { range: 'C1', rows: [['']] });
    expect(await s.ok('trace', { range: 'A1', max_tokens: 50_000 })).not.toHaveProperty('truncated');
    const reading = Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`E${2 * i + 1}`, `=G${3 * i + 1}`]));
    await s.ok('write', { formulas: reading });
    const back = { direction: 'precedents', max_tokens: 50_000 };
    expect(await s.ok('trace', { ...back, range: 'E1:E101' })).toMatchObject({ truncated: true });
    expect(await s.ok('trace', { ...back, range: 'E1:E99' })).not.toHaveProperty('truncated');
  });

  test('what it cannot follow is refused', async () => {
    const s = await sheet('1\n');
    const tracing = (input: Record<string, unknown>) => s.call('trace', input);
    expect(await tracing({})).toEqual(refused(310001, 'range: is required'));
    expect(await tracing({ range: 'None!B9' })).toEqual(
      refused(310003, 'range: there is no sub-sheet named "None"; there are Sheet1'),
    );
    expect(await tracing({ range: 'A1', levels: 21 })).toEqual(refused(310001, 'levels: must be at most 20 (got 21)'));
    expect(await tracing({ range: 'A1', direction: 'up' })).toEqual(
      refused(310001, 'direction: must be one of precedents, dependents, both (got "up")'),
    );
    expect(await tracing({ range: 'A1', level: 2 })).toEqual(
      refused(310001, 'level: is not a field of trace; did you mean levels?'),
    );
  });
});
