import { describe, expect, it } from 'vitest';
import { book, calc } from '../support.ts';

type Case = readonly [formula: string, expected: number | string | boolean | null];

/** Whole arrays are compared by their written form. */
function table(name: string, cases: readonly Case[], cells: Parameters<typeof calc>[1] = {}): void {
  describe(name, () => {
    it.each(cases)('%s gives %s', (formula, expected) => {
      expect(calc(formula, cells)).toBe(expected);
    });
  });
}

table(
  'cutting and joining',
  [
    ['=ARRAYTOTEXT(TAKE({1,2;3,4;5,6},2),1)', '{1,2;3,4}'],
    ['=ARRAYTOTEXT(TAKE({1,2;3,4;5,6},-1),1)', '{5,6}'],
    ['=ARRAYTOTEXT(TAKE({1,2;3,4;5,6},,1),1)', '{1;3;5}'],
    ['=ARRAYTOTEXT(TAKE({1,2;3,4},9),1)', '{1,2;3,4}'],
    ['=TAKE({1,2},0)', '#CALC!'],
    ['=ARRAYTOTEXT(DROP({1,2;3,4;5,6},1),1)', '{3,4;5,6}'],
    ['=ARRAYTOTEXT(DROP({1,2;3,4;5,6},-2,1),1)', '{2}'],
    ['=DROP({1,2},1)', '#CALC!'],
    ['=ARRAYTOTEXT(CHOOSECOLS({1,2,3;4,5,6},3,-3),1)', '{3,1;6,4}'],
    ['=ARRAYTOTEXT(CHOOSEROWS({1;2;3},{3,1}),1)', '{3;1}'],
    ['=CHOOSECOLS({1,2},3)', '#VALUE!'],
    ['=CHOOSECOLS({1,2},0)', '#VALUE!'],
    ['=ARRAYTOTEXT(EXPAND({1},2,2,0),1)', '{1,0;0,0}'],
    ['=ARRAYTOTEXT(EXPAND({1},1,2),1)', '{1,#N/A}'],
    ['=EXPAND({1;2},1)', '#VALUE!'],
    ['=ARRAYTOTEXT(HSTACK({1;2},3),1)', '{1,3;2,#N/A}'],
    ['=ARRAYTOTEXT(VSTACK({1,2},{3}),1)', '{1,2;3,#N/A}'],
    ['=ARRAYTOTEXT(VSTACK(1,1/0),1)', '{1;#DIV/0!}'],
    ['=ARRAYTOTEXT(TOCOL({1,2;3,4}),1)', '{1;2;3;4}'],
    ['=ARRAYTOTEXT(TOCOL({1,2;3,4},,TRUE),1)', '{1;3;2;4}'],
    ['=ARRAYTOTEXT(TOROW(A1:B2,1),1)', '{1,"x",#N/A}'],
    ['=ARRAYTOTEXT(TOROW(A1:B2,3),1)', '{1,"x"}'],
    ['=TOROW(C1:C2,1)', '#CALC!'],
    ['=TOROW(A1:B2,4)', '#VALUE!'],
    ['=ARRAYTOTEXT(WRAPROWS({1,2,3,4,5},2),1)', '{1,2;3,4;5,#N/A}'],
    ['=ARRAYTOTEXT(WRAPCOLS({1,2,3},2,"-"),1)', '{1,3;2,"-"}'],
    ['=WRAPROWS({1,2;3,4},2)', '#VALUE!'],
    ['=WRAPROWS({1,2},0)', '#NUM!'],
    ['=ARRAYTOTEXT(TRANSPOSE({1,2;3,4}),1)', '{1,3;2,4}'],
    ['=ROWS(TRIMRANGE(A1:D9))', 2],
    ['=COLUMNS(TRIMRANGE(A1:D9,2,0))', 4],
    ['=TRIMRANGE(D1:D9)', '#REF!'],
  ],
  { A1: 1, B1: 'x', B2: '=NA()' },
);

table('SEQUENCE', [
  ['=ARRAYTOTEXT(SEQUENCE(2,2),1)', '{1,2;3,4}'],
  ['=ARRAYTOTEXT(SEQUENCE(3,,10,-5),1)', '{10;5;0}'],
  ['=ARRAYTOTEXT(SEQUENCE(,3),1)', '{1,2,3}'],
  ['=ARRAYTOTEXT(SEQUENCE(2.9),1)', '{1;2}'],
  ['=SEQUENCE(0)', '#CALC!'],
  ['=SEQUENCE(-1)', '#VALUE!'],
  ['=SEQUENCE(1048577)', '#VALUE!'],
  ['=SEQUENCE(1048576,16384)', '#NUM!'],
  ['=SEQUENCE("x")', '#VALUE!'],
]);

table(
  'FILTER, SORT, UNIQUE',
  [
    ['=ARRAYTOTEXT(FILTER(A1:B4,B1:B4>1),1)', '{"b",2;"a",3}'],
    ['=ARRAYTOTEXT(FILTER(A1:A4,(B1:B4>1)*(A1:A4="a")),1)', '{"a"}'],
    ['=ARRAYTOTEXT(FILTER({1,2,3},{1,0,1}),1)', '{1,3}'],
    ['=FILTER(A1:A4,B1:B4>9)', '#CALC!'],
    ['=FILTER(A1:A4,B1:B4>9,"none")', 'none'],
    ['=FILTER(A1:A4,B1:B3>1)', '#VALUE!'],
    ['=FILTER(A1:A4,A1:A4)', '#VALUE!'],
    ['=FILTER(B1:B4,B1:B4/0)', '#DIV/0!'],
    ['=ARRAYTOTEXT(FILTER(A:A,B:B=3),1)', '{"a"}'],
    ['=ARRAYTOTEXT(SORT(A1:B4),1)', '{"A",1;"a",3;"b",2;"c",1}'],
    ['=ARRAYTOTEXT(SORT(A1:B4,2,-1),1)', '{"a",3;"b",2;"c",1;"A",1}'],
    ['=ARRAYTOTEXT(SORT(A1:B4,{2,1}),1)', '{"A",1;"c",1;"b",2;"a",3}'],
    ['=ARRAYTOTEXT(SORT({3,1,2},1,1,TRUE),1)', '{1,2,3}'],
    ['=ARRAYTOTEXT(SORT({TRUE;"a";2;#N/A;1}),1)', '{1;2;"a";TRUE;#N/A}'],
    ['=ARRAYTOTEXT(SORT({TRUE;"a";2;#N/A;1},,-1),1)', '{#N/A;TRUE;"a";2;1}'],
    ['=SORT({1,2},3)', '#VALUE!'],
    ['=SORT({1,2},1,0)', '#VALUE!'],
    ['=ARRAYTOTEXT(SORTBY(A1:A4,B1:B4,-1,A1:A4,1),1)', '{"a";"b";"A";"c"}'],
    ['=SORTBY(A1:A4,B1:B3)', '#VALUE!'],
    ['=ARRAYTOTEXT(UNIQUE({1;2;1;"a";"A"}),1)', '{1;2;"a"}'],
    ['=ARRAYTOTEXT(UNIQUE({1;2;1},,TRUE),1)', '{2}'],
    ['=ARRAYTOTEXT(UNIQUE({1,1,2},TRUE),1)', '{1,2}'],
    ['=UNIQUE({1;1},,TRUE)', '#CALC!'],
    ['=ARRAYTOTEXT(UNIQUE({1,2;1,2;1,3}),1)', '{1,2;1,3}'],
  ],
  { A1: 'c', A2: 'b', A3: 'A', A4: 'a', B1: 1, B2: 2, B3: 1, B4: 3 },
);

describe('reports', () => {
  const sales = [
    ['Region', 'Product', 'Sales'],
    ['West', 'Pen', 10],
    ['East', 'Pen', 20],
    ['West', 'Ink', 30],
    ['East', 'Pen', 40],
  ];
  const report = (formula: string): number | string | boolean | null =>
    book().fill('A1', sales).set('H1', `=ARRAYTOTEXT(${formula},1)`).value('H1');

  it.each([
    ['GROUPBY(A2:A5,C2:C5,SUM)', '{"East",60;"West",40;"Total",100}'],
    ['GROUPBY(A2:A5,C2:C5,SUM,,0)', '{"East",60;"West",40}'],
    ['GROUPBY(A1:A5,C1:C5,SUM)', '{"East",60;"West",40;"Total",100}'],
    ['GROUPBY(A1:A5,C1:C5,SUM,3,0)', '{"Region","Sales";"East",60;"West",40}'],
    ['GROUPBY(A2:A5,C2:C5,SUM,,-1)', '{"Total",100;"East",60;"West",40}'],
    ['GROUPBY(A2:A5,C2:C5,SUM,,0,2)', '{"West",40;"East",60}'],
    ['GROUPBY(A2:A5,C2:C5,SUM,,0,-1)', '{"West",40;"East",60}'],
    ['GROUPBY(A2:A5,C2:C5,SUM,,0,,B2:B5="Pen")', '{"East",60;"West",10}'],
    ['GROUPBY(A2:A5,C2:C5,PERCENTOF,,0)', '{"East",0.6;"West",0.4}'],
    ['GROUPBY(A2:A5,C2:C5,LAMBDA(x,MAX(x)),,0)', '{"East",40;"West",30}'],
    [
      'GROUPBY(A2:B5,C2:C5,SUM,,2)',
      '{"East","Pen",60;"East","",60;"West","Ink",30;"West","Pen",10;"West","",40;"Grand Total","",100}',
    ],
    ['GROUPBY(A2:B5,C2:C5,SUM,,0,-3,,1)', '{"East","Pen",60;"West","Ink",30;"West","Pen",10}'],
    ['PIVOTBY(A2:A5,B2:B5,C2:C5,SUM)', '{"","Ink","Pen","Total";"East","",60,60;"West",30,10,40;"Total",30,70,100}'],
    ['PIVOTBY(A2:A5,B2:B5,C2:C5,SUM,,0,,0)', '{"","Ink","Pen";"East","",60;"West",30,10}'],
    ['PIVOTBY(A2:A5,B2:B5,C2:C5,PERCENTOF,,0,,0,,,1)', '{"","Ink","Pen";"East","",1;"West",0.75,0.25}'],
  ])('%s', (formula, expected) => {
    expect(report(formula)).toBe(expected);
  });

  it('refuses what does not fit', () => {
    expect(calc('=GROUPBY({1;2},{1},SUM)')).toBe('#VALUE!');
    expect(calc('=GROUPBY({1;2},{1;2},5)')).toBe('#VALUE!');
    expect(calc('=GROUPBY({1;2},{1;2},SUM,,3)')).toBe('#VALUE!');
    expect(calc('=PERCENTOF({1,2},{1,2,3,4})')).toBe(0.3);
    expect(calc('=PERCENTOF(1,0)')).toBe('#DIV/0!');
  });
});

describe('size', () => {
  it('keeps the blank end of a range and spills it as blanks', () => {
    expect(calc('=ROWS(TRANSPOSE(A1:C1))', { A1: 1 })).toBe(3);
  });

  it('counts blank rows below the used part in UNIQUE, also where each row may occur only once', () => {
    expect(calc('=ARRAYTOTEXT(UNIQUE(A:A,,TRUE),1)', { A1: 1, A3: 2 })).toBe('{1;2}');
    expect(calc('=ROWS(UNIQUE(A1:A3,,TRUE))', { A1: 1, A2: 2 })).toBe(3);
    expect(calc('=ROWS(UNIQUE(A1:A4,,TRUE))', { A1: 1, A2: 2 })).toBe(2);
    expect(calc('=ROWS(UNIQUE(A:A))', { A1: 1, A3: 2 })).toBe(3);
    expect(calc('=UNIQUE(A:A,,TRUE)', {})).toBe('#CALC!');
  });

  it('ends giant arrays in an error before they take memory', () => {
    expect(calc('=ROWS(EXPAND({1},1048576,16384))')).toBe('#NUM!');
  });
});
