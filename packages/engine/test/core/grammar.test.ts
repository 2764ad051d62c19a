import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FormulaSyntaxError } from '../../src/formula/token.ts';
import { book, calc } from '../support.ts';

function failure(formula: string): { position: number; message: string } {
  try {
    book().set('A1', formula);
  } catch (error) {
    if (error instanceof FormulaSyntaxError) return { position: error.position, message: error.message };
    throw error;
  }
  throw new Error(`${formula} was accepted`);
}

describe('syntax errors say where', () => {
  it.each([
    ['=1+', 3],
    ['=(1', 3],
    ['=SUM(1,2', 8],
    ['="abc', 1],
    ['=1 2', 3],
    ['={1,2;3}', 8],
    ['={1,A1}', 4],
    ["='My sheet'A1", 11],
    ['=A1:', 4],
    ['=$', 1],
    ['=1~2', 2],
    ['=12ab', 1],
    ['=SUM(1;2)', 6],
    ['=)', 1],
    ['=1e999', 1],
  ])('%s at %i', (formula, position) => {
    expect(failure(formula).position).toBe(position);
  });

  it('refuses nesting without end', () => {
    expect(failure(`=${'('.repeat(5000)}1${')'.repeat(5000)}`).message).toContain('nested deeper than 256');
    expect(failure(`=${'-'.repeat(5000)}1`).message).toContain('nested deeper than 256');
    expect(failure(`=${'1+'.repeat(20000)}1`).message).toContain('longer than 32768');
    for (const tail of ['%', '#', '()', ':A1', ' A1'])
      expect(failure(`=A1${tail.repeat(5000)}`).message).toContain('256 levels');
  });

  it('computes long rows of operators', () => {
    expect(calc(`=${'1+'.repeat(16_000)}1`)).toBe(16_001);
    expect(calc(`=${'A1&'.repeat(100)}"z"`, { A1: 'ab' })).toHaveLength(201);
    expect(calc(`=SUM(${'1-'.repeat(99)}A1:A2)`, { A1: 1, A2: 2 })).toBe(-197);
  });
});

describe('printing', () => {
  it.each([
    ['=sum( a1 , $B$2 )', '=SUM( A1 , $B$2 )'],
    ['=A1:B2', '=A1:B2'],
    ['=B2:A1', '=A1:B2'],
    ['=$C:$A', '=$A:$C'],
    ['=3:1', '=1:3'],
    ["='it''s'!A1+other!B2", "='it''s'!A1+Other!B2"],
    ['=Other:Sheet1!A1', '=Other:Sheet1!A1'],
    ['=#REF!+1', '=#REF!+1'],
    ['=Other!#REF!', '=Other!#REF!'],
    ['=_xlfn.CONCAT("a ""b""",1.50)', '=CONCAT("a ""b""",1.50)'],
    ['=LAMBDA(_xlpm.x,_xlop.y,_xlpm.x)(1)', '=LAMBDA(x,[y],x)(1)'],
    ['=@A1:A3', '=@A1:A3'],
    ['=A1#', '=A1#'],
    ['={1,-2;"a",TRUE}', '={1,-2;"a",TRUE}'],
    ['=true', '=TRUE'],
    ['=Missing!A1', '=Missing!A1'],
  ])('%s prints as %s', (formula, printed) => {
    expect(book('Sheet1', 'Other', "it's").set('D9', formula).formula('D9')).toBe(printed);
  });
});

describe('references', () => {
  it.each([
    ['=SUM((A1,B2))', 5],
    ['=SUM(A1:B2 B1:B9)', 6],
    ['=A1:A2 B1:B2', '#NULL!'],
    ['=SUM(A:A)', 4],
    ['=SUM(1:1)', 3],
    ['=SUM(A1:INDEX(A1:B2,2,2))', 10],
    ['=Missing!A1', '#REF!'],
    ['=#REF!', '#REF!'],
    ['=nothing', '#NAME?'],
  ])('%s is %s', (formula, expected) => {
    expect(calc(formula, { A1: 1, B1: 2, A2: 3, B2: 4 })).toBe(expected);
  });

  it('reads through several sub-sheets', () => {
    const wb = book('A', 'B', 'C');
    wb.set('A!A1', 1).set('B!A1', 2).set('C!A1', 4).set('A!C1', '=SUM(A:C!A1)');
    expect(wb.value('A!C1')).toBe(7);
    wb.workbook.moveSheet(3, 0);
    expect(wb.recalc().value('A!C1')).toBe(5);
  });

  it('uses names, the sub-sheet before the workbook, and functions made of them', () => {
    const wb = book('One', 'Two');
    wb.set('A1', 5).name('rate', '=One!$A$1*2').name('twice', '=LAMBDA(x,x*2)').set('B1', '=rate+twice(3)');
    wb.workbook.defineName('rate', '=100', 2);
    wb.set('Two!B1', '=RATE2+rate').name('rate2', '=rate');
    expect(wb.value('B1')).toBe(16);
    expect(wb.value('Two!B1')).toBe(200);
    expect(wb.set('A1', 6).value('B1')).toBe(18);
    wb.workbook.removeName('twice');
    expect(wb.recalc().value('B1')).toBe('#NAME?');
  });
});

describe('any text', () => {
  const token = fc.constantFrom(
    'A1',
    '$B$2',
    'SUM(',
    ')',
    '(',
    ',',
    ';',
    ':',
    '+',
    '-',
    '*',
    '^',
    '&',
    '%',
    '#',
    '@',
    '"',
    "'",
    '!',
    '{',
    '}',
    '[',
    ']',
    'Sheet1!',
    ' ',
    '1',
    '.5',
    'e',
    'TRUE',
    '#REF!',
    '#N/A',
    'LET(',
    'LAMBDA(',
    'x',
    '=',
    '<>',
    '~',
    '\u00e9',
    '$',
    'IF(',
    '1:2',
    'A:B',
  );

  it('is computed or refused with a syntax error, never anything else', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(token, { maxLength: 14 }).map((list) => list.join('')),
          fc.string({ maxLength: 30 }),
        ),
        (text) => {
          const wb = book();
          try {
            wb.set('C3', `=${text}x`.slice(0, -1)).workbook.setFormula(wb.place('C3').sheet, 2, 2, `=${text}`);
          } catch (error) {
            expect(error).toBeInstanceOf(FormulaSyntaxError);
            return;
          }
          const printed = wb.formula('C3') ?? '';
          expect(wb.set('C3', printed).formula('C3')).toBe(printed);
          wb.workbook.recalc({ limit: 100_000 });
        },
      ),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 3000), seed: 11 },
    );
  });
});
