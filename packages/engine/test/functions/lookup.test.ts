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

const sorted = { A1: 10, A2: 20, A3: 20, A4: 40, B1: 'a', B2: 'b', B3: 'c', B4: 'd' };

table(
  'MATCH',
  [
    ['=MATCH(20,A1:A4,0)', 2],
    ['=MATCH(20,A1:A4,1)', 3],
    ['=MATCH(20,A1:A4)', 3],
    ['=MATCH(39,A1:A4)', 3],
    ['=MATCH(9,A1:A4)', '#N/A'],
    ['=MATCH(99,A1:A4)', 4],
    ['=MATCH("20",A1:A4,0)', '#N/A'],
    ['=MATCH("C",B1:B4,0)', 3],
    ['=MATCH("?",B1:B4,0)', 1],
    ['=MATCH("~?",B1:B4,0)', '#N/A'],
    ['=MATCH(25,{40,30,20,10},-1)', 2],
    ['=MATCH(5,{40,30,20,10},-1)', 4],
    ['=MATCH(50,{40,30,20,10},-1)', '#N/A'],
    ['=MATCH(1,A1:B4,0)', '#N/A'],
    ['=MATCH(1/0,A1:A4,0)', '#DIV/0!'],
    ['=MATCH(20,A:A,0)', 2],
    ['=MATCH(1E+300,A:A)', 4],
    ['=MATCH("zz",A1:B1)', 2],
    ['=MATCH(2,{1,"x",3},1)', 1],
    ['=MATCH(TRUE,{1,"a",TRUE},0)', 3],
  ],
  sorted,
);

table(
  'VLOOKUP and HLOOKUP',
  [
    ['=VLOOKUP(20,A1:B4,2,FALSE)', 'b'],
    ['=VLOOKUP(20,A1:B4,2,TRUE)', 'c'],
    ['=VLOOKUP(25,A1:B4,2)', 'c'],
    ['=VLOOKUP(25,A1:B4,2,)', '#N/A'],
    ['=VLOOKUP(5,A1:B4,2)', '#N/A'],
    ['=VLOOKUP(20,A1:B4,3,FALSE)', '#REF!'],
    ['=VLOOKUP(20,A1:B4,0,FALSE)', '#VALUE!'],
    ['=VLOOKUP(20,A1:B4,2.9,FALSE)', 'b'],
    ['=VLOOKUP("B*",{"abc",1;"bcd",2},2,FALSE)', 2],
    ['=VLOOKUP(40,A:B,2,FALSE)', 'd'],
    ['=VLOOKUP(NA(),A1:B4,2,FALSE)', '#N/A'],
    ['=VLOOKUP(1,"text",1)', '#VALUE!'],
    ['=HLOOKUP("b",{"a","b";1,2},2,FALSE)', 2],
    ['=HLOOKUP("z",{"a","b";1,2},2)', 2],
    ['=HLOOKUP("b",{"a","b";1,2},3,FALSE)', '#REF!'],
  ],
  sorted,
);

table(
  'LOOKUP',
  [
    ['=LOOKUP(25,A1:A4,B1:B4)', 'c'],
    ['=LOOKUP(5,A1:A4,B1:B4)', '#N/A'],
    ['=LOOKUP("bump",{"a",1;"b",2;"c",3})', 2],
    ['=LOOKUP("C",{"a","b","c","d";1,2,3,4})', 3],
    ['=LOOKUP(2,1/(B1:B4="b"),A1:A4)', 20],
  ],
  sorted,
);

table(
  'XLOOKUP and XMATCH',
  [
    ['=XLOOKUP(20,A1:A4,B1:B4)', 'b'],
    ['=XLOOKUP(20,A1:A4,B1:B4,,0,-1)', 'c'],
    ['=XLOOKUP(25,A1:A4,B1:B4)', '#N/A'],
    ['=XLOOKUP(25,A1:A4,B1:B4,"none")', 'none'],
    ['=XLOOKUP(25,A1:A4,B1:B4,,-1)', 'b'],
    ['=XLOOKUP(25,A1:A4,B1:B4,,1)', 'd'],
    ['=XLOOKUP("?",B1:B4,A1:A4,,2)', 10],
    ['=XLOOKUP("?",B1:B4,A1:A4)', '#N/A'],
    ['=XLOOKUP("^[cd]$",B1:B4,A1:A4,,3)', 20],
    ['=XLOOKUP(40,A1:A4,B1:B4,,0,2)', 'd'],
    ['=XLOOKUP(15,{40,30,20,10},{1,2,3,4},,-1,-2)', 4],
    ['=XLOOKUP(20,A1:A4,B1:B3)', '#VALUE!'],
    ['=XLOOKUP(20,A1:B4,B1:B4)', '#VALUE!'],
    ['=XLOOKUP(20,A1:A4,B1:B4,,5)', '#VALUE!'],
    ['=XLOOKUP(20,A1:A4,B1:B4,,0,0)', '#VALUE!'],
    ['=XLOOKUP(20,A1:A4,B1:B4,1/0)', 'b'],
    ['=SUM(XLOOKUP(20,A1:A4,A1:A4):XLOOKUP(40,A1:A4,A1:A4))', 80],
    ['=XMATCH("c",B1:B4)', 3],
    ['=XMATCH(21,A1:A4,1)', 4],
    ['=XMATCH(21,A1:A4,-1)', 2],
    ['=XMATCH(20,A1:A4,0,-1)', 3],
  ],
  sorted,
);

table(
  'INDEX, OFFSET, CHOOSE, INDIRECT',
  [
    ['=INDEX(A1:B4,2,2)', 'b'],
    ['=INDEX(A1:A4,3)', 20],
    ['=INDEX(A1:B1,2)', 'a'],
    ['=INDEX(A1:B4,5,1)', '#REF!'],
    ['=INDEX(A1:B4,1,3)', '#REF!'],
    ['=INDEX(A1:B4,-1,1)', '#VALUE!'],
    ['=INDEX(A1:B4,2)', '#REF!'],
    ['=SUM(INDEX(A1:B4,0,1))', 90],
    ['=SUM(A1:INDEX(A1:A4,2))', 30],
    ['=INDEX((A1:A2,B1:B2),2,1,2)', 'b'],
    ['=INDEX((A1:A2,B1:B2),1,1,3)', '#REF!'],
    ['=INDEX({1,2;3,4},2,1)', 3],
    ['=SUM(INDEX(A1:A4,{1,4}))', 50],
    ['=OFFSET(A1,1,1)', 'b'],
    ['=SUM(OFFSET(A1,0,0,3))', 50],
    ['=SUM(OFFSET(A4,0,0,-2,1))', 60],
    ['=OFFSET(A1,-1,0)', '#REF!'],
    ['=OFFSET(A1,0,0,0)', '#REF!'],
    // A size between 0 and 1 is one cell, others are cut.
    ['=ROWS(OFFSET(A1,0,0,0.3,2.9))&COLUMNS(OFFSET(A1,0,0,0.3,2.9))', '12'],
    ['=SUM(OFFSET(A1,0,0,3,0.9))', 50],
    ['=SUM(OFFSET(A1:A2,1,0,,))', 40],
    ['=CHOOSE(2,"x","y")', 'y'],
    ['=CHOOSE(2.9,"x","y")', 'y'],
    ['=CHOOSE(3,"x","y")', '#VALUE!'],
    ['=CHOOSE(2,1/0,"y")', 'y'],
    ['=SUM(CHOOSE(2,B1:B4,A1:A4))', 90],
    ['=VLOOKUP("c",CHOOSE({1,2},B1:B4,A1:A4),2,FALSE)', 20],
    ['=INDIRECT("A"&4)', 40],
    ['=INDIRECT("R2C2",FALSE)', 'b'],
    ['=SUM(INDIRECT("A1:A4"))', 90],
    ['=INDIRECT("nothing here")', '#REF!'],
    ['=INDIRECT("unknown_name")', '#REF!'],
    ['=INDIRECT("")', '#REF!'],
  ],
  sorted,
);

table('places', [
  ['=ROW()', 99],
  ['=COLUMN()', 26],
  ['=ROW(B7)', 7],
  ['=COLUMN(B7:D9)', 2],
  ['=SUM(ROW(A1:A4))', 10],
  ['=SUM(COLUMN(A1:D1))', 10],
  ['=ROWS(A1:C4)', 4],
  ['=COLUMNS(A:C)', 3],
  ['=ROWS({1;2;3})', 3],
  ['=AREAS((A1,B2:C3))', 2],
  ['=ADDRESS(2,3)', '$C$2'],
  ['=ADDRESS(2,3,2)', 'C$2'],
  ['=ADDRESS(2,3,2,FALSE)', 'R2C[3]'],
  ['=ADDRESS(2,3,1,TRUE,"My sheet")', "'My sheet'!$C$2"],
  ['=ADDRESS(2,3,,,"Other")', 'Other!$C$2'],
  ['=ADDRESS(0,1)', '#VALUE!'],
  ['=ADDRESS(1,16385)', '#VALUE!'],
  ['=ADDRESS(1,1,5)', '#VALUE!'],
  ['=HYPERLINK("http://x","shown")', 'shown'],
  ['=HYPERLINK("http://x")', 'http://x'],
  ['=HYPERLINK("http://x",5)', 5],
  ['=GETPIVOTDATA("Sales",A1)', '#REF!'],
]);

describe('look-ups on changing cells', () => {
  it('follows an edit of the key column', () => {
    const wb = book()
      .fill('A1', [
        ['x', 1],
        ['y', 2],
      ])
      .set('D1', '=VLOOKUP("y",A1:B2,2,FALSE)');
    expect(wb.value('D1')).toBe(2);
    wb.set('A1', 'y');
    expect(wb.value('D1')).toBe(1);
  });

  it('finds a blank with XLOOKUP but not with MATCH', () => {
    const cells = { A1: 'x', A3: 'z', B1: 1, B2: 2, B3: 3 };
    expect(calc('=XLOOKUP(C1,A1:A3,B1:B3)', cells)).toBe(2);
    expect(calc('=MATCH(C1,A1:A3,0)', cells)).toBe('#N/A');
  });

  it('orders types in next-smaller matches: numbers, text, booleans', () => {
    const cells = { A1: 5, A2: true, A3: 'ala', B1: 'number', B2: 'boolean', B3: 'text' };
    expect(calc('=XLOOKUP(FALSE,A1:A3,B1:B3,,-1)', cells)).toBe('text');
    expect(calc('=XLOOKUP("a",A1:A3,B1:B3,,-1)', cells)).toBe('number');
  });

  it('returns whole rows and several at once', () => {
    const wb = book()
      .fill('A1', [
        ['x', 1, 2],
        ['y', 3, 4],
      ])
      .set('E1', '=XLOOKUP({"y";"x"},A1:A2,B1:C2)');
    expect([wb.value('E1'), wb.value('F1'), wb.value('E2'), wb.value('F2')]).toEqual([3, 4, 1, 2]);
  });

  it('shows formulas, and #N/A where there is none', () => {
    const wb = book().set('A1', '=1+2').set('A2', 3).set('B1', '=FORMULATEXT(A1)').set('B2', '=FORMULATEXT(A2)');
    expect([wb.value('B1'), wb.value('B2')]).toEqual(['=1+2', '#N/A']);
  });

  it('passes an error in the found cell on', () => {
    expect(calc('=VLOOKUP(1,A1:B1,2,FALSE)', { A1: 1, B1: cellErrors.div0 })).toBe('#DIV/0!');
  });
});
