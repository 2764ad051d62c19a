import { describe, expect, it } from 'vitest';
import type { Scalar } from '../../src/base/values.ts';
import { book, calc } from '../support.ts';

type Cells = Record<string, Scalar>;

/** A column of inputs from the first row down. */
function column(letter: string, inputs: readonly Scalar[]): Cells {
  return Object.fromEntries(inputs.map((input, i) => [`${letter}${i + 1}`, input]));
}

const mixed: Cells = { A1: 1, A2: "'5", A3: true, A4: null, A5: 'text', A6: 9 };

describe('which values count', () => {
  it.each([
    // Cells: numbers only. Written in the formula: text and booleans are converted.
    ['=AVERAGE(A1:A6)', 5],
    ['=AVERAGE(A1:A6,"6",TRUE)', 4.25],
    ['=AVERAGE({1,"5",TRUE,9})', 5],
    ['=AVERAGE(A1:A6,"x")', '#VALUE!'],
    ['=AVERAGE(A2:A5)', '#DIV/0!'],
    ['=AVERAGEA(A1:A6)', 2.2],
    ['=AVERAGEA(A4)', '#DIV/0!'],
    ['=AVERAGEA("x")', '#VALUE!'],
    ['=COUNT(A1:A6)', 2],
    ['=COUNT(A1:A6,"7","x",TRUE,1/0)', 4],
    ['=COUNT(1,)', 2],
    ['=COUNTA(A1:A6)', 5],
    ['=COUNTA(A1:A6,1/0,"")', 7],
    ['=COUNTBLANK(A1:A6)', 1],
    ['=MAX(A1:A6)', 9],
    ['=MAX(A2:A5)', 0],
    ['=MAX(A2:A5,-3)', -3],
    ['=MAX(A2:A5,-3,TRUE)', 1],
    ['=MIN(A1:A6,"0.5")', 0.5],
    ['=MAXA(A2:A3)', 1],
    ['=MINA(A1:A6)', 0],
    ['=MEDIAN(A1:A6)', 5],
    ['=MEDIAN(A2:A5)', '#NUM!'],
    ['=LARGE(A1:A6,1)', 9],
    ['=SMALL(TRUE,1)', 1],
    ['=SMALL("Hello",1)', '#VALUE!'],
    ['=STDEV(A1:A6)', 5.656854249492381],
    ['=STDEVA(A1:A6)', 3.8340579025361627],
    ['=VARPA(A1:A6)', 11.76],
  ])('%s', (formula, expected) => {
    const result = calc(formula, mixed);
    if (typeof expected === 'number') expect(result).toBeCloseTo(expected, 12);
    else expect(result).toBe(expected);
  });

  it.each(['AVERAGE', 'MAX', 'MIN', 'MEDIAN', 'STDEV', 'VARP', 'GEOMEAN', 'AVERAGEA', 'DEVSQ', 'SKEW'])(
    '%s passes an error in a cell on',
    (name) => {
      expect(calc(`=${name}(A1:A4)`, { A1: 1, A2: 2, A3: '=1/0', A4: '=NA()' })).toBe('#DIV/0!');
    },
  );

  it('counts empty text as blank and as filled', () => {
    const cells: Cells = { A1: '=""', A2: 1 };
    expect(calc('=COUNTBLANK(A1:A3)', cells)).toBe(2);
    expect(calc('=COUNTA(A1:A3)', cells)).toBe(2);
  });

  it('takes unions of references', () => {
    expect(calc('=MEDIAN((A1:A2,C1))', { A1: 1, A2: 2, C1: 9 })).toBe(2);
    expect(calc('=LARGE((A1:A2,C1),1)', { A1: 1, A2: 2, C1: 9 })).toBe(9);
  });
});

describe('criteria', () => {
  const cells: Cells = {
    ...column('A', ['apple', 'Pear', 'apple', 'plum', null, '=1/0']),
    ...column('B', [1, 2, 3, 4, 5, 6]),
    ...column('C', [10, true, 30, '40', 50, 60]),
  };
  it.each([
    ['=COUNTIF(A1:A6,"APPLE")', 2],
    ['=COUNTIF(A1:A6,"p*")', 2],
    ['=COUNTIF(A1:A6,"<>apple")', 4],
    ['=COUNTIF(A1:A6,"")', 1],
    ['=COUNTIF(A1:A6,#DIV/0!)', 1],
    ['=COUNTIFS(A1:A6,"apple",B1:B6,">1")', 1],
    ['=COUNTIFS(A1:A6,"apple",B1:B5,">1")', '#VALUE!'],
    ['=AVERAGEIF(A1:A6,"apple",B1:B6)', 2],
    ['=AVERAGEIF(A1:A6,"apple",B1)', 2],
    ['=AVERAGEIF(B1:B6,">4")', 5.5],
    ['=AVERAGEIF(A1:A6,"kiwi",B1:B6)', '#DIV/0!'],
    ['=AVERAGEIF(B1:B6,2,C1:C6)', '#DIV/0!'],
    ['=AVERAGEIFS(C1:C6,B1:B6,">=3",B1:B6,"<6")', 40],
    ['=AVERAGEIFS(C1:C5,B1:B6,">=3")', '#VALUE!'],
    ['=AVERAGEIFS(A1:A6,B1:B6,6)', '#DIV/0!'],
    ['=MAXIFS(B1:B6,A1:A6,"apple")', 3],
    ['=MINIFS(B1:B6,A1:A6,"apple")', 1],
    ['=MAXIFS(B1:B6,A1:A6,"kiwi")', 0],
  ])('%s', (formula, expected) => {
    expect(calc(formula, cells)).toBe(expected);
  });

  it('tells a number from text that reads as one only when it excludes', () => {
    const numbers: Cells = { A1: 23, A2: "'23", A3: 1 };
    expect(calc('=COUNTIF(A1:A3,23)', numbers)).toBe(2);
    expect(calc('=COUNTIF(A1:A3,"<>23")', numbers)).toBe(2);
  });
});

describe('order', () => {
  const cells = column('A', [3, 5, 3, 5, 4, 4, 2, 4, 6, 7]);
  it.each([
    ['=LARGE(A1:A10,3)', 5],
    ['=LARGE(A1:A10,2.1)', 5],
    ['=LARGE(A1:A10,0.9)', '#NUM!'],
    ['=SMALL(A1:A10,11)', '#NUM!'],
    ['=PERCENTILE({1,2,3,4},0.3)', 1.9],
    ['=PERCENTILE.INC({1,2,3,4},1.01)', '#NUM!'],
    ['=PERCENTILE.EXC({6,7,15,36,39,40,41,42,43,47,49},0.25)', 15],
    ['=PERCENTILE.EXC({1,2,3},0.2)', '#NUM!'],
    ['=QUARTILE({1,2,4,7,8,9,10,12},1.9)', 3.5],
    ['=QUARTILE({1,2},5)', '#NUM!'],
    ['=QUARTILE.EXC({6,7,15,36,39,40,41,42,43,47,49},3)', 43],
    ['=QUARTILE.EXC({1,2,3},0)', '#NUM!'],
    ['=PERCENTRANK({13,12,11,8,4,3,2,1,1,1},2)', 0.333],
    ['=PERCENTRANK.INC({13,12,11,8,4,3,2,1,1,1},4)', 0.555],
    ['=PERCENTRANK.INC({13,12,11,8,4,3,2,1,1,1},5)', 0.583],
    ['=PERCENTRANK.EXC({1,2,3,6,6,6,7,8,9},7)', 0.7],
    ['=PERCENTRANK.EXC({1,2,3,6,6,6,7,8,9},5.43)', 0.381],
    ['=PERCENTRANK({1,2,3},4)', '#N/A'],
    ['=PERCENTRANK({1,2,3},2,0)', '#NUM!'],
    ['=RANK(4,A1:A10)', 5],
    ['=RANK(4,A1:A10,1)', 4],
    ['=RANK.AVG(4,A1:A10)', 6],
    ['=RANK(99,A1:A10)', '#N/A'],
    ['=TRIMMEAN({4,5,6,7,2,3,4,5,1,2,3},0.2)', 3.7777777777777777],
    ['=TRIMMEAN({1,2},1)', '#NUM!'],
    ['=MODE({5.6,4,4,3,2,4})', 4],
    ['=MODE({1,2,3})', '#N/A'],
    ['=SUM(MODE.MULT({1,2,3,4,3,2,1,2,3,5,6,1}))', 6],
  ])('%s', (formula, expected) => {
    const result = calc(formula, cells);
    if (typeof expected === 'number') expect(result).toBeCloseTo(expected, 12);
    else expect(result).toBe(expected);
  });

  it('counts per bin in the order the bins are written', () => {
    const wb = book();
    wb.fill('A1', [[79], [85], [78], [85], [50], [81], [95], [88], [97]]);
    wb.fill('B1', [[89], [70], [79]]).set('D1', '=FREQUENCY(A1:A9,B1:B3)');
    expect(['D1', 'D2', 'D3', 'D4'].map((cell) => wb.value(cell))).toEqual([4, 1, 2, 2]);
  });
});

describe('spread and shape', () => {
  it.each([
    ['=AVEDEV(4,5,6,7,5,4,3)', 1.0204081632653061],
    ['=DEVSQ(4,5,8,7,11,4,3)', 48],
    ['=DEVSQ(A1)', '#NUM!'],
    ['=STDEV.S(1345,1301,1368,1322,1310,1370,1318,1350,1303,1299)', 27.463915719843495],
    ['=STDEV.P(1345,1301,1368,1322,1310,1370,1318,1350,1303,1299)', 26.054558142482477],
    ['=VAR(1345,1301,1368,1322,1310,1370,1318,1350,1303,1299)', 754.2666666666667],
    ['=VAR(1000000001,1000000002,1000000003)', 1],
    ['=STDEV(1)', '#DIV/0!'],
    ['=STDEVP(1)', 0],
    ['=SKEW(3,4,5,2,3,4,5,6,4,7)', 0.3595430714067974],
    ['=SKEW.P(3,4,5,2,3,4,5,6,4,7)', 0.3031933393541437],
    ['=SKEWP(3,4,5,2,3,4,5,6,4,7)', 0.3031933393541437],
    ['=SKEW(1,2)', '#DIV/0!'],
    ['=KURT(3,4,5,2,3,4,5,6,4,7)', -0.15179963720841627],
    ['=KURT(1,2,3)', '#DIV/0!'],
    ['=GEOMEAN(4,5,8,7,11,4,3)', 5.476986969656962],
    ['=GEOMEAN(1,0)', '#NUM!'],
    ['=HARMEAN(4,5,8,7,11,4,3)', 5.028375962061728],
    ['=STANDARDIZE(42,40,1.5)', 1.3333333333333333],
    ['=STANDARDIZE(42,40,0)', '#NUM!'],
    ['=FISHER(0.75)', 0.9729550745276566],
    ['=FISHER(1)', '#NUM!'],
    ['=FISHERINV(0.972955)', 0.7499999673941236],
    ['=GAMMA(2.5)', 1.329340388179137],
    ['=GAMMA(-3.75)', 0.2678661288614166],
    ['=GAMMA(-2)', '#NUM!'],
    ['=GAMMA(171)', 7.257415615307994e306],
    ['=GAMMA(172)', '#NUM!'],
    ['=PHI(0.75)', 0.30113743215480443],
    ['=PERMUT(100,3)', 970200],
    ['=PERMUT(3,2.9)', 6],
    ['=PERMUT(2,3)', '#NUM!'],
    ['=PERMUTATIONA(3,2)', 9],
    ['=PROB({0,1,2,3},{0.2,0.3,0.1,0.4},2)', 0.1],
    ['=PROB({0,1,2,3},{0.2,0.3,0.1,0.4},1,3)', 0.8],
    ['=PROB({0,1},{0.2,0.3},1)', '#NUM!'],
    ['=PROB({0,1},{1},1)', '#N/A'],
  ])('%s', (formula, expected) => {
    const result = calc(formula);
    if (typeof expected === 'string') expect(result).toBe(expected);
    else expect((result as number) / (expected || 1)).toBeCloseTo(expected === 0 ? 0 : 1, 13);
  });
});

describe('pairs', () => {
  const cells: Cells = { ...column('A', [3, 2, 4, 5, 6]), ...column('B', [9, 7, 12, 15, 17]) };
  it.each([
    ['=CORREL(A1:A5,B1:B5)', 0.9970544855015816],
    ['=PEARSON({9,7,5,3,1},{10,6,1,5,3})', 0.6993786061802354],
    ['=RSQ({2,3,9,1,8,7,5},{6,5,11,7,5,4,4})', 0.05795019157088122],
    ['=COVAR(A1:A5,B1:B5)', 5.2],
    ['=COVARIANCE.S({2,4,8},{5,11,12})', 9.666666666666666],
    ['=SLOPE({2,3,9,1,8,7,5},{6,5,11,7,5,4,4})', 0.3055555555555556],
    ['=INTERCEPT({2,3,9,1,8},{6,5,11,7,5})', 0.04838709677419217],
    ['=STEYX({2,3,9,1,8,7,5},{6,5,11,7,5,4,4})', 3.305718950210041],
    ['=FORECAST(30,{6,7,9,15,21},{20,28,31,38,40})', 10.607253086419755],
    ['=CORREL(A1:A5,B1:B4)', '#N/A'],
    ['=CORREL({1,2},{3,3})', '#DIV/0!'],
    ['=SLOPE({1},{1})', '#DIV/0!'],
    ['=STEYX({1,2},{1,2})', '#DIV/0!'],
    ['=COVARIANCE.S({1},{1})', '#DIV/0!'],
  ])('%s', (formula, expected) => {
    const result = calc(formula, cells);
    if (typeof expected === 'number') expect(result).toBeCloseTo(expected, 13);
    else expect(result).toBe(expected);
  });

  it('leaves out a pair that lacks a number, shapes may differ', () => {
    expect(calc('=SLOPE(A1:A4,B1:B4)', { A1: 1, A2: 'x', A3: 3, A4: 4, B1: 2, B2: 100, B3: 6, B4: 8 })).toBe(0.5);
    expect(calc('=CORREL({1,2,3},{1;2;3})')).toBe(1);
  });
});

describe('regression', () => {
  /** The office buildings of Excel's own help. */
  const offices = [
    [2310, 2, 2, 20, 142000],
    [2333, 2, 2, 12, 144000],
    [2356, 3, 1.5, 33, 151000],
    [2379, 3, 2, 43, 150000],
    [2402, 2, 3, 53, 139000],
    [2425, 4, 2, 23, 169000],
    [2448, 2, 1.5, 99, 126000],
    [2471, 2, 2, 34, 142900],
    [2494, 3, 3, 23, 163000],
    [2517, 4, 4, 55, 169000],
    [2540, 2, 3, 22, 149000],
  ];

  it('gives the whole table of LINEST', () => {
    const wb = book().fill('A1', offices).set('G1', '=LINEST(E1:E11,A1:D11,TRUE,TRUE)');
    const expected = [
      [-234.2371645, 2553.21066, 12529.76817, 27.64138737, 52317.83051],
      [13.26801148, 530.6691519, 400.0668382, 5.429374042, 12237.3616],
      [0.996747993, 970.5784629],
      [459.7536742, 6],
      [1732393319, 5652135.316],
    ];
    expected.forEach((row, r) =>
      row.forEach((value, c) => {
        expect((wb.value(`${'GHIJK'.charAt(c)}${r + 1}`) as number) / value).toBeCloseTo(1, 8);
      }),
    );
    expect(wb.value('I3')).toBe('#N/A');
  });

  it('predicts with several variables', () => {
    const wb = book()
      .fill('A1', offices)
      .fill('A12', [[2500, 3, 2, 25]])
      .set('G1', '=TREND(E1:E11,A1:D11,A12:D12)');
    expect(wb.value('G1')).toBeCloseTo(158261.0956, 3);
  });

  it('drops a column that depends on the others', () => {
    const wb = book()
      .fill('A1', [
        [1, 2, 3],
        [2, 4, 5],
        [3, 6, 7],
        [4, 8, 9],
      ])
      .set('E1', '=LINEST(C1:C4,A1:B4)');
    expect(wb.value('E1')).toBe(0);
    expect(wb.value('F1')).toBeCloseTo(2, 12);
    expect(wb.value('G1')).toBeCloseTo(1, 12);
  });

  it.each([
    ['=INDEX(LINEST({1,9,5,7},{0,4,2,3}),1)', 2],
    ['=INDEX(LINEST({1,9,5,7},{0,4,2,3}),2)', 1],
    ['=SUM(LINEST({3100,4500,4400,5400,7500,8100},{1,2,3,4,5,6})*{9,1})', 11000],
    ['=INDEX(LINEST({2,4,6},,FALSE),1)', 2],
    ['=INDEX(LOGEST({33100,47300,69000,102000,150000,220000},{11,12,13,14,15,16}),1)', 1.463275628],
    ['=INDEX(GROWTH({33100,47300,69000,102000,150000,220000},{11,12,13,14,15,16},{17,18}),2)', 468536.0542],
    ['=GROWTH({1,-2,3})', '#NUM!'],
    ['=LINEST({1,2,3},{1,2})', '#REF!'],
    ['=LINEST({1,"x",3})', '#VALUE!'],
  ])('%s', (formula, expected) => {
    const result = calc(formula);
    if (typeof expected === 'string') expect(result).toBe(expected);
    else expect((result as number) / expected).toBeCloseTo(1, 8);
  });
});

describe('exponential smoothing', () => {
  /** A straight line with a pattern of four added. */
  const wb = book();
  for (let i = 0; i < 24; i++)
    wb.set(`A${i + 1}`, i + 1).set(`B${i + 1}`, 10 + 2 * i + ([5, -5, 8, -8][i % 4] as number));

  it('finds the period and goes on with the pattern', () => {
    wb.set('D1', '=FORECAST.ETS.SEASONALITY(B1:B24,A1:A24)').set('D2', '=FORECAST.ETS(A24+1,B1:B24,A1:A24)');
    wb.set('D3', '=FORECAST.ETS(28,B1:B24,A1:A24,4)').set('D4', '=FORECAST.ETS.STAT(B1:B24,A1:A24,8)');
    expect(wb.value('D1')).toBe(4);
    expect(wb.value('D2')).toBeCloseTo(63, 6);
    expect(wb.value('D3')).toBeCloseTo(56, 6);
    expect(wb.value('D4')).toBe(1);
  });

  it('is straight without a season and fills gaps', () => {
    expect(calc('=FORECAST.ETS(7,{1,2,4,5,6},{1,2,4,5,6},0)')).toBeCloseTo(7, 6);
    expect(calc('=FORECAST.ETS.CONFINT(8,{1,2,3,4,5},{1,2,3,4,5},0.95,0)')).toBeCloseTo(0, 6);
  });

  it('counts months where days are uneven', () => {
    const line = '=FORECAST.ETS(DATE(2024,7,1),{1,2,3,4,5,6},{45292,45323,45352,45383,45413,45444},0)';
    expect(calc(line)).toBeCloseTo(7, 6);
  });

  it.each([
    ['=FORECAST.ETS(3,{1,2,3,4},{1,2,3,4})', '#NUM!'],
    ['=FORECAST.ETS(9,{1,2,3},{1,2})', '#N/A'],
    ['=FORECAST.ETS(9,{1,2,3},{1,2,3.5})', '#NUM!'],
    ['=FORECAST.ETS(9,{1,2,3,4},{1,2,3,4},9000)', '#NUM!'],
    ['=FORECAST.ETS.CONFINT(9,{1,2,3,4},{1,2,3,4},1)', '#NUM!'],
    ['=FORECAST.ETS.STAT({1,2,3,4},{1,2,3,4},9)', '#NUM!'],
  ])('%s', (formula, expected) => {
    expect(calc(formula)).toBe(expected);
  });
});

describe('[finding T12] an argument of LINEST or LOGEST that is left empty is one left out', () => {
  it.each([
    ['=ROUND(INDEX(LINEST({1,9,5,7},{0,4,2,3},,TRUE),1,2),9)', 1],
    ['=ROUND(INDEX(LINEST({1,9,5,7},{0,4,2,3},,),1,2),9)', 1],
    ['=INDEX(LINEST({1,9,5,7},{0,4,2,3},FALSE),1,2)', 0],
    ['=ROUND(INDEX(LOGEST({4,8,16,32},{1,2,3,4},,TRUE),1,2),9)', 2],
    ['=ROUND(INDEX(LOGEST({4,8,16,32},{1,2,3,4},FALSE),1,2),9)', 1],
  ])('%s', (formula, expected) => {
    expect(calc(formula)).toBe(expected);
  });
});

describe('[finding T7] conditions that give arrays', () => {
  const cells = { ...column('A', ['x', 'y', 'x', 'x']), ...column('B', [3, 4, 3, 9]), ...column('C', [1, 2, 4, 8]) };
  it.each([
    ['=SUM(--(FREQUENCY(IF(A1:A4="x",B1:B4),B1:B4)>0))', 2],
    ['=SUM(--(FREQUENCY(IF(A1:A4="x",MATCH(B1:B4,B1:B4,0)),ROW(A1:A4)-ROW(A1)+1)>0))', 2],
    ['=SUMPRODUCT(SUMIFS(C1:C4,A1:A4,{"x","y"},B1:B4,">=3"))', 15],
    ['=SUMPRODUCT(SUMIFS(C1:C4,A1:A4,{"x","y"},B1:B4,{3;9}))', 13],
    ['=SUMPRODUCT(SUBTOTAL(9,OFFSET(C1,ROW(1:4)-1,0)))', 15],
    ['=SUMPRODUCT((A1:A4="x")*SUBTOTAL(3,OFFSET(C1,ROW(C1:C4)-ROW(C1),0,1)))', 3],
    ['=SUM(COUNTIF(INDIRECT({"A1:A2","A3:A4"}),"x"))', 3],
  ])('%s', (formula, expected) => {
    expect(calc(formula, cells)).toBe(expected);
  });
});
