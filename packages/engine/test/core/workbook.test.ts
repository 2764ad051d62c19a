/** [finding A2] The engine as a stranger uses it, by its public entry alone. */
import { describe, expect, test } from 'vitest';
import { BudgetExceeded, CellError, FormulaSyntaxError, Workbook, type ChangedRange } from '../../src/index.ts';

function heard(workbook: Workbook): { ranges: string[]; stop: () => void } {
  const ranges: string[] = [];
  const tell = (changed: readonly ChangedRange[]) =>
    void ranges.push(changed.map(({ sheet, range }) => `${sheet}!${range}`).join(' '));
  return { ranges, stop: workbook.onChange(tell) };
}

describe('[finding A2] a workbook in five lines', () => {
  test('rows in, cells set and read, changes told, rows out', () => {
    const workbook = Workbook.fromRows([
      ['Pears', 3, 2.5, '=B1*C1'],
      ['Quinces', 4, 1.25, '=B2*C2'],
      ['Total', null, null, '=SUM(D1:D2)'],
    ]);
    const { ranges, stop } = heard(workbook);
    workbook.set('B1', 10);
    expect(workbook.get('D3')).toBe(30);
    expect(workbook.rows()).toEqual([
      ['Pears', 10, 2.5, 25],
      ['Quinces', 4, 1.25, 5],
      ['Total', null, null, 30],
    ]);
    expect(ranges).toEqual(['Sheet1!B1 Sheet1!D1 Sheet1!D3']);
    stop();
    workbook.set('B1', 11);
    expect(ranges).toHaveLength(1);
    expect(workbook.formula('D1')).toBe('=B1*C1');
    expect(workbook.formula('B1')).toBeUndefined();
  });

  test('addresses: A1, with a sub-sheet, quoted, by numbers', () => {
    const workbook = Workbook.fromRows([[1]], { sheet: 'In' });
    workbook.addSheet("Ada's numbers");
    workbook.set("'Ada''s numbers'!B2", '=In!A1+1');
    expect(workbook.sheets).toEqual(['In', "Ada's numbers"]);
    expect(workbook.get({ sheet: "Ada's numbers", row: 1, col: 1 })).toBe(2);
    const { ranges } = heard(workbook);
    workbook.set({ row: 0, col: 0 }, 5);
    expect(ranges).toEqual(["In!A1 Ada's numbers!B2"]);
    expect(workbook.rows("Ada's numbers")).toEqual([
      [null, null],
      [null, 6],
    ]);
    expect(workbook.rows()).toEqual([[5]]);
  });

  test('values keep their type; an apostrophe keeps text from being a formula', () => {
    const workbook = Workbook.fromRows([[1.5, 'a', true, null, "'=A1", "'it", '=', '12', '=1/0']]);
    const [row] = workbook.rows();
    expect(row!.slice(0, 8)).toEqual([1.5, 'a', true, null, '=A1', 'it', '=', '12']);
    expect(row![8]).toBeInstanceOf(CellError);
    expect(String(workbook.get('I1'))).toBe('#DIV/0!');
  });

  test('rows are written in bulk over what stands there, and a batch is told once', () => {
    const workbook = Workbook.fromRows([
      [1, '=A1'],
      [2, '=A2'],
      [3, '=SUM(B1:B2)'],
    ]);
    const { ranges } = heard(workbook);
    workbook.set('A1', [
      [7, 70],
      [8, 80],
    ]);
    expect(workbook.rows()).toEqual([
      [7, 70],
      [8, 80],
      [3, 150],
    ]);
    workbook.batch(() => {
      for (let row = 0; row < 3; row++) workbook.set({ row, col: 0 }, row);
      workbook.set('D1', '=SEQUENCE(2,2)');
    });
    expect(workbook.get('E2')).toBe(4);
    expect(ranges).toEqual(['Sheet1!A1:A2 Sheet1!B1:B3', 'Sheet1!A1:A3 Sheet1!D1:E2']);
  });

  test('[finding A6] a batch that throws is taken back as a whole, and nobody is told', () => {
    const rows = [
      [1, '=A1*2', "'=x", '=SEQUENCE(2,2)', null],
      ['k', '=SUM(A1,Later!A1)', true],
    ];
    const workbook = Workbook.fromRows(rows);
    const before = workbook.rows();
    const { ranges } = heard(workbook);
    expect(() =>
      workbook.batch(() => {
        workbook.set('A1', 5);
        workbook.set('A1', [
          ['=B9', 7, 8, 9],
          ['=1+1', null],
        ]);
        workbook.set('E2', 'in the way');
        workbook.addSheet('Later');
        workbook.set('Later!A1', 40);
        workbook.set('F9', '=1+');
      }),
    ).toThrow(FormulaSyntaxError);
    expect(workbook.rows()).toEqual(before);
    expect(workbook.sheets).toEqual(['Sheet1']);
    expect(['B1', 'C1', 'D1', 'B2'].map((cell) => workbook.formula(cell))).toEqual([
      '=A1*2',
      undefined,
      '=SEQUENCE(2,2)',
      '=SUM(A1,Later!A1)',
    ]);
    expect(ranges).toEqual([]);
    // And it lives on: formulas are computed, the array lies where it lay, a missing sub-sheet is found when it comes.
    workbook.set('A1', 10);
    workbook.addSheet('Later');
    workbook.set('Later!A1', 5);
    expect([workbook.get('B1'), workbook.get('B2'), workbook.get('E2')]).toEqual([20, 15, 4]);
  });

  test('[finding A6] a batch in a batch is taken back alone; one whose calculation is cut off, too', () => {
    const workbook = Workbook.fromRows([[1, '=A1+1']], { limit: 2_000 });
    const { ranges } = heard(workbook);
    workbook.batch(() => {
      workbook.set('A1', 2);
      expect(() =>
        workbook.batch(() => {
          workbook.set('A1', 3);
          workbook.set('C1', 3);
          throw new Error('no');
        }),
      ).toThrow('no');
    });
    expect(workbook.rows()).toEqual([[2, 3]]);
    expect(ranges).toEqual(['Sheet1!A1:B1']);
    expect(() =>
      workbook.batch(() => {
        workbook.set('A1', 9);
        workbook.set('C1', '=SUM(SEQUENCE(1000,1000))');
      }),
    ).toThrow(BudgetExceeded);
    expect(workbook.rows()).toEqual([[2, 3]]);
    expect(workbook.formula('C1')).toBeUndefined();
    workbook.set('A1', 4);
    expect(workbook.rows()).toEqual([[4, 5]]);
  });

  test('[finding A6] values and formulas of one column are written in bulk over formulas and arrays', () => {
    const workbook = Workbook.fromRows([
      ['=SEQUENCE(3)', '=A3'],
      [null, '=A1'],
      [null, 'x'],
    ]);
    workbook.set('A1', [
      [1, '=A1*10'],
      ['=A1+1', '=A2*10'],
      ["'=text", '=A3'],
      [4, null],
    ]);
    expect(workbook.rows()).toEqual([
      [1, 10],
      [2, 20],
      ['=text', '=text'],
      [4, null],
    ]);
    workbook.set('A1', 5);
    expect(workbook.get('B2')).toBe(60);
  });

  test('what cannot be is refused with field, rule and value, and changes nothing', () => {
    const workbook = Workbook.fromRows([[1, 2]]);
    const { ranges } = heard(workbook);
    expect(() => workbook.get('B')).toThrow("address: a cell such as 'B2' or 'Sheet2!B2' is expected, not 'B'");
    expect(() => workbook.get('No!B2')).toThrow("sheet: there is no sub-sheet 'No'; there are Sheet1");
    expect(() => workbook.get({ row: -1, col: 0 })).toThrow(
      'address: row must be an integer from 0 to 1048575, not -1',
    );
    expect(() => workbook.set('A1', Number.NaN)).toThrow(
      'value: a finite number, text, true, false or null is expected in A1, not NaN',
    );
    expect(() => workbook.set('A1', [[9], [{} as never]])).toThrow('is expected in A2, not [object Object]');
    expect(() =>
      workbook.set('A1', [
        [9, 9],
        ['=1+', 1],
      ]),
    ).toThrow(FormulaSyntaxError);
    expect(() => workbook.set('XFD1', [[1, 2]])).toThrow(RangeError);
    expect(workbook.rows()).toEqual([[1, 2]]);
    expect(ranges).toEqual([]);
  });
});
