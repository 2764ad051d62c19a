import { describe, expect, test } from 'vitest';
import { desk, type Desk } from './support.ts';

const sales = {
  range: 'Sheet1!A1',
  rows: [
    ['name', 'due', 'share', 'code', 'qty'],
    ['pear', '1/5/2021', '55%', '0004', 3],
    ['leek', '2021-05-13', '12.5%', '0012', 2],
    ["'5", true, '$1,234.50', 'x', 1],
  ],
  formulas: { 'F2:G4': '=$E2*2' },
};

describe('read', () => {
  test('[finding G5] gives a grid by row number, formulas once for all cells they fill, and ends with what is used', () => {
    const d = desk();
    d.call('write', sales);
    d.call('write', { merges: ['Sheet1!A6:B6'] });
    expect(d.call('read', { show: ['formulas', 'formats', 'merges'] })).toEqual({
      range: 'Sheet1!A1:G4',
      rows: {
        1: ['name', 'due', 'share', 'code', 'qty'],
        2: ['pear', '1/5/2021', '55%', '0004', 3, 6, 6],
        3: ['leek', '2021-05-13', '12.5%', '0012', 2, 4, 4],
        4: ["'5", true, '$1,234.50', 'x', 1, 2, 2],
      },
      formulas: { 'F2:G4': '=$E2*2' },
      formats: { B2: 'm/d/yyyy', B3: 'yyyy-mm-dd', C2: '0%', C3: '0.0%', C4: '$#,##0.00' },
      merges: [],
    });
    expect(d.call('read', { range: 'qty' })).toEqual({ range: 'Sheet1!E2:E4', rows: { 2: [3], 3: [2], 4: [1] } });
    expect(d.call('read', { range: 'B2:B' }).rows).toEqual({ 2: ['1/5/2021'], 3: ['2021-05-13'], 4: [true] });
    expect(d.call('read', { range: 'Z9' })).toEqual({ range: 'Sheet1!Z9', rows: {} });
  });

  test('stays within its tokens and says how to go on', () => {
    const d = desk();
    const rows = Array.from({ length: 400 }, (_, at) => [at, `text number ${at}`]);
    d.call('write', { range: 'Sheet1!A1', rows });
    const seen: Record<string, unknown> = {};
    let range: string | undefined = 'Sheet1';
    let pages = 0;
    while (range !== undefined) {
      const page: any = d.call('read', { range, max_tokens: 600 });
      expect(JSON.stringify(page).length / 4).toBeLessThanOrEqual(600);
      Object.assign(seen, page.rows);
      range = page.next;
      pages++;
    }
    expect(pages).toBeGreaterThan(3);
    expect(Object.values(seen)).toEqual(rows);
  });

  test('[finding G3] names what it does not find, with what was probably meant', () => {
    const d = desk('Sales', 'My costs');
    d.call('write', {
      range: 'Sales!A1',
      rows: [
        ['price', 'amount'],
        [1, 2],
        [3, 4],
      ],
    });
    expect(d.refusal('read', { range: 'Salse!A1' })).toBe(
      'no_such_sheet: range: there is no sub-sheet named "Salse"; did you mean Sales?',
    );
    expect(d.refusal('read', { range: 'prise' })).toBe(
      'invalid_parameter: range: "prise" is neither an address nor a heading on Sales; did you mean price?',
    );
    expect(d.refusal('write', { range: 'A1', rows: [[1]] })).toBe(
      'invalid_parameter: range: name the sub-sheet too, as Sales!A1; there are Sales, My costs',
    );
    d.call('write', { range: "'My costs'!B2", rows: [['here']] });
    expect(d.call('read', { range: 'My costs' })).toEqual({ range: "'My costs'!B2", rows: { 2: ['here'] } });
    // A name is taken where an id is wanted, by the specified tools too.
    d.call('clear_range_cells', { sheet_id: 'My costs', start_row: 1, start_col: 1, end_row: 1, end_col: 1 });
    expect(d.call('read', { range: 'My costs' }).rows).toEqual({});
  });
});

describe('write', () => {
  test('[finding G4] answers which cells changed, those that follow too, and which errors that made', () => {
    const d = desk();
    d.call('write', sales);
    expect(d.call('write', { range: 'Sheet1!E2', rows: [[10]] })).toEqual({
      written: 1,
      unchanged: 0,
      changed: { E2: '10', 'F2:G2': '20' },
      changed_count: 3,
      version: 3,
    });
    expect(d.call('write', { range: 'Sheet1!E2', rows: [['none']] })).toMatchObject({
      changed_count: 3,
      errors: { 'F2:G2': '#VALUE! $E2 is "none", not a number' },
      error_count: 2,
    });
  });

  test('[finding G7] says which name a formula asks for that there is none of', () => {
    const d = desk();
    const { errors } = d.call('write', {
      range: 'Sheet1!A1',
      rows: [['=FOO(1)', '=Nope!A1', '=SUMM(1,2)', '=Ratee*2', '=1/0', '=E1+1']],
    });
    expect(errors).toEqual({
      A1: '#NAME? there is no function FOO',
      B1: '#REF! there is no sub-sheet "Nope"',
      C1: '#NAME? there is no function SUMM; did you mean SUM?',
      D1: '#NAME? there is no name RATEE',
      E1: '#DIV/0! divides by 0',
      F1: '#DIV/0! from E1',
    });
  });

  test('[finding G7] keeps a date as it is written, reads it by locale, and tells of a text that may be one', () => {
    const d = desk();
    const first = d.call('write', { range: 'Sheet1!A1', rows: [['1/5/2021', '13/5/2021', '2021/03/04', '5.6.2021']] });
    expect(first.notes).toEqual([
      'B1: 13/5/2021 is no date in en-US; kept as text (send locale, or write it as 2021-05-13)',
    ]);
    d.call('write', { range: 'Sheet1!A2', rows: [['1/5/2021', '13/5/2021', '1.234,5', '12,5%']], locale: 'en-GB' });
    d.call('write', { range: 'Sheet1!A3', rows: [['01.05.2021', '1.234,50', '12,5%', '1.234,50 €']], locale: 'de-DE' });
    expect(d.call('read', { show: ['formats'] })).toMatchObject({
      rows: {
        1: ['1/5/2021', '13/5/2021', '2021/03/04', '5.6.2021'],
        2: ['1/5/2021', '13/5/2021', '1.234,5', '12,5%'],
        3: ['01.05.2021', '1,234.50', '12.5%', '€1,234.50'],
      },
    });
    const { rows } = d.call('read', { show: ['exact'] });
    expect(rows[1]).toEqual([44201, '13/5/2021', 44259, 44352]);
    expect(rows[2].slice(0, 2)).toEqual([44317, 44329]);
    expect(rows[3]).toEqual([44317, 1234.5, 0.125, 1234.5]);
    expect(d.refusal('write', { range: 'A1', rows: [['x']], locale: 'xx-nowhere-really' })).toContain(
      'locale: must be a language tag such as en-US',
    );
  });

  test('[finding G6] fills a formula or a value over a range in one call', () => {
    const d = desk();
    d.call('write', { range: 'A1', rows: [[1], [2], [3]] });
    d.call('write', { range: 'B1:B3', rows: [['=A1*10']] });
    d.call('write', { range: 'C1:C3', rows: [['todo']] });
    expect(d.call('read', { show: ['formulas'] })).toMatchObject({
      rows: { 1: [1, 10, 'todo'], 2: [2, 20, 'todo'], 3: [3, 30, 'todo'] },
      formulas: { 'B1:B3': '=A1*10' },
    });
  });

  test('with assert changes nothing unless it holds, and with dry_run nothing at all', () => {
    const d = desk();
    d.call('write', sales);
    const before = d.state();
    expect(d.refusal('write', { range: 'E2', rows: [[7]], assert: ['F2 = 13'] })).toBe(
      'conflict: assert: F2 = 13 does not hold: F2 is 14, 13 is 13; nothing was changed',
    );
    expect(d.call('write', { range: 'E2', rows: [[7]], dry_run: true })).toMatchObject({
      dry_run: true,
      changed: { E2: '7', 'F2:G2': '14' },
    });
    expect(
      d.call('set_cell_value', {
        sheet_id: 's0',
        cell: { row: 1, col: 4, value_type: 'NUMBER', number_value: 9 },
        dry_run: true,
      }),
    ).toMatchObject({ dry_run: true, changed_count: 3 });
    expect(d.state()).toBe(before);
    d.call('write', {
      range: 'E2',
      rows: [[7]],
      assert: ['F2 = 14', 'no errors', 'unique D2:D4', 'no blanks in A1:E4'],
    });
  });

  test('refuses rows that do not fit, and names the place of a formula it cannot read', () => {
    const d = desk();
    expect(d.refusal('write', { range: 'A1:B2', rows: [[1, 2, 3]] })).toBe(
      'invalid_parameter: rows: row 1 with 3 cells does not fit A1:B2, 2 rows by 2 columns',
    );
    expect(d.refusal('write', { range: 'B2', rows: [['=SUM(']] })).toMatch(/^formula: cell B2: /);
    expect(d.refusal('write', { rows: [[1]] })).toBe(
      'invalid_parameter: range: is required with rows, e.g. "Sheet1!A1"',
    );
  });
});

describe('[finding G2] what is read can be written back, and nothing changes', () => {
  const locales = [undefined, 'en-US', 'en-GB', 'de-DE', 'fr-FR', 'zh-CN', 'ja-JP', 'sv-SE'];
  const patterns = [
    'General',
    '0',
    '0.00',
    '#,##0.00',
    '0%',
    '0.0%',
    '0000',
    '@',
    'yyyy-mm-dd',
    'm/d/yyyy',
    'd.m.yyyy',
    'hh:mm',
    'yyyy-mm-dd hh:mm:ss',
    '$#,##0.00',
    '[Red]-0;0',
    '0.00E+00',
    '# ?/?',
    '"n "0',
    '#,##0 "kg"',
    ';;;',
    'mmm yy',
    '[h]:mm',
  ];
  const texts = [
    '',
    ' ',
    'pear',
    "'",
    "'x",
    '=not',
    '5',
    '-5',
    '007',
    '1e3',
    '12%',
    'TRUE',
    'false',
    '#N/A',
    '1/2/2021',
    '13/5/2021',
    '31.12.2020',
    '1.234,50',
    '1,234.50',
    '$5',
    '€ 5',
    '2021-05-13',
    '12:30',
    '(12)',
    '1 1/2',
    'a\nb',
    'ﬀ',
    '漢字',
    '2021年5月1日',
    '12345678901234567890',
    '+1',
    '.5',
    '5.',
    '=',
    "''5",
    '5 Jan 2021',
    'Jan 2021',
  ];
  const numbers = [
    0,
    -0,
    1,
    -1,
    0.1 + 0.2,
    1 / 3,
    1e21,
    1e-9,
    44_329,
    44_329.5,
    2_958_466,
    -44_329,
    0.55,
    12_345.678_9,
    2 ** 53,
    1e300,
  ];
  const formulas = [
    '=1/3',
    '=A1',
    '=SEQUENCE(2,2)',
    '="5"',
    '=1/0',
    '=NOW()*0',
    '=TODAY()-TODAY()',
    '="x"&CHAR(10)',
    '=A1:A2',
    '=""',
    '=TRUE',
  ];

  /** The same sequence for the same seed: a failure can be run again. */
  const chance = (seed: number) => {
    let state = seed;
    const next = (): number => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
    return <Item>(list: readonly Item[]): Item => list[Math.floor(next() * list.length)]!;
  };

  const fill = (d: Desk, seed: number): void => {
    const pick = chance(seed);
    const values: Record<string, unknown>[] = [];
    for (let row = 0; row < 14; row++)
      for (let col = 0; col < 8; col++) {
        const kind = pick(['text', 'text', 'number', 'number', 'flag', 'formula', 'none']);
        if (kind === 'text') values.push({ row, col, value_type: 'STRING', string_value: pick(texts) });
        if (kind === 'number') values.push({ row, col, value_type: 'NUMBER', number_value: pick(numbers) });
        if (kind === 'flag') values.push({ row, col, value_type: 'BOOL', bool_value: pick([true, false]) });
        if (kind === 'formula') values.push({ row, col, value_type: 'FORMULA', formula: pick(formulas) });
        d.call('set_cell_style', {
          sheet_id: 's0',
          start_row: row,
          start_col: col,
          end_row: row,
          end_col: col,
          format: { number_format_pattern: pick(patterns) },
        });
      }
    d.call('set_range_value', { sheet_id: 's0', values });
    d.call('write', { formulas: { 'I1:J14': '=$A1&B$2' }, merges: ['L1:M2'] });
  };

  test.each(Array.from({ length: 16 }, (_, seed) => seed))(
    'seed %i, every locale, with and without what can be asked for',
    (seed) => {
      const d = desk();
      fill(d, seed);
      const before = d.state();
      const at = d.version();
      for (const locale of locales) {
        for (const show of [[], ['formulas'], ['formulas', 'formats', 'merges'], ['exact', 'formulas']]) {
          const fields = locale === undefined ? {} : { locale };
          const answer = d.call('read', { show, max_tokens: 50_000, ...fields });
          expect(d.call('write', { ...answer, ...fields }), JSON.stringify({ locale, show })).toMatchObject({
            written: 0,
            changed: {},
            changed_count: 0,
          });
        }
      }
      expect(d.version()).toBe(at);
      expect(d.state()).toBe(before);
    },
  );

  test('texts, numbers and dates that are written elsewhere are the same there', () => {
    const d = desk('Sheet1', 'Copy');
    d.call('write', {
      range: 'Sheet1!A1',
      rows: [['0004', "'5", '1/5/2021', '55%', '$1,234.50', '2021-05-13 14:05', true, 'x']],
    });
    const { rows, formats } = d.call('read', { range: 'Sheet1', show: ['formats'] });
    d.call('write', { range: 'Copy!A1', rows: rows as object });
    expect(d.call('read', { range: 'Copy', show: ['formats'] })).toMatchObject({ rows, formats });
    expect(d.call('read', { range: 'Copy', show: ['exact'] }).rows).toEqual(
      d.call('read', { range: 'Sheet1', show: ['exact'] }).rows,
    );
  });
});
