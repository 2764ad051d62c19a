import { describe, expect, it } from 'vitest';
import { book } from '../support.ts';

/** Values of several cells. */
const values = (wb: ReturnType<typeof book>, ...cells: string[]): unknown[] => cells.map((cell) => wb.value(cell));

describe('[finding T1] circular is what needs its own value', () => {
  it.each([
    ['=ROW(A6)', 6],
    ['=COLUMN(A6)', 1],
    ['=ROWS($A$6:A6)', 1],
    ['=COLUMNS($A6:A6)', 1],
    ['=ROWS(A:A)', 1_048_576],
    ['=AREAS((A6,B1))', 2],
    ['=ISREF(A6)', true],
    ['=ISFORMULA(A6)', true],
    ['=FORMULATEXT(A6)', '=FORMULATEXT(A6)'],
    ['=SHEET(A6)', 1],
    ['=SHEETS(A6)', 1],
    ['=CELL("row",A6)', 6],
    ['=CELL("address",A6)', '$A$6'],
    ['=OFFSET(A6,-1,0)', 5],
    ['=SUM(OFFSET(A6,-3,0,3,1))', 12],
    ['=ROW(OFFSET(A6,0,0))', 6],
    ['=ROW(INDIRECT("A6"))', 6],
    ['=SUM(ROW(INDIRECT("1:7")))', 28],
    ['=INDEX(A1:A9,2)', 2],
    ['=ROW(INDEX(A:A,6))', 6],
    ['=IF(TRUE,1,A6)', 1],
    ['=IF(FALSE,A6,2)', 2],
    ['=IFS(TRUE,3,TRUE,A6)', 3],
    ['=CHOOSE(1,4,A6)', 4],
    ['=SWITCH(5,5,"five",A6)', 'five'],
    ['=IFERROR(6,A6)', 6],
    ['=IFNA(7,A6)', 7],
    ['=LET(x,A6,8)', 8],
    ['=ROWS(own)', 1],
    ['=IF(flag,9,A6)', 9],
  ])('%s in A6 is %s', (formula, expected) => {
    const wb = book()
      .fill('A1', [[1], [2], [3], [4], [5]])
      .name('own', '=Sheet1!$A$6')
      .name('flag', '=TRUE')
      .set('A6', formula)
      .set('C6', '=A6');
    expect(values(wb, 'A6', 'C6')).toEqual([expected, expected]);
  });

  it.each([
    '=A6',
    '=A6+1',
    '=SUM(A1:A9)',
    '=IF(A6,1,2)',
    '=IF(TRUE,A6,1)',
    '=IF(FALSE,1,A6)',
    '=IFERROR(A6,1)',
    '=CHOOSE(2,1,A6)',
    '=INDEX(A1:A9,6)',
    '=CELL("contents",A6)',
    '=INDIRECT("A6")',
    '=OFFSET(A5,1,0)',
    '=VLOOKUP(1,A1:A9,1,FALSE)',
    '=COUNTIF(A:A,1)',
    '=own+1',
  ])('%s in A6 needs its own value', (formula) => {
    const wb = book()
      .fill('A1', [[2], [3]])
      .name('own', '=Sheet1!$A$6')
      .set('A6', formula)
      .set('C6', '=A6')
      .set('D6', '=IFERROR(A6,"caught")');
    expect(values(wb, 'A6', 'C6', 'D6')).toEqual(['#CIRC!', '#CIRC!', 'caught']);
  });

  it('two cells that name each other are circular only along the branches taken', () => {
    const wb = book().set('A1', '=IF(C1,B1,1)').set('B1', '=IF(C1,2,A1)').set('C1', true);
    expect(values(wb, 'A1', 'B1')).toEqual([2, 2]);
    wb.set('C1', false);
    expect(values(wb, 'A1', 'B1')).toEqual([1, 1]);
    wb.set('B1', '=IF(C1,A1,A1)').set('C1', true);
    expect(values(wb, 'A1', 'B1')).toEqual(['#CIRC!', '#CIRC!']);
    wb.set('C1', false);
    expect(values(wb, 'A1', 'B1')).toEqual([1, 1]);
  });

  it('a circle found by computing is one, and what reads it is behind it', () => {
    const wb = book()
      .set('A1', '=SUM(INDIRECT("B1:B2"))')
      .set('B1', '=A1+1')
      .set('C1', '=B1')
      .set('D1', '=OFFSET(E1,0,0)')
      .set('E1', '=D1');
    expect(values(wb, 'A1', 'B1', 'C1', 'D1', 'E1')).toEqual(['#CIRC!', '#CIRC!', '#CIRC!', '#CIRC!', '#CIRC!']);
    wb.set('B1', 5);
    expect(values(wb, 'A1', 'C1')).toEqual([5, 5]);
  });

  it('a reference found by computing and not read makes nobody wait', () => {
    const wb = book()
      .set('A1', '=ROWS(INDIRECT("1:5"))')
      .set('B1', '=A1+1')
      .set('A2', '=COLUMNS(OFFSET(A1,0,0,3,B1))')
      .set('C3', '=A2');
    expect(values(wb, 'A1', 'B1', 'A2', 'C3')).toEqual([5, 6, 6, 6]);
    wb.set('A1', '=ROWS(INDIRECT("1:7"))');
    expect(values(wb, 'B1', 'A2', 'C3')).toEqual([8, 8, 8]);
  });

  it('a numbered column counts by its own range, however long', () => {
    const wb = book();
    const { sheet } = wb.place('A1');
    for (let row = 0; row < 50_000; row++) wb.workbook.setFormula(sheet, row, 0, `=ROWS($A$1:A${row + 1})`);
    wb.recalc();
    expect(values(wb, 'A1', 'A777', 'A50000')).toEqual([1, 777, 50_000]);
  });

  it('two columns that could read each other in every row', () => {
    const wb = book();
    for (let row = 1; row <= 300; row++)
      wb.fill(`A${row}`, [[row % 2, `=IF(A${row},C${row},${row})`, `=IF(A${row},-${row},B${row})`]]);
    expect(values(wb, 'B1', 'C1', 'B2', 'C2', 'B299', 'C300')).toEqual([-1, -1, 2, 2, -299, 300]);
  });

  it('an array lies on cells its formula only counts', () => {
    const wb = book().set('A1', '=ROW(A1:A3)').set('C1', '=IF(FALSE,C1:C3,SEQUENCE(3))').set('E1', '=E1:E3');
    expect(values(wb, 'A1', 'A2', 'A3', 'C3', 'E1')).toEqual([1, 2, 3, 3, '#CIRC!']);
  });

  it('what is not read still counts where it stands and whether it is a formula', () => {
    const wb = book()
      .set('A1', '=ISFORMULA(B1)')
      .set('A2', '=ROW(B5)')
      .set('A3', '=ROWS(B1:B3)')
      .set('A4', '=FORMULATEXT(B2)')
      .fill('B1', [[1], ['=1+1']]);
    expect(values(wb, 'A1', 'A2', 'A3', 'A4')).toEqual([false, 5, 3, '=1+1']);
    wb.set('B1', '=2').set('B2', '=3');
    expect(values(wb, 'A1', 'A4')).toEqual([true, '=3']);
    const [sheet] = wb.workbook.sheets;
    wb.workbook.insertRows(sheet!, 1, 2);
    wb.recalc();
    expect(values(wb, 'A4', 'A5')).toEqual([7, 5]);
  });
});
