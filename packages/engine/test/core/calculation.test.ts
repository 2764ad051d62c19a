import { describe, expect, it } from 'vitest';
import { columnName } from '../../src/base/address.ts';
import { BudgetExceeded } from '../../src/base/budget.ts';
import { loadColumn, loadRows } from '../../src/workbook/bulk-load.ts';
import { readRange } from '../../src/workbook/read-range.ts';
import { book } from '../support.ts';

describe('incremental calculation', () => {
  it('computes only what depends on an edit and says what changed', () => {
    const wb = book();
    for (let row = 1; row <= 50; row++)
      wb.set(`A${row}`, row).set(`B${row}`, `=A${row}*2`).set(`C${row}`, `=SUM(B$1:B${row})`);
    wb.recalc();
    wb.set('A10', 100);
    const changes = wb.workbook.recalc();
    expect(changes).toEqual([
      { sheet: 1, col: 1, top: 9, bottom: 9 },
      { sheet: 1, col: 2, top: 9, bottom: 49 },
    ]);
    expect(wb.value('C50')).toBe(2730);
    expect(wb.workbook.recalc()).toEqual([]);
  });

  it('follows a chain of 200,000 cells', () => {
    const wb = book();
    const { sheet } = wb.set('A1', 1).place('A1');
    for (let row = 1; row < 200_000; row++) wb.workbook.setFormula(sheet, row, 0, `=A${row}+1`);
    expect(wb.recalc().value('A200000')).toBe(200_000);
    expect(wb.set('A1', 5).value('A200000')).toBe(200_004);
  });

  it('follows a chain across 3,000 columns in which every formula differs from the next', () => {
    const wb = book();
    const { sheet } = wb.set('A1', 1).place('A1');
    for (let col = 2999; col >= 1; col--)
      wb.workbook.setFormula(sheet, 0, col, `=${columnName(col - 1)}1${col % 2 === 0 ? '+1' : '-0.5'}`);
    expect(wb.recalc().value('DKJ1')).toBe(750);
    expect(wb.set('A1', 0).value('DKJ1')).toBe(749);
  });

  it('interleaves columns that feed each other row by row', () => {
    const wb = book();
    wb.set('A1', 100).set('B1', 0);
    for (let row = 2; row <= 200; row++) wb.set(`A${row}`, `=A${row - 1}+B${row}`).set(`B${row}`, `=A${row - 1}*0.5`);
    expect(wb.value('A3')).toBe(225);
    expect(wb.set('A1', 0).value('A200')).toBe(0);
  });

  it('reads rows below when a column looks down', () => {
    const wb = book();
    wb.set('A100', 1);
    for (let row = 99; row >= 1; row--) wb.set(`A${row}`, `=A${row + 1}+1`);
    expect(wb.value('A1')).toBe(100);
  });

  it('gives an error for circular references and only to those in or behind them', () => {
    const wb = book();
    wb.set('A1', '=B1')
      .set('B1', '=C1+1')
      .set('C1', '=A1')
      .set('D1', '=A1+1')
      .set('E1', '=5')
      .set('F1', '=F1')
      .set('G1', '=SUM(G1:G5)');
    expect(['A1', 'B1', 'C1', 'D1', 'E1', 'F1', 'G1'].map((cell) => wb.value(cell))).toEqual([
      '#CIRC!',
      '#CIRC!',
      '#CIRC!',
      '#CIRC!',
      5,
      '#CIRC!',
      '#CIRC!',
    ]);
    expect(wb.set('C1', 1).value('D1')).toBe(3);
  });

  it('finds circles in filled columns cell by cell', () => {
    const wb = book();
    for (let row = 1; row <= 10; row++) wb.set(`A${row}`, row === 10 ? '=A1' : `=A${row + 1}`);
    expect(wb.value('A5')).toBe('#CIRC!');
    wb.set('A10', 7);
    expect(wb.value('A1')).toBe(7);
  });

  it('computes what INDIRECT and OFFSET reach first', () => {
    const wb = book();
    wb.set('A1', '=INDIRECT("B1")+1').set('B1', '=INDIRECT("C1")+1').set('C1', '=D1+1').set('D1', 1);
    expect(wb.value('A1')).toBe(4);
    expect(wb.set('D1', 10).value('A1')).toBe(13);
    for (let row = 5; row <= 40; row++) wb.set(`E${row}`, row === 40 ? '=1' : `=OFFSET(E${row},1,0)+1`);
    expect(wb.value('E5')).toBe(36);
    wb.set('H1', '=INDIRECT("H2")').set('H2', '=INDIRECT("H1")');
    expect([wb.value('H1'), wb.value('H2')]).toEqual(['#CIRC!', '#CIRC!']);
  });

  it('gives the same chance for the same seed, another for another', () => {
    const wb = book();
    wb.set('A1', '=RAND()').set('A2', '=RAND()');
    const first = wb.value('A1');
    expect(wb.value('A2')).not.toBe(first);
    expect(wb.recalc().value('A1')).toBe(first);
    wb.seed = 2;
    expect(wb.recalc().value('A1')).not.toBe(first);
  });
});

describe('arrays that spill', () => {
  it('fills cells, follows its size, and gives way', () => {
    const wb = book();
    wb.fill('A1', [[1], [2], [3]])
      .set('E1', '=A1:A3*10')
      .set('F1', '=SUM(E1#)')
      .set('G1', '=E3+1');
    expect([wb.value('E1'), wb.value('E2'), wb.value('E3'), wb.value('F1'), wb.value('G1')]).toEqual([
      10, 20, 30, 60, 31,
    ]);
    wb.set('E1', '=A1:A2*10');
    expect([wb.value('E2'), wb.value('E3'), wb.value('F1'), wb.value('G1')]).toEqual([20, null, 30, 1]);
    wb.set('E2', 'in the way');
    expect([wb.value('E1'), wb.value('E2'), wb.value('F1')]).toEqual(['#SPILL!', 'in the way', '#REF!']);
    wb.set('E2', null);
    expect([wb.value('E1'), wb.value('E2'), wb.value('F1')]).toEqual([10, 20, 30]);
    wb.set('E1', 1);
    expect([wb.value('E1'), wb.value('E2'), wb.value('F1')]).toEqual([1, null, '#REF!']);
  });

  it('moves with its formula', () => {
    const wb = book();
    wb.set('A1', '={1;2;3}').set('B1', '=SUM(A1:A3)').recalc();
    wb.workbook.insertRows(wb.place('A1').sheet, 0, 2);
    wb.recalc();
    expect([wb.value('A3'), wb.value('A5'), wb.value('B3'), wb.formula('B3')]).toEqual([1, 3, 6, '=SUM(A3:A5)']);
    wb.workbook.insertRows(wb.place('A1').sheet, 3, 1);
    wb.recalc();
    expect([wb.value('A3'), wb.value('A4'), wb.value('A5'), wb.value('A6')]).toEqual([1, 2, 3, null]);
  });

  it('is computed before its readers whatever the order', () => {
    const wb = book();
    wb.set('C1', '=B3*2').set('A1', 2).set('B1', '=SEQUENCE(A1)');
    expect(wb.value('C1')).toBe(0);
    expect(wb.set('A1', 3).value('C1')).toBe(6);
  });
});

describe('the budget', () => {
  it('ends a calculation and leaves every value as it was', () => {
    const wb = book();
    for (let row = 1; row <= 300; row++) wb.set(`B${row}`, `=A$1*${row}`);
    wb.set('D1', '=SEQUENCE(A2)').set('A1', 1).set('A2', 3).recalc();
    wb.set('A1', 2).set('A2', 5).set('C1', '=SUM(SEQUENCE(1000,1000))');
    expect(() => wb.workbook.recalc({ limit: 100_000 })).toThrow(BudgetExceeded);
    const { sheet } = wb.place('A1');
    expect([sheet.read(299, 1), sheet.read(2, 3), sheet.read(3, 3)]).toEqual([300, 3, null]);
    wb.workbook.recalc();
    expect([sheet.read(299, 1), sheet.read(2, 3), sheet.read(4, 3), sheet.read(0, 2)]).toEqual([
      600, 3, 5, 500000500000,
    ]);
  });

  it.each([
    '=REDUCE(0,SEQUENCE(1000),LAMBDA(a,b,a+SUM(SEQUENCE(1000,100))))',
    '=SUM(SEQUENCE(1000000)*SEQUENCE(1,1000))',
    '=REPT(REPT("x",30000),30000)',
    '=LET(f,LAMBDA(g,x,g(g,x+1)),f(f,1))',
    '=SUMPRODUCT(A:Z*(A:Z>0))',
    '=MAKEARRAY(10000,10000,LAMBDA(r,c,r*c))',
  ])('%s ends soon', (formula) => {
    const wb = book();
    wb.set('A5', formula);
    let ended: string | undefined;
    try {
      wb.workbook.recalc({ limit: 2_000_000 });
      ended = String(wb.workbook.sheets[0]?.read(4, 0));
    } catch (error) {
      expect(error).toBeInstanceOf(BudgetExceeded);
    }
    expect(ended === undefined || ended.length < 40_000).toBe(true);
  });

  it('lets a name that calls itself end in an error', () => {
    const wb = book();
    wb.name('again', '=again+1').name('down', '=LAMBDA(n,IF(n=0,0,1+down(n-1)))');
    wb.set('A1', '=again').set('A2', '=down(100)').set('A3', '=down(100000)');
    expect([wb.value('A1'), wb.value('A2'), wb.value('A3')]).toEqual(['#NUM!', 100, '#NUM!']);
  });
});

describe('sub-sheets', () => {
  it('keeps references when one is renamed, loses them when it is deleted, finds it when it comes', () => {
    const wb = book('One', 'Two');
    wb.set('A1', '=Two!A1+1').set('B1', '=Three!A1').set('Two!A1', 4).name('far', '=Two!$A$1').set('C1', '=far');
    expect([wb.value('A1'), wb.value('B1'), wb.value('C1')]).toEqual([5, '#REF!', 4]);
    wb.workbook.renameSheet(2, 'Second half');
    expect(wb.formula('A1')).toBe("='Second half'!A1+1");
    const three = wb.workbook.addSheet('Three');
    wb.workbook.setValue(three, 0, 0, 9);
    expect(wb.recalc().value('B1')).toBe(9);
    wb.workbook.deleteSheet(2);
    wb.recalc();
    expect([wb.value('A1'), wb.formula('A1'), wb.value('C1')]).toEqual(['#REF!', '=#REF!+1', '#REF!']);
  });

  it('refuses a name that is taken', () => {
    expect(() => book('One').workbook.addSheet('ONE')).toThrow("name: a sub-sheet named 'ONE' exists");
  });
});

describe('loading and reading', () => {
  it('takes columns and rows and replaces what stood there', () => {
    const wb = book();
    const { sheet } = wb.set('B2', '=1+1').set('D1', '=SUM(A1:C5000)').place('A1');
    loadColumn(wb.workbook, sheet, 0, 0, new Float64Array(5000).fill(2));
    loadRows(wb.workbook, sheet, 0, 1, [
      [1, 'x'],
      [true, null],
      [null, 5],
    ]);
    expect([wb.recalc().value('D1'), wb.value('B2'), wb.formula('B2'), wb.value('C3')]).toEqual([
      10_006,
      true,
      undefined,
      5,
    ]);
  });

  it('tells cells with formula and style', () => {
    const wb = book();
    const { sheet } = wb.set('A1', 1).set('B1', '=A1*2').set('C1', '={1,2}').place('A1');
    sheet.cells.setStyleId(1, 0, 7);
    wb.recalc();
    expect(readRange(wb.workbook, sheet, 0, 0, 9, 9)).toEqual([
      { row: 0, col: 0, value: 1 },
      { row: 0, col: 1, value: 2, formula: '=A1*2' },
      { row: 0, col: 2, value: 1, formula: '={1,2}' },
      { row: 0, col: 3, value: 2, spilled: true },
      { row: 1, col: 0, value: null, style: 7 },
    ]);
  });
});

describe('texts', () => {
  it('are forgotten when formulas no longer give them', () => {
    const wb = book();
    const { sheet } = wb.set('A1', 0).set('C1', 'kept').place('A1');
    for (let row = 0; row < 30_000; row++) wb.workbook.setFormula(sheet, row, 1, `="t"&$A$1+ROW()`);
    for (let turn = 0; turn < 6; turn++) wb.set('A1', turn * 100_000).recalc();
    expect(wb.workbook.strings.size).toBeLessThan(130_000);
    expect([wb.value('B30000'), wb.value('C1')]).toEqual(['t530000', 'kept']);
  });
});

describe('formulas', () => {
  it('are forgotten when no cell has them any more', () => {
    const wb = book();
    const { sheet } = wb.set('A1', 1).set('B1', '=A1+0.5').name('half', '=A1/2').place('A1');
    for (let i = 0; i < 120_000; i++) wb.workbook.setFormula(sheet, 1, 1, `=A1+${i}`);
    expect(wb.recalc().value('B2')).toBe(120_000);
    expect(wb.workbook.templates.size).toBe(3);
    for (let i = 0; i < 10; i++) wb.set(`C${i + 1}`, `=A1*${i}`);
    expect([wb.set('A1', 2).value('C10'), wb.value('B1'), wb.value('B2'), wb.formula('B2')]).toEqual([
      18,
      2.5,
      120_001,
      '=A1+119999',
    ]);
  });
});

describe('ranges of the whole sheet', () => {
  it.each([
    '=DSUM(Far!A:XFD,1,Far!A:XFD)',
    '=SORT(Far!A:XFD,Far!A:XFD)',
    '=LARGE(Far!A:A,Far!A:A)',
    '=CHOOSE(Far!A:A,1)',
    '=SUM(Far!A:XFD)',
  ])('%s ends within the budget though the last cell is filled', (formula) => {
    const wb = book('Near', 'Far');
    wb.set('Far!A1', 3).set('Far!XFD1048576', 4).recalc();
    wb.set('B2', formula);
    let sum: unknown;
    try {
      wb.workbook.recalc({ limit: 3_000_000 });
      sum = wb.workbook.sheets[0]?.read(1, 1);
    } catch (error) {
      expect(error).toBeInstanceOf(BudgetExceeded);
    }
    expect(sum).toBe(formula === '=SUM(Far!A:XFD)' ? 7 : undefined);
  });
});
