import { describe, expect, it } from 'vitest';
import { book, calc } from '../support.ts';
import { table } from './table.ts';

// Excel's values: they hang on how many digits of pi it takes.
table('[finding T12] angles at multiples of a quarter turn', [
  ['=TAN(PI()/2)', 1.6324552277619072e16, 4],
  ['=TAN(-PI()/2)', -1.6324552277619072e16, 4],
  ['=TAN(PI())', -1.22514845490862e-16, 1e-30],
  ['=SIN(PI())', 1.22514845490862e-16, 1e-30],
  ['=SIN(2*PI())', -2.45029690981724e-16, 1e-30],
  ['=COS(PI()/2)', 6.1257422745431e-17, 1e-30],
  ['=COS(3*PI()/2)', -1.83772268236293e-16, 1e-30],
  ['=COT(3.141592653588793)', -999788629259.2037, 0.01],
  ['=SEC(1.5707963267938965)', 999849864538.9548, 0.01],
  ['=SIN(0)', 0, 0],
  ['=SIN(PI()/6)', 0.5],
  ['=COS(PI())', -1, 0],
  ['=TAN(PI()/4)', 1],
  ['=SIN(100000000)', 0.931639027109726],
]);

table('decimal rounding', [
  ['=ROUND(2.675,2)', 2.68],
  ['=ROUND(1.005,2)', 1.01],
  ['=ROUND(-1.475,2)', -1.48],
  ['=ROUND(2.5,0)', 3],
  ['=ROUND(-2.5,0)', -3],
  ['=ROUND(21.5,-1)', 20],
  ['=ROUND(626.3,-3)', 1000],
  ['=ROUND(1.98,-1)', 0],
  ['=ROUND(-50.55,-2)', -100],
  ['=ROUND(1234567890123.456,2)', 1234567890123.46],
  ['=ROUND(0.5,400)', 0.5],
  ['=ROUND(5,-400)', 0],
  ['=ROUND(1.15,1.9)', 1.2],
  ['=ROUND("2.345",2)', 2.35],
  ['=ROUND(TRUE,0)', 1],
  ['=ROUND("x",0)', '#VALUE!'],
  ['=ROUND(1/0,0)', '#DIV/0!'],
  ['=ROUNDUP(3.2,0)', 4],
  ['=ROUNDUP(-3.14159,1)', -3.2],
  ['=ROUNDUP(31415.92654,-2)', 31500],
  ['=ROUNDUP(1.1*1.1,2)', 1.21],
  ['=ROUNDDOWN(76.9,0)', 76],
  ['=ROUNDDOWN(-3.14159,1)', -3.1],
  ['=ROUNDDOWN(31415.92654,-2)', 31400],
  ['=ROUNDDOWN(0.29*100,0)', 29],
  ['=TRUNC(-8.9)', -8],
  ['=TRUNC(8.987,2)', 8.98],
  ['=TRUNC(1234.5,-2)', 1200],
  ['=INT(-8.9)', -9],
  ['=INT(8.9)', 8],
]);

table('rounding to multiples', [
  ['=CEILING(2.5,1)', 3],
  ['=CEILING(-2.5,-2)', -4],
  ['=CEILING(-2.5,2)', -2],
  ['=CEILING(1.1,0.1)', 1.1],
  ['=CEILING(0.234,0.01)', 0.24],
  ['=CEILING(2.5,-1)', '#NUM!'],
  ['=CEILING(5,0)', 0],
  ['=FLOOR(3.7,2)', 2],
  ['=FLOOR(-2.5,-2)', -2],
  ['=FLOOR(-2.5,2)', -4],
  ['=FLOOR(2.5,-2)', '#NUM!'],
  ['=FLOOR(5,0)', '#DIV/0!'],
  ['=FLOOR(0,0)', 0],
  ['=CEILING.MATH(24.3,5)', 25],
  ['=CEILING.MATH(-8.1,2)', -8],
  ['=CEILING.MATH(-5.5,2,-1)', -6],
  ['=CEILING.MATH(6.7)', 7],
  ['=FLOOR.MATH(24.3,5)', 20],
  ['=FLOOR.MATH(-8.1,2)', -10],
  ['=FLOOR.MATH(-5.5,2,-1)', -4],
  ['=CEILING.PRECISE(-4.1,2)', -4],
  ['=ISO.CEILING(-4.3,-2)', -4],
  ['=ECMA.CEILING(4.3)', 5],
  ['=FLOOR.PRECISE(-3.2,-1)', -4],
  ['=MROUND(10,3)', 9],
  ['=MROUND(-10,-3)', -9],
  ['=MROUND(1.3,0.2)', 1.4],
  ['=MROUND(5,-2)', '#NUM!'],
  ['=MROUND(TRUE,1)', '#VALUE!'],
  ['=EVEN(1.5)', 2],
  ['=EVEN(-1)', -2],
  ['=EVEN(0)', 0],
  ['=ODD(1.5)', 3],
  ['=ODD(0)', 1],
  ['=ODD(-2)', -3],
  ['=MOD(3,2)', 1],
  ['=MOD(-3,2)', 1],
  ['=MOD(3,-2)', -1],
  ['=MOD(3,0)', '#DIV/0!'],
  ['=MOD(1E+20,3)', '#NUM!'],
  ['=QUOTIENT(-10,3)', -3],
  ['=QUOTIENT(5,0)', '#DIV/0!'],
]);

table('powers, logarithms, angles', [
  ['=POWER(5,2)', 25],
  ['=POWER(0,0)', '#NUM!'],
  ['=POWER(0,-1)', '#DIV/0!'],
  ['=POWER(-4,0.5)', '#NUM!'],
  ['=SQRT(-1)', '#NUM!'],
  ['=SQRTPI(2)', 2.506628274631],
  ['=EXP(710)', '#NUM!'],
  ['=LN(0)', '#NUM!'],
  ['=LOG(8,2)', 3],
  ['=LOG(86,2.7182818)', 4.4543473, 1e-7],
  ['=LOG(10,1)', '#DIV/0!'],
  ['=LOG10(100000)', 5],
  ['=DEGREES(PI())', 180],
  ['=RADIANS(270)', 4.71238898038469],
  ['=SIN(134217728)', '#NUM!'],
  ['=ACOS(2)', '#NUM!'],
  ['=ASIN(-0.5)', -0.523598775598299],
  ['=ATAN2(-1,-1)', -2.35619449019234],
  ['=ATAN2(0,0)', '#DIV/0!'],
  ['=ACOT(2)', 0.463647609000806],
  ['=ACOTH(6)', 0.168236118310606],
  ['=ACOTH(1)', '#NUM!'],
  ['=ATANH(1)', '#NUM!'],
  ['=ACOSH(0.5)', '#NUM!'],
  ['=COT(0)', '#DIV/0!'],
  ['=CSC(15)', 1.53778056154085],
  ['=CSCH(1.5)', 0.469642440595224],
  ['=COTH(2)', 1.03731472072755],
  ['=COTH(1E+12)', 1],
  ['=SEC(1)', 1.85081571768093],
  ['=SECH(0)', 1],
  ['=SIGN(-0.5)', -1],
]);

table(
  'whole numbers',
  [
    ['=FACT(5.9)', 120],
    ['=FACT(0)', 1],
    ['=FACT(-1)', '#NUM!'],
    ['=FACT(171)', '#NUM!'],
    ['=FACTDOUBLE(7)', 105],
    ['=FACTDOUBLE(-1)', 1],
    ['=FACTDOUBLE(-2)', '#NUM!'],
    ['=COMBIN(8,2)', 28],
    ['=COMBIN(2,3)', '#NUM!'],
    ['=COMBIN(60,30)', 118264581564861424, 1e4],
    ['=COMBINA(4,3)', 20],
    ['=COMBINA(0,0)', 1],
    ['=COMBINA(0,2)', '#NUM!'],
    ['=GCD(24,36)', 12],
    ['=GCD(7.9,14)', 7],
    ['=GCD(-2)', '#NUM!'],
    ['=GCD(A1:A3)', 6],
    ['=GCD(B1,4)', '#VALUE!'],
    ['=LCM(24,36)', 72],
    ['=LCM(5,0)', 0],
    ['=LCM(,5)', '#N/A'],
    ['=MULTINOMIAL(2,3,4)', 1260],
    ['=MULTINOMIAL(-1)', '#NUM!'],
    ['=BASE(255,16,4)', '00FF'],
    ['=BASE(-1,2)', '#NUM!'],
    ['=BASE(7,37)', '#NUM!'],
    ['=DECIMAL("FF",16)', 255],
    ['=DECIMAL("zap",36)', 45745],
    ['=DECIMAL("12",2)', '#NUM!'],
    ['=ROMAN(499)', 'CDXCIX'],
    ['=ROMAN(499,1)', 'LDVLIV'],
    ['=ROMAN(499,2)', 'XDIX'],
    ['=ROMAN(499,3)', 'VDIV'],
    ['=ROMAN(499,FALSE)', 'ID'],
    ['=ROMAN(0)', ''],
    ['=ROMAN(4000)', '#VALUE!'],
    ['=ARABIC("LVII")', 57],
    ['=ARABIC(" mcmxii ")', 1912],
    ['=ARABIC("-X")', -10],
    ['=ARABIC("")', 0],
    ['=ARABIC("ABC")', '#VALUE!'],
  ],
  { A1: 18, A2: "'30", B1: true },
);

table(
  'sums',
  [
    ['=SUM(A1:A5)', 6],
    ['=SUM(A1:A5,"4",TRUE)', 11],
    ['=SUM(A1:A6)', '#N/A'],
    ['=SUM("x")', '#VALUE!'],
    ['=SUM((A1:A2,A5))', 6],
    ['=SUM({1,"2",TRUE})', 1],
    ['=PRODUCT(A1:A5)', 6],
    ['=PRODUCT(B1:B2)', 0],
    ['=SUMSQ(3,4)', 25],
    ['=SUMSQ(A1:A5)', 14],
    ['=SUMPRODUCT({3,4;8,6;1,9},{2,7;6,7;5,3})', 156],
    ['=SUMPRODUCT(A1:A5,A1:A5)', 14],
    ['=SUMPRODUCT(A1:A2,A1:A3)', '#VALUE!'],
    ['=SUMPRODUCT(A5:A6,{1;0})', '#N/A'],
    ['=SUMPRODUCT((A1:A2>0)*A1:A2)', 3],
    ['=SUMPRODUCT({TRUE,TRUE})', 0],
    ['=SUMX2MY2({2,3,9,1,8,7,5},{6,5,11,7,5,4,4})', -55],
    ['=SUMX2PY2({2,3,9,1,8,7,5},{6,5,11,7,5,4,4})', 521],
    ['=SUMXMY2({2,3,9,1,8,7,5},{6,5,11,7,5,4,4})', 79],
    ['=SUMXMY2({1,2},{1,2,3})', '#N/A'],
    ['=SUMXMY2(A1:A5,{3;2;1;1;1})', 8],
    ['=SERIESSUM(PI()/4,0,2,{1,-0.5,0.0416666666666667,-0.00138888888888889})', 0.707103, 1e-6],
    ['=SERIESSUM(0,0,1,{1,2})', '#NUM!'],
  ],
  { A1: 1, A2: 2, A3: 'text', A4: true, A5: 3, A6: '=NA()' },
);

const fruit = {
  A1: 'Apples',
  A2: 'apricot',
  A3: 'Artichokes',
  A4: 'Bananas',
  A5: '*star',
  A6: null,
  A7: '=""',
  A8: "'5",
  B1: 5,
  B2: 4,
  B3: 15,
  B4: 3,
  B5: 22,
  B6: 12,
  B7: 10,
  B8: 33,
  C1: 1,
  C2: 5,
  C3: '5',
  C4: true,
  C5: '=NA()',
  C6: 7,
};
table(
  'conditions',
  [
    ['=SUMIF(A1:A8,"A*",B1:B8)', 24],
    ['=SUMIF(A1:A8,"?p*",B1:B8)', 9],
    ['=SUMIF(A1:A8,"~*star",B1:B8)', 22],
    ['=SUMIF(A1:A8,"APPLES",B1:B8)', 5],
    ['=SUMIF(A1:A8,"<>Apples",B1:B8)', 99],
    ['=SUMIF(A1:A8,"",B1:B8)', 22],
    ['=SUMIF(A1:A8,"=",B1:B8)', 12],
    ['=SUMIF(A1:A8,"<>",B1:B8)', 92],
    ['=SUMIF(A1:A8,">b",B1:B4)', 3],
    ['=SUMIF(A1:A8,5,B1:B8)', 33],
    ['=SUMIF(B1:B8,">12")', 70],
    ['=SUMIF(B1:B8,">=1.2e1")', 82],
    ['=SUMIF(C1:C6,TRUE,B1:B6)', 3],
    ['=SUMIF(C1:C6,"#N/A",B1:B6)', 22],
    ['=SUMIF(C1:C6,">0",C1)', 18],
    ['=SUMIF(B1:B2,">0",C5)', '#N/A'],
    ['=SUMIF(A1:A8,"A*",B1)', 24],
    ['=SUMIFS(B1:B8,A1:A8,"A*",B1:B8,">4")', 20],
    ['=SUMIFS(B1:B8,A1:A7,"A*")', '#VALUE!'],
    ['=SUMIFS(B1:B8,A1:A8,"zzz")', 0],
    ['=SUM(SUMIF(A1:A8,{"Apples","Bananas"},B1:B8))', 8],
  ],
  fruit,
);

table(
  'arrays',
  [
    ['=MDETERM({1,3,8,5;1,3,6,1;1,1,1,0;7,3,10,2})', 88],
    ['=MDETERM({1,2;2,4})', 0],
    ['=MDETERM({1,2,3})', '#VALUE!'],
    ['=MDETERM(A1:B2)', '#VALUE!'],
    ['=INDEX(MINVERSE({4,-1;2,0}),1,2)', 0.5],
    ['=MINVERSE({1,2;2,4})', '#NUM!'],
    ['=INDEX(MMULT({1,3;7,2},{2,0;0,2}),2,1)', 14],
    ['=MMULT({1,2},{1,2})', '#VALUE!'],
    ['=SUM(MUNIT(3))', 3],
    ['=MUNIT(0)', '#VALUE!'],
  ],
  { A1: 1, B1: 2, A2: 3 },
);

table(
  'chosen statistics',
  [
    ['=SUBTOTAL(9,A1:A5)', 10],
    ['=SUBTOTAL(1,A1:A5)', 2.5],
    ['=SUBTOTAL(102,A1:A5)', 4],
    ['=SUBTOTAL(3,A1:A6)', 6],
    ['=SUBTOTAL(12,A1:A5)', '#VALUE!'],
    ['=SUBTOTAL(9,A1:A6)', '#DIV/0!'],
    ['=SUBTOTAL(7,A1:A4)', 1.29099444873581],
    ['=SUBTOTAL(9,A1:A2,A4)', 7],
    ['=AGGREGATE(9,6,A1:A6)', 10],
    ['=AGGREGATE(9,4,A1:A6)', '#DIV/0!'],
    ['=AGGREGATE(4,6,A1:A6)', 4],
    ['=AGGREGATE(12,6,A1:A6)', 2.5],
    ['=AGGREGATE(14,6,A1:A6,2)', 3],
    ['=AGGREGATE(15,6,A1:A4/(A1:A4>2),1)', 3],
    ['=AGGREGATE(16,6,A1:A6,0.5)', 2.5],
    ['=SUM(AGGREGATE(14,6,A1:A6,{1,2,3}))', 9],
    ['=SUM(AGGREGATE(15,6,A1:A6,A1:A2))', 3],
    ['=SUM(IFERROR(AGGREGATE(17,6,A1:A6,{1;9}),5))', 6.75],
    ['=AGGREGATE(14,6,A1:A6,A2)', 3],
    ['=AGGREGATE(14,4,A1:A6,{1,2})', '#DIV/0!'],
    ['=AGGREGATE(14,6,A1:A6)', '#VALUE!'],
    ['=AGGREGATE(20,6,A1:A6)', '#VALUE!'],
  ],
  { A1: 1, A2: 2, A3: 3, A4: 4, A5: '=""', A6: '=1/0' },
);

describe('totals of totals', () => {
  it('leaves out cells that are totals themselves', () => {
    const wb = book().fill('A1', [
      [1],
      [2],
      ['=SUBTOTAL(9,A1:A2)'],
      [4],
      ['=AGGREGATE(9,0,A4)'],
      ['=SUBTOTAL(9,A1:A5)'],
    ]);
    expect(wb.value('A3')).toBe(3);
    expect(wb.value('A5')).toBe(4);
    expect(wb.value('A6')).toBe(7);
  });
});

describe('chance', () => {
  it('stays within its bounds and follows the seed', () => {
    const wb = book()
      .set('A1', '=RANDBETWEEN(1.2,3.9)')
      .set('A2', '=RAND()')
      .set('A3', '=SUM(RANDARRAY(3,2,5,5,TRUE))');
    expect([2, 3]).toContain(wb.value('A1'));
    const first = wb.value('A2') as number;
    expect(first >= 0 && first < 1).toBe(true);
    expect(wb.value('A3')).toBe(30);
    wb.seed = 2;
    expect(wb.recalc().value('A2')).not.toBe(first);
    wb.seed = 1;
    expect(wb.recalc().value('A2')).toBe(first);
  });

  it('refuses bounds in the wrong order', () => {
    expect(calc('=RANDBETWEEN(3,1)')).toBe('#NUM!');
    expect(calc('=RANDARRAY(2,2,3,1)')).toBe('#VALUE!');
    expect(calc('=RANDARRAY(0,2)')).toBe('#CALC!');
  });
});
