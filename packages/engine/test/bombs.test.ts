import { describe, expect, it } from 'vitest';
import { BudgetExceeded } from '../src/base/budget.ts';
import { edit } from '../src/history/apply-edit.ts';
import { FormulaSyntaxError } from '../src/formula/token.ts';
import { loadColumn } from '../src/workbook/bulk-load.ts';
import { addSheet, defineName, setValues } from '../src/mutations/index.ts';
import { encodeSnapshot } from '../src/history/snapshot.ts';
import { CellError } from '../src/base/values.ts';
import { TestDocument } from './document/support.ts';
import { book, type TestBook } from './support.ts';

/** A quarter of what one call of an operation may spend. */
const stepLimit = 10_000_000;
const generousMs = 120_000;

/** How a formula in Z1 ends: its value, an error's text, or the name of what was thrown; B1 must not be touched by it. */
function outcome(formula: string, prepare: (wb: TestBook) => unknown = () => undefined): unknown {
  const wb = book('Sheet1', 'Far').set('A1', 2).set('B1', '=A1*21');
  wb.recalc();
  prepare(wb);
  const { sheet } = wb.place('A1');
  let ended: unknown;
  try {
    wb.workbook.setFormula(sheet, 0, 25, formula);
    wb.workbook.recalc({ limit: stepLimit });
    const value = sheet.read(0, 25);
    ended = value instanceof CellError ? value.text : value;
  } catch (error) {
    if (!(error instanceof BudgetExceeded || error instanceof FormulaSyntaxError)) throw error;
    ended = error.name;
  }
  expect(sheet.read(0, 1)).toBe(42);
  return ended;
}

/** Long formulas are named by how they begin. */
function short(cases: readonly (readonly [string, unknown])[]): [string, string, unknown][] {
  return cases.map(([formula, expected]) => [formula.slice(0, 50), formula, expected]);
}

function corner(wb: TestBook): void {
  wb.set('Far!XFD1048576', 1);
}

describe('T55 formula bombs: text', () => {
  it.each([
    ['parentheses', `=${'('.repeat(100_000)}1${')'.repeat(100_000)}`],
    ['parentheses within the length', `=${'('.repeat(16_000)}1${')'.repeat(16_000)}`],
    ['functions', `=${'ABS('.repeat(6000)}1${')'.repeat(6000)}`],
    ['signs', `=${'-'.repeat(30_000)}1`],
    ['percent signs', `=1${'%'.repeat(30_000)}`],
    ['spill marks', `=A1${'#'.repeat(30_000)}`],
    ['single marks', `=${'@'.repeat(30_000)}A1`],
    ['intersections', `=${'A1 '.repeat(10_000)}A1`],
    ['ranges of ranges', `=${'A1:'.repeat(10_000)}A1`],
    ['calls of calls', `=LAMBDA(1)${'()'.repeat(10_000)}`],
    ['braces', `=${'{'.repeat(30_000)}`],
    ['brackets', `=T${'['.repeat(30_000)}`],
  ])(
    '%s nested without end are a syntax error',
    (_, formula) => {
      expect(outcome(formula)).toBe('FormulaSyntaxError');
    },
    generousMs,
  );

  it.each([
    ['sums', `=${'1+'.repeat(16_000)}1`, 16_001],
    ['powers', `=${'1^'.repeat(16_000)}1`, 1],
    ['arguments', `=SUM(${'1,'.repeat(16_000)}1)`, 16_001],
    ['array elements', `=SUM({${'1,'.repeat(16_000)}1})`, 16_001],
    ['areas of a union', `=SUM((${'A1,'.repeat(9000)}A1))`, 18_002],
    ['variables', `=LET(v_0,1,${Array.from({ length: 1500 }, (_, i) => `v_${i + 1},v_${i}+1,`).join('')}v_1500)`, 1501],
  ])(
    'long rows of %s are computed',
    (_, formula, expected) => {
      expect(outcome(formula)).toBe(expected);
    },
    generousMs,
  );
});

describe('T55 formula bombs: sizes', () => {
  it.each([
    ['=REPT("x",1e9)', '#VALUE!'],
    ['=LEN(REPT(REPT("x",32767),32767))', '#VALUE!'],
    ['=LEN(SUBSTITUTE(REPT("a",32767),"a",REPT("b",32767)))', '#VALUE!'],
    ['=TEXTJOIN("",TRUE,REPT("x",SEQUENCE(1000000,1,32767,0)))', 'BudgetExceeded'],
    ['=SUM(LEN(UPPER(REPT("x",SEQUENCE(1000000,1,32767,0)))))', 'BudgetExceeded'],
    ['=LEN(REDUCE("x",SEQUENCE(60),LAMBDA(a,b,a&a)))', '#VALUE!'],
    ['=SUM(SEQUENCE(1048576,16384))', '#NUM!'],
    ['=SEQUENCE(1048576,16384)', '#NUM!'],
    ['=SUM(MAKEARRAY(1048576,16384,LAMBDA(r,c,r*c)))', '#NUM!'],
    ['=SUM(SEQUENCE(1000000)*SEQUENCE(1,16384))', '#NUM!'],
    ['=EXPAND(1,1048576,16384,0)', '#NUM!'],
    ['=MUNIT(1000000)', '#VALUE!'],
    ['=SUM(RANDARRAY(1048576,16384))', '#VALUE!'],
    ['=COLUMNS(HSTACK(SEQUENCE(1048576),SEQUENCE(1,16384)))', '#NUM!'],
    ['=SUM(MMULT(RANDARRAY(1000,1000),RANDARRAY(1000,1000)))', 'BudgetExceeded'],
    ['=SUM(MINVERSE(RANDARRAY(1000,1000)))', 'BudgetExceeded'],
    ['=SUM(LINEST(RANDARRAY(2000,1),RANDARRAY(2000,1500)))', 'BudgetExceeded'],
    ['=ROWS(REDUCE(1,SEQUENCE(100000),LAMBDA(a,b,VSTACK(a,b))))', 'BudgetExceeded'],
    ['=IRR(SEQUENCE(1000000))', 'BudgetExceeded'],
    ['=SUM(PERCENTRANK(SEQUENCE(30000),SEQUENCE(30000)))', 'BudgetExceeded'],
    ['=SUM(FACT(SEQUENCE(100000,1,1E9)))', '#NUM!'],
    ['=FIXED(1,1E9)', '#VALUE!'],
    ['=F.INV(0.5,1E9,1E9)>0', true],
  ])(
    '%s',
    (formula, expected) => {
      expect(outcome(formula)).toBe(expected);
    },
    generousMs,
  );

  it.each(
    short([
      [`=SUM(${Array.from({ length: 1000 }, () => 'Far!A1:XFD1048576').join(',')})`, 1000],
      ['=SUM(Far!A1:XFD1048576*Far!A1:XFD1048576)', '#NUM!'],
      ['=Far!A1:XFD1048576', '#NUM!'],
      ['=TRANSPOSE(Far!A1:XFD1048576)', '#NUM!'],
      ['=COUNTBLANK(Far!A1:XFD1048576)', 17_179_869_183],
      ['=COUNTIF(Far!A1:XFD1048576,"")', 'BudgetExceeded'],
      ['=TEXTJOIN(",",FALSE,Far!A1:XFD1048576)', '#VALUE!'],
      ['=SUM(INDIRECT("Far!A1:XFD1048576")*1)', '#NUM!'],
      ['=SUBTOTAL(9,Far!A1:XFD1048576)', 1],
    ]),
  )(
    'the whole sub-sheet: %s',
    (_, formula, expected) => {
      expect(outcome(formula, corner)).toBe(expected);
    },
    generousMs,
  );
});

describe('T55 formula bombs: recursion and cycles', () => {
  it.each([
    ['=LET(f,LAMBDA(g,n,g(g,n+1)),f(f,1))', '#NUM!'],
    [
      '=SUM(MAP(SEQUENCE(3000),LAMBDA(a,SUM(MAP(SEQUENCE(3000),LAMBDA(b,SUM(MAP(SEQUENCE(3000),LAMBDA(c,a*b*c)))))))))',
      'BudgetExceeded',
    ],
  ])(
    '%s',
    (formula, expected) => {
      expect(outcome(formula)).toBe(expected);
    },
    generousMs,
  );

  it('a name that calls itself without end is #NUM!', () => {
    expect(outcome('=again(1)', (wb) => wb.name('again', '=LAMBDA(n,again(n+1))'))).toBe('#NUM!');
  });

  it(
    'a name that calls itself twice at every step exceeds the budget',
    () => {
      expect(outcome('=fib(300)', (wb) => wb.name('fib', '=LAMBDA(n,IF(n<2,1,fib(n-1)+fib(n-2)))'))).toBe(
        'BudgetExceeded',
      );
    },
    generousMs,
  );

  it(
    'names that double forty times exceed the budget',
    () => {
      const define = (wb: TestBook): void => {
        wb.name('step_0', '=1');
        for (let i = 1; i <= 40; i++) wb.name(`step_${i}`, `=step_${i - 1}+step_${i - 1}`);
      };
      expect(outcome('=step_40', define)).toBe('BudgetExceeded');
    },
    generousMs,
  );

  it('names in a circle are #NUM!', () => {
    expect(outcome('=this', (wb) => wb.name('this', '=that+1').name('that', '=this+1'))).toBe('#NUM!');
  });

  it(
    'a circle of 100,000 cells is #CIRC! in all of them',
    () => {
      const wb = book();
      const { sheet } = wb.place('A1');
      for (let row = 0; row < 100_000; row++) wb.workbook.setFormula(sheet, row, 0, `=A${((row + 1) % 100_000) + 1}+1`);
      wb.workbook.recalc({ limit: stepLimit });
      expect(wb.value('A1')).toBe('#CIRC!');
      expect(wb.value('A100000')).toBe('#CIRC!');
      expect(wb.set('A100000', 5).value('A1')).toBe(100_004);
    },
    generousMs,
  );

  it(
    'columns that sum themselves are #CIRC!',
    () => {
      const wb = book();
      const { sheet } = wb.place('A1');
      for (let row = 0; row < 1000; row++) wb.workbook.setFormula(sheet, row, 0, '=SUM(A:A)');
      wb.workbook.recalc({ limit: stepLimit });
      expect([wb.value('A1'), wb.value('A1000')]).toEqual(['#CIRC!', '#CIRC!']);
    },
    generousMs,
  );

  it('INDIRECT to itself and in a circle is #CIRC!', () => {
    const wb = book().set('A1', '=INDIRECT("A2")').set('A2', '=INDIRECT("A1")').set('C1', '=INDIRECT("C1")+1');
    expect([wb.value('A1'), wb.value('A2'), wb.value('C1')]).toEqual(['#CIRC!', '#CIRC!', '#CIRC!']);
  });

  it(
    'a chain of 20,000 INDIRECT ends',
    () => {
      const wb = book();
      const { sheet } = wb.place('A1');
      for (let row = 0; row < 20_000; row++) wb.workbook.setFormula(sheet, row, 0, `=INDIRECT("A${row + 2}")`);
      wb.set('A20001', 7);
      wb.workbook.recalc({ limit: stepLimit });
      expect([7, '#CIRC!']).toContain(wb.value('A1'));
      expect(wb.value('A20000')).toBe(7);
    },
    generousMs,
  );
});

describe('T55 formula bombs: patterns', () => {
  const as = (wb: TestBook): void =>
    loadColumn(
      wb.workbook,
      wb.place('A1').sheet,
      10,
      0,
      Array.from({ length: 100 }, () => 'a'.repeat(32_000)),
    );

  it.each(
    short([
      [`=COUNTIF(A11:A110,"${'*a'.repeat(100)}*b")`, 0],
      [`=COUNTIF(A11:A110,"${'?'.repeat(200)}*${'a*'.repeat(20)}b")`, 0],
      [`=SEARCH("${'a*'.repeat(50)}b",A11)`, '#VALUE!'],
      [`=MATCH("${'*a'.repeat(100)}*b",A11:A110,0)`, '#N/A'],
      ['=REGEXTEST(A11,"(a+)+$b")', false],
      ['=LEN(REGEXREPLACE(A11,"(a|aa)+$","b"))', 1],
      ['=REGEXTEST(A11,"((a{0,100}){0,100}){0,100}b")', '#VALUE!'],
    ]),
  )(
    '%s',
    (_, formula, expected) => {
      expect(outcome(formula, as)).toBe(expected);
    },
    generousMs,
  );
});

describe('T55 formula bombs: documents', () => {
  it(
    'an edit over its budget fails whole: not a byte of the document changes',
    () => {
      const doc = new TestDocument('Sheet1').fill('A1', [
        [1, '=A1+1', '=SEQUENCE(3)'],
        ['x', '=SUM(A1:B1)'],
      ]);
      const { document } = doc;
      const before = encodeSnapshot(document);
      const bombs = [
        [
          setValues.of({
            sheet: 'Sheet1',
            values: [[0, 0, [5]]],
            formulas: [[0, 25, 1, '=SUM(MAP(SEQUENCE(3000),LAMBDA(a,SUM(MAP(SEQUENCE(30000),LAMBDA(b,a*b))))))']],
          }),
        ],
        [
          addSheet.of({ sheet: 'Other', name: 'Other' }),
          defineName.of({ name: 'fib', formula: '=LAMBDA(n,IF(n<2,1,fib(n-1)+fib(n-2)))' }),
          setValues.of({ sheet: 'Other', formulas: [[0, 0, 1000, '=fib(100)']] }),
        ],
      ];
      for (const mutations of bombs) {
        expect(() => edit(document, mutations, { now: doc.now, seed: doc.seed, limit: stepLimit })).toThrow(
          BudgetExceeded,
        );
        expect(Buffer.from(encodeSnapshot(document)).equals(Buffer.from(before))).toBe(true);
      }
      expect(doc.text('B1')).toBe('2');
      expect(doc.set('A1', 10).text('B2')).toBe('21');
    },
    generousMs,
  );
});
