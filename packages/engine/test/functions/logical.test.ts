import { describe, expect, it } from 'vitest';
import { cellErrors } from '../../src/base/values.ts';
import { calc } from '../support.ts';

type Case = readonly [formula: string, expected: number | string | boolean | null];

function table(name: string, cases: readonly Case[], cells: Parameters<typeof calc>[1] = {}): void {
  describe(name, () => {
    it.each(cases)('%s gives %s', (formula, expected) => {
      expect(calc(formula, cells)).toBe(expected);
    });
  });
}

table(
  'AND, OR, XOR, NOT',
  [
    ['=AND(TRUE,TRUE)', true],
    ['=AND(TRUE,0)', false],
    ['=AND(TRUE,)', false],
    ['=AND("TRUE",1)', true],
    ['=AND("x",TRUE)', '#VALUE!'],
    ['=AND("1")', '#VALUE!'],
    ['=AND("",TRUE)', true],
    ['=AND(A1:A4)', true],
    ['=AND(A1:A5)', '#DIV/0!'],
    ['=AND(A2:A3)', '#VALUE!'],
    ['=AND(B1)', '#VALUE!'],
    ['=OR(FALSE,0,2)', true],
    ['=OR(FALSE,1/0)', '#DIV/0!'],
    ['=OR(A2,FALSE)', false],
    ['=XOR(TRUE,TRUE)', false],
    ['=XOR(TRUE,TRUE,1)', true],
    ['=NOT(0)', true],
    ['=NOT("true")', false],
    ['=NOT("x")', '#VALUE!'],
    ['=NOT(B1)', true],
    ['=TRUE()', true],
    ['=FALSE()', false],
  ],
  { A1: true, A2: 'text', A4: 5, A5: cellErrors.div0 },
);

table('IFERROR and IFNA', [
  ['=IFERROR(1/0,"bad")', 'bad'],
  ['=IFERROR(5,1/0)', 5],
  ['=IFERROR(1/0,NA())', '#N/A'],
  ['=IFERROR(B1,"bad")', 0],
  ['=IFNA(NA(),"none")', 'none'],
  ['=IFNA(1/0,"none")', '#DIV/0!'],
  ['=SUM(IFERROR({1,#N/A,3},10))', 14],
  ['=ROWS(IFERROR(A1:A3,0))', 3],
]);

table('IFS and SWITCH', [
  ['=IFS(FALSE,1,TRUE,2)', 2],
  ['=IFS(FALSE,1)', '#N/A'],
  ['=IFS(TRUE,1,1/0,2)', 1],
  ['=IFS(1/0,1,TRUE,2)', '#DIV/0!'],
  ['=IFS("x",1)', '#VALUE!'],
  ['=SUM(IFS({1,0,1}>0,{1,2,3},TRUE,10))', 14],
  ['=SWITCH(2,1,"a",2,"b")', 'b'],
  ['=SWITCH(3,1,"a",2,"b")', '#N/A'],
  ['=SWITCH(3,1,"a",2,"b","other")', 'other'],
  ['=SWITCH("B","a",1,"b",2)', 2],
  ['=SWITCH(1,"1","text",1,"number")', 'number'],
  ['=SWITCH(1,1,"a",1/0,"b")', 'a'],
  ['=SWITCH(1/0,1,"a","other")', '#DIV/0!'],
  ['=SUM(SWITCH({1,2,3},1,10,2,20,0))', 30],
]);

describe('laziness', () => {
  it('does not compute what is not chosen', () => {
    expect(calc('=LET(f,LAMBDA(f,n,IFS(n=0,0,TRUE,n+f(f,n-1))),f(f,20))')).toBe(210);
    expect(calc('=LET(f,LAMBDA(f,n,SWITCH(n,0,0,n+f(f,n-1))),f(f,20))')).toBe(210);
  });
});
