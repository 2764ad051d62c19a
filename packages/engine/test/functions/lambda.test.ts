import { describe, expect, it } from 'vitest';
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
  'MAP',
  [
    ['=ARRAYTOTEXT(MAP({1,2;3,4},LAMBDA(x,x*x)),1)', '{1,4;9,16}'],
    ['=ARRAYTOTEXT(MAP({1,2},{10,20},LAMBDA(a,b,a+b)),1)', '{11,22}'],
    ['=ARRAYTOTEXT(MAP({1,2,3},{10,20},LAMBDA(a,b,a+b)),1)', '{11,22,#N/A}'],
    ['=ARRAYTOTEXT(MAP({1,2},LAMBDA(x,IF(x>1,1/0,x))),1)', '{1,#DIV/0!}'],
    ['=MAP({1,2},LAMBDA(x,SEQUENCE(2)))', '#CALC!'],
    ['=MAP({1,2},5)', '#VALUE!'],
    ['=SUM(MAP(A1:A3,LAMBDA(c,ROW(c))))', 6],
  ],
  { A1: 1, A2: 2, A3: 3 },
);

table('BYROW and BYCOL', [
  ['=ARRAYTOTEXT(BYROW({1,2;3,4},LAMBDA(r,SUM(r))),1)', '{3;7}'],
  ['=ARRAYTOTEXT(BYCOL({1,2;3,4},LAMBDA(c,MAX(c))),1)', '{3,4}'],
  ['=ARRAYTOTEXT(BYROW({1,2;3,4},SUM),1)', '{3;7}'],
  ['=BYROW({1,2;3,4},LAMBDA(r,r))', '#CALC!'],
]);

table('REDUCE and SCAN', [
  ['=REDUCE(0,{1,2;3,4},LAMBDA(a,x,a+x))', 10],
  ['=REDUCE(,{2,3,4},LAMBDA(a,x,a*x))', 24],
  ['=REDUCE("",{"a","b"},LAMBDA(a,x,a&x))', 'ab'],
  ['=ROWS(REDUCE({0},{1,2,3},LAMBDA(a,x,VSTACK(a,x))))', 4],
  ['=ARRAYTOTEXT(SCAN(0,{1,2,3},LAMBDA(a,x,a+x)),1)', '{1,3,6}'],
  ['=ARRAYTOTEXT(SCAN(,{2;3},LAMBDA(a,x,a*x)),1)', '{2;6}'],
  ['=ARRAYTOTEXT(SCAN(1,{1,0,2},LAMBDA(a,x,a/x)),1)', '{1,#DIV/0!,#DIV/0!}'],
]);

table('MAKEARRAY', [
  ['=ARRAYTOTEXT(MAKEARRAY(2,3,LAMBDA(r,c,r*c)),1)', '{1,2,3;2,4,6}'],
  ['=MAKEARRAY(0,1,LAMBDA(r,c,1))', '#VALUE!'],
  ['=MAKEARRAY(1048576,16384,LAMBDA(r,c,1))', '#NUM!'],
]);

describe('spilling', () => {
  it('fills the cells beside and below', () => {
    const wb = book().set('B2', '=MAP({1,2;3,4},LAMBDA(x,x+0.5))');
    expect([wb.value('B2'), wb.value('C2'), wb.value('B3'), wb.value('C3')]).toEqual([1.5, 2.5, 3.5, 4.5]);
  });

  it('takes a named lambda', () => {
    const wb = book().name('DOUBLE', '=LAMBDA(x,x*2)').set('A1', '=SUM(MAP({1,2,3},DOUBLE))');
    expect(wb.value('A1')).toBe(12);
  });
});
