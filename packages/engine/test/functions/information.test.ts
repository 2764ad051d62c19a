import { describe, expect, it } from 'vitest';
import { cellErrors } from '../../src/base/values.ts';
import { book, calc } from '../support.ts';

type Case = readonly [formula: string, expected: number | string | boolean | null];

function table(name: string, cases: readonly Case[], cells: Parameters<typeof calc>[1] = {}): void {
  describe(name, () => {
    it.each(cases)('%s gives %s', (formula, expected) => {
      expect(calc(formula, cells)).toBe(expected);
    });
  });
}

table(
  'kinds of values',
  [
    ['=ISBLANK(B1)', true],
    ['=ISBLANK("")', false],
    ['=ISBLANK(A2)', false],
    ['=ISBLANK(A3)', false],
    ['=ISERR(NA())', false],
    ['=ISERR(1/0)', true],
    ['=ISERROR(NA())', true],
    ['=ISERROR(1)', false],
    ['=ISNA(NA())', true],
    ['=ISNA(1/0)', false],
    ['=ISLOGICAL(FALSE)', true],
    ['=ISLOGICAL("TRUE")', false],
    ['=ISNUMBER(A1)', true],
    ['=ISNUMBER("1")', false],
    ['=ISNUMBER(B1)', false],
    ['=ISTEXT(A2)', true],
    ['=ISTEXT(B1)', false],
    ['=ISNONTEXT(B1)', true],
    ['=ISNONTEXT(A3)', true],
    ['=ISEVEN(2.9)', true],
    ['=ISEVEN(-1)', false],
    ['=ISEVEN(B1)', true],
    ['=ISEVEN("4")', true],
    ['=ISEVEN("x")', '#VALUE!'],
    ['=ISEVEN(TRUE)', '#VALUE!'],
    ['=ISODD(-3)', true],
    ['=ISODD(2.5)', false],
    ['=ISREF(A1)', true],
    ['=ISREF(A1:B2)', true],
    ['=ISREF(1)', false],
    ['=ISREF(INDIRECT("A1"))', true],
    ['=ISREF("A1")', false],
    ['=TYPE(1)', 1],
    ['=TYPE("a")', 2],
    ['=TYPE(TRUE)', 4],
    ['=TYPE(1/0)', 16],
    ['=TYPE({1,2})', 64],
    ['=TYPE(B1)', 1],
    ['=TYPE(LAMBDA(x,x))', 128],
    ['=N(7)', 7],
    ['=N("7")', 0],
    ['=N(TRUE)', 1],
    ['=N(1/0)', '#DIV/0!'],
    ['=ERROR.TYPE(1/0)', 2],
    ['=ERROR.TYPE(NA())', 7],
    ['=ERROR.TYPE(#REF!)', 4],
    ['=ERROR.TYPE(FILTER({1},{0}))', 14],
    ['=ERROR.TYPE(1)', '#N/A'],
    ['=SUM(--ISNUMBER({1,"a",TRUE,2}))', 2],
  ],
  { A1: 1, A2: 'text', A3: cellErrors.na },
);

describe('sub-sheets and cells', () => {
  it('counts and finds sub-sheets', () => {
    const wb = book('First', 'Second Sheet');
    wb.set('A1', '=SHEET()').set('A2', "=SHEET('Second Sheet'!A1)").set('A3', '=SHEET("second sheet")');
    wb.set('A4', '=SHEET("none")').set('A5', '=SHEETS()').set('A6', '=SHEETS(A1)');
    expect(['A1', 'A2', 'A3', 'A4', 'A5', 'A6'].map((at) => wb.value(at))).toEqual([1, 2, 2, '#N/A', 2, 1]);
  });

  it('gives the width of a column, and beside it whether that is the usual one', () => {
    const wb = book().set('A1', '=CELL("width")').setLegacy('A2', '=CELL("width")').set('A3', '=SUM(CELL("width"),1)');
    expect(['A1', 'B1', 'A2', 'B2', 'A3'].map((at) => wb.value(at))).toEqual([8, true, 8, null, 9]);
  });

  it('tells formulas from values', () => {
    const wb = book().set('A1', '=1').set('A2', 1).set('B1', '=ISFORMULA(A1)').set('B2', '=ISFORMULA(A2)');
    expect([wb.value('B1'), wb.value('B2')]).toEqual([true, false]);
    expect(calc('=ISFORMULA(1)')).toBe('#VALUE!');
  });

  it.each([
    ['=CELL("address",B3)', '$B$3'],
    ['=CELL("row",B3)', 3],
    ['=CELL("col",B3:D9)', 2],
    ['=CELL("contents",A1)', 'x'],
    ['=CELL("type",A1)', 'l'],
    ['=CELL("type",A2)', 'v'],
    ['=CELL("type",A3)', 'b'],
    ['=CELL("format",A2)', 'G'],
    ['=CELL("nonsense",A1)', '#VALUE!'],
    ['=INFO("recalc")', 'Automatic'],
    ['=INFO("numfile")', 1],
    ['=INFO("directory")', '#N/A'],
    ['=INFO("x")', '#VALUE!'],
  ])('%s gives %s', (formula, expected) => {
    expect(calc(formula, { A1: 'x', A2: 5 })).toBe(expected);
  });
});

describe('functions that would reach out', () => {
  it.each([
    '=WEBSERVICE("http://127.0.0.1/")',
    '=FILTERXML("<a/>","/a")',
    '=IMPORTXML("http://127.0.0.1/","//a")',
    '=IMPORTDATA("http://127.0.0.1/")',
    '=CALL("kernel32","Beep","JJJ",1,1)',
    '=REGISTER.ID("kernel32","Beep")',
    '=RTD("server",,"topic")',
    '=CUBEVALUE("connection","[Measures].[x]")',
    '=IMAGE("http://127.0.0.1/a.png")',
    '=STOCKHISTORY("MSFT",1)',
  ])('%s stays closed', (formula) => {
    expect(calc(formula)).toBe('#BLOCKED!');
  });
});
