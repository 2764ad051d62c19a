import { describe, expect, it } from 'vitest';
import { cellErrors } from '../../src/base/values.ts';
import { book } from '../support.ts';
import { table } from './table.ts';

/** Expected values are those that Excel stored for the same formulas. */
table('[finding T16] financial functions', [
  ['=DB(45,10,4,2,12.7)', 9.676395],
  ['=DB(45,10,4,2,13)', '#NUM!'],
  ['=DB(45,10,4,2,0.9)', '#NUM!'],
  ['=SYD(290,2,5,0.1)', 113.28],
  ['=SYD(290,2,5,0)', '#NUM!'],
  ['=XIRR({-70;12;"hello";15},{44958;44986;45017;45078})', '#VALUE!'],
  ['=XIRR({-20;8;TRUE;15},{44958;44986;45017;45078})', '#VALUE!'],
  ['=IRR({-1000,230,200,125,200,10},-10)', '#VALUE!'],
  ['=IRR({-20,5,5,-10,5},-1)', '#VALUE!'],
  ['=ACCRINT(43831,44013,44197,0.025,5000,2,1,TRUE)', 125.68681318681318],
  ['=ACCRINT(43831,44013,44197,0.025,5000,2,2,TRUE)', 126.38888888888889],
  ['=ACCRINT(43831,44013,44197,0.025,5000,2,3,TRUE)', 125.513698630137],
  ['=ACCRINT(43831,44013,44197,0.025,5000,2,0,TRUE)', 125],
  ['=PV(-1,5,10)', '#DIV/0!'],
  ['=PV(-1,5,0,10)', '#DIV/0!'],
]);

table(
  '[finding T16] blank cells and empty arguments',
  [
    ['=GCD(Z1)', '#VALUE!'],
    ['=GCD(Z1,Z2,Z3)', '#VALUE!'],
    ['=LCM(Z1,Z2,Z3)', '#VALUE!'],
    ['=GCD(Z1,5)', 5],
    ['=LCM(Z1,5)', 5],
    ['=LCM(Z1:Z2)', 0],
    ['=LCM(A1:B1)', 0],
    ['=GCD(A1:B1)', 5],
    ['=MROUND(,5)', '#N/A'],
    ['=MROUND(5,)', '#N/A'],
    ['=MROUND(Z1,5)', 0],
    ['=EDATE(,1)', '#N/A'],
    ['=EDATE(45000,)', '#N/A'],
    ['=EDATE(Z1,1)', 31],
    ['=QUOTIENT(,2)', '#N/A'],
    ['=DEC2BIN(,3)', '#N/A'],
    ['=NETWORKDAYS(,5)', '#N/A'],
    ['=YEARFRAC(5,,1)', '#N/A'],
    ['=YEARFRAC(0,360,)', 355 / 360],
    ['=COMPLEX(,1)', '#N/A'],
    ['=IMDIV(,"1+i")', '#N/A'],
    ['=XNPV(,C1:C2,D1:D2)', '#N/A'],
    ['=XIRR({-70,100},)', '#N/A'],
    ['=SERIESSUM(2,,1,{1,2})', '#N/A'],
    ['=WEEKNUM(,1)', '#N/A'],
    ['=DELTA(0,)', 1],
    ['=ROUND(,1)', 0],
    ['=XLOOKUP(,C1:C9,D1:D9,,1,2)', 6],
    ['=IMPRODUCT(A1,Z1)', '0'],
  ],
  { A1: 5, C1: 'a', C2: 'b', C3: 'c', C4: 'd', C5: 'e', D1: 1, D2: 2, D3: 3, D4: 4, D5: 5, D6: 6 },
);

table(
  '[finding T16] statistics and series',
  [
    ['=SUM(FREQUENCY(A1:A3,B1:B3))', 3],
    ['=INDEX(FREQUENCY(A1:A3,B1:B3),2)', 1],
    ['=SUM(FREQUENCY(B1:B3,A1:A3))', '#DIV/0!'],
    ['=SERIESSUM(TRUE,0,1,{1,2})', '#VALUE!'],
    ['=SERIESSUM(2,TRUE,1,{1,2})', '#VALUE!'],
    ['=SERIESSUM(2,0,1,{1,2})', 5],
    ['=BINOM.DIST(1E10,1E30,0.3,TRUE)', '#NUM!'],
    ['=BINOM.INV(10,1,0.8)', '#NUM!'],
    ['=BINOM.INV(10,0.999999,0.8)', 10],
    ['=PROB({"Hi","ho"},{"hi","ho"},1)', '#DIV/0!'],
  ],
  { A1: 1, A2: 2, A3: 3, B1: 1, B2: cellErrors.div0, B3: 2 },
);

table('[finding T16] dates, units and texts', [
  ['=DATE(9999,13,-1)', '#NUM!'],
  ['=DATE(9999,12,31)', 2958465],
  ['=DATE(2020,13,-1)', 44195],
  ['=CONVERT(0.05,"MTorr","Pa")', '#N/A'],
  ['=CONVERT(1,"Torr","Pa")', 133.32236842105263],
  ['=CONVERT(0.004,"Mmph","m/s")', 1788.16],
  ['=CONVERT(0.0002,"Muk_pt","m3")', 0.11365225],
  ['=TEXTAFTER("del","deli",1)', '#VALUE!'],
  ['=TEXTAFTER("del","deli")', '#N/A'],
  ['=TEXTBEFORE("del","deli",1,1,0,"x")', '#VALUE!'],
]);

table(
  'a binary search ends at the first of equal items, in a descending line at the last',
  [
    ['=XLOOKUP(5,A:A,B:B,,0,2)', 'b'],
    ['=XLOOKUP(5,A:A,B:B,,-1,2)', 'b'],
    ['=XLOOKUP(5,C1:C4,B1:B4,,1,-2)', 'c'],
    ['=XLOOKUP(6,A:A,B:B,,1,2)', 'd'],
  ],
  { A1: 1, A2: 5, A3: 5, A4: 7, B1: 'a', B2: 'b', B3: 'c', B4: 'd', C1: 9, C2: 5, C3: 5, C4: 1 },
);

it('TEXTJOIN without a delimiter reads a large range to its end', () => {
  const sheet = book().set('A1', 'a').set('A60000', 'z').set('C1', '=TEXTJOIN("",FALSE,A1:A60000)');
  sheet.set('C2', '=LEN(TEXTJOIN({"",","},FALSE,A1:A60000))');
  expect([sheet.text('C1'), sheet.value('C2')]).toEqual(['az', 30_001]);
});

describe('[finding X23] relative references of defined names wrap around the sheet', () => {
  it('takes the last column for the cell to the left and the last row for the cell above', () => {
    const sheet = book().set('B2', 7).set('C2', '=left').set('B3', '=above').set('D2', '=both');
    sheet.workbook.defineName('left', '=Sheet1!XFD1');
    sheet.workbook.defineName('above', '=Sheet1!A1048576');
    sheet.workbook.defineName('both', '=SUM(Sheet1!XFC1:XFD1)');
    expect([sheet.value('C2'), sheet.value('B3'), sheet.value('D2')]).toEqual([7, 7, 14]);
    sheet.set('B2', 10);
    expect([sheet.value('C2'), sheet.value('B3'), sheet.value('D2')]).toEqual([10, 10, 20]);
  });

  it('keeps the size of a range of names that wraps to the last rows', () => {
    const sheet = book().set('F6', '=block');
    sheet.workbook.defineName('block', '=Sheet1!XET1048567:XET1048571');
    expect(['F6', 'F7', 'F10', 'F11'].map((address) => sheet.value(address))).toEqual([0, 0, 0, null]);
  });

  it('does not wrap references of cells', () => {
    const sheet = book().set('A1', '=OFFSET(A1,0,-1)');
    expect(sheet.text('A1')).toBe('#REF!');
  });
});
