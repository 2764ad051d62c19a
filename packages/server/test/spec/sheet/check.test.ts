import { expect, test } from 'vitest';
import { onTool, refused } from './support.ts';

onTool('check', ({ call, sheet }) => {
  const numbers = 'id,n\na1,1\nb2,2\na1,3\n';

  test('without assertions lists error cells with what is behind them, everywhere or in a range', async () => {
    const s = await sheet('1,=A1/0\n=SUMM(1),=B1+1\n');
    expect(await s.ok('check')).toEqual({
      ok: false,
      failed: {},
      errors: {
        'Sheet1!B1': '#DIV/0! divides by 0',
        'Sheet1!A2': '#NAME? there is no function SUMM; did you mean SUM?',
        'Sheet1!B2': '#DIV/0! from B1',
      },
      error_count: 3,
    });
    expect(await s.ok('check', { range: 'B2:B9' })).toMatchObject({ ok: false, error_count: 1 });
    expect(await s.ok('check', { range: 'A1' })).toEqual({ ok: true, failed: {}, errors: {}, error_count: 0 });
    expect(await (await sheet()).ok('check')).toEqual({ ok: true, failed: {}, errors: {}, error_count: 0 });
  });

  test('holds formulas: ok when all are TRUE, else both sides of those that are not', async () => {
    const s = await sheet(numbers);
    expect(await s.ok('check', { assertions: ['SUM(B2:B4) = 6', '=B2:B4 > 0', 'COUNTIF(A2:A4,"a1")=2'] })).toEqual({
      ok: true,
      failed: {},
      errors: {},
      error_count: 0,
    });
    const { ok, failed } = await s.ok('check', {
      assertions: ['SUM(B2:B4) = 7', 'B2:B4 < 3', 'COUNT(B2:B4)', 'B2/0 = 1', 'B2 = 1'],
    });
    expect(ok).toBe(false);
    expect(failed).toEqual({
      'SUM(B2:B4) = 7': 'SUM(B2:B4) is 6, 7 is 7',
      'B2:B4 < 3': 'for entry 3 of 3, B2:B4 is 3, 3 is 3',
      'COUNT(B2:B4)': 'it gives 3, not TRUE',
      'B2/0 = 1': 'it gives #DIV/0!',
    });
  });

  test('holds ready-made rules, and names the first cells that break them', async () => {
    const s = await sheet(`${numbers},=1/0\n`);
    const assertions = [
      'unique B2:B4',
      'unique A2:A4',
      'no blanks in B2:B4',
      'no blanks in A2:A5',
      'A2:A4 matches ^[a-z]\\d$',
      'A2:A4 matches ^a',
      'B2:B3 balances B4',
      'B2:B4 balances B2:B3',
      'no errors in B2:B4',
      'no errors',
    ];
    expect(await s.ok('check', { assertions })).toEqual({
      ok: false,
      failed: {
        'unique A2:A4': 'A4 repeats A2 (a1)',
        'no blanks in A2:A5': 'A5 are blank',
        'A2:A4 matches ^a': 'A3 is b2',
        'B2:B4 balances B2:B3': 'Sheet1!B2:B4 sums to 6, Sheet1!B2:B3 to 3',
        'no errors': 'B5 #DIV/0! divides by 0',
      },
      errors: { 'Sheet1!B5': '#DIV/0! divides by 0' },
      error_count: 1,
    });
  });

  test('with assertions errors are told and do not count; addresses mean the named sub-sheet, else the first', async () => {
    const s = await sheet('5,=1/0\n');
    const { sheet_id } = await s.ok('add_sheet', { name: 'My costs' });
    await s.ok('set_range_value_by_csv', { sheet_id, csv_data: '7\n' });
    const ask = (assertion: string, sheet?: string) =>
      call('check', { file_id: s.file_id, assertions: [assertion], ...(sheet ? { sheet_id: sheet } : {}) });
    expect((await ask('A1 = 5')).data).toMatchObject({ ok: true, error_count: 1 });
    expect((await ask('A1 = 7', 'My costs')).data).toMatchObject({ ok: true, failed: {} });
    expect((await ask('A1 = 7', sheet_id)).data).toMatchObject({ ok: true, failed: {} });
    expect((await ask("'My costs'!A1 - A1 = 2")).data).toMatchObject({ ok: true, failed: {} });
    expect(await ask('A1 = 7', 'None')).toEqual(refused(310003, 'sheet_id: there is no sub-sheet "None"'));
  });

  test('tells the first 50 errors, equal neighbors as one, and counts all', async () => {
    const s = await sheet('=1/0,=A1\n=SQRT(-1),=A2\n'.repeat(60));
    const { errors, error_count } = await s.ok('check', { range: 'A:A' });
    expect(Object.keys(errors)).toEqual(Array.from({ length: 50 }, (_, i) => `Sheet1!A${i + 1}`));
    expect(error_count).toBe(120);
    const same = await sheet('=1/0\n'.repeat(60));
    expect((await same.ok('check')).errors).toEqual({ 'Sheet1!A1:A60': '#DIV/0! divides by 0' });
  });

  test('what cannot be read is refused with its place; up to 100 assertions', async () => {
    const s = await sheet(numbers);
    const holding = (...assertions: string[]) => s.call('check', { assertions });
    expect(await holding('TRUE', 'SUM(')).toEqual(
      refused(
        310009,
        'assertions[1]: SUM( is not a formula: A value is expected, not the end of the formula, at character 6',
      ),
    );
    expect(await holding('unique None!A1')).toEqual(
      refused(310003, 'assertions[0]: there is no sub-sheet named "None"; there are Sheet1'),
    );
    expect(await holding('A1:A3 matches (')).toMatchObject({
      code: 310001,
      msg: expect.stringMatching(/^assertions\[0\]: "\(" is not a valid RE2 pattern: /),
      data: {},
    });
    expect(await holding('')).toEqual(refused(310001, 'assertions[0]: must not be empty (got "")'));
    expect(await holding(...Array.from({ length: 101 }, () => 'TRUE'))).toEqual(
      refused(310001, 'assertions: must have at most 100 entries (got an array of 101)'),
    );
    expect(await holding(...Array.from({ length: 100 }, () => 'TRUE'))).toMatchObject({ code: 0, data: { ok: true } });
    expect(await s.call('check', { assertion: ['TRUE'] })).toEqual(
      refused(310001, 'assertion: is not a field of check; did you mean assertions?'),
    );
  });
});
