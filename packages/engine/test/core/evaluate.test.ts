import { describe, expect, it } from 'vitest';
import { book, calc } from '../support.ts';

describe('operators', () => {
  it.each([
    ['=1+2*3', 7],
    ['=-2^2', 4],
    ['=2^-1', 0.5],
    ['=50%', 0.5],
    ['="a"&1&TRUE', 'a1TRUE'],
    ['=1/0', '#DIV/0!'],
    ['="3"+4', 7],
    ['="a"+1', '#VALUE!'],
    ['="A"="a"', true],
    ['=1<"a"', true],
    ['="z"<FALSE', true],
    ['=0.1+0.2=0.3', true],
    ['=#N/A+1', '#N/A'],
    ['=NOPE(1)', '#NAME?'],
    ['=LET(x,2,y,x*3,y+x)', 8],
    ['=LAMBDA(a,b,a*b)(3,4)', 12],
    ['=LAMBDA(a,[b],IF(ISOMITTED(b),a/2,a*b))(12)', 6],
    ['=LET(f,LAMBDA(x,x+1),f(f(1)))', 3],
    ['=IF(TRUE,1,1/0)', 1],
    ['=IF(FALSE,1)', false],
    ['=@{5,6}', 5],
  ])('%s is %s', (formula, expected) => {
    expect(calc(formula)).toBe(expected);
  });

  it('reads references, blanks as zero, and other sub-sheets', () => {
    const wb = book('One', 'Two words');
    wb.set('A1', "=B1+'Two words'!C3").set('B1', 4).set('Two words!C3', '=5');
    expect(wb.value('A1')).toBe(9);
    expect(wb.set('D1', '=Z9').value('D1')).toBe(0);
    expect(wb.set('D2', '=A1:B1 B1:B9').value('D2')).toBe(4);
  });

  it('spills arrays and intersects in legacy formulas', () => {
    const wb = book();
    wb.fill('A1', [[1], [2], [3]])
      .set('B1', '=A1:A3*2')
      .setLegacy('D2', '=A1:A3*2');
    expect([wb.value('B1'), wb.value('B2'), wb.value('B3'), wb.value('D2')]).toEqual([2, 4, 6, 4]);
  });
});
