import { describe, expect, it } from 'vitest';
import type { Scalar } from '../../src/base/values.ts';
import { calc } from '../support.ts';

function check(formula: string, expected: number | string, cells: Record<string, Scalar> = {}): void {
  const result = calc(formula, cells);
  if (typeof expected === 'string' || expected === 0) expect(result).toBe(expected);
  else expect((result as number) / expected).toBeCloseTo(1, 12);
}

describe('normal', () => {
  it.each([
    ['=NORM.DIST(42,40,1.5,TRUE)', 0.9087887802741321],
    ['=NORMDIST(42,40,1.5,FALSE)', 0.10934004978399577],
    ['=NORM.DIST(42,40,0,TRUE)', '#NUM!'],
    ['=NORM.S.DIST(-37,TRUE)', 5.725571222524577e-300],
    ['=NORMSDIST(1.333333)', 0.9087887256042123],
    ['=NORM.S.DIST(0,FALSE)', 0.3989422804014327],
    ['=NORM.S.DIST(1.5,"abc")', '#VALUE!'],
    ['=NORM.S.INV(0.9088)', 1.333401745213609],
    ['=NORMSINV(1E-300)', -37.0471],
    ['=NORM.S.INV(0.5)', 0],
    ['=NORM.S.INV(0)', '#NUM!'],
    ['=NORM.S.INV(1)', '#NUM!'],
    ['=NORMINV(0.908789,40,1.5)', 42.00000200956628],
    ['=GAUSS(2)', 0.4772498680518208],
    ['=LOGNORM.DIST(4,3.5,1.2,TRUE)', 0.0390835557068005],
    ['=LOGNORM.DIST(4,3.5,1.2,FALSE)', 0.01761759668181924],
    ['=LOGNORMDIST(4,3.5,1.2)', 0.0390835557068005],
    ['=LOGNORM.DIST(0,3.5,1.2,TRUE)', '#NUM!'],
    ['=LOGINV(0.039084,3.5,1.2)', 4.000025218680635],
    ['=CONFIDENCE(0.05,2.5,50)', 0.6929519121748391],
    ['=CONFIDENCE.T(0.05,1,50)', 0.2841968554957356],
    ['=CONFIDENCE.T(0.05,1,1.9)', '#DIV/0!'],
    ['=CONFIDENCE.NORM(0,1,50)', '#NUM!'],
    ['=CONFIDENCE.NORM(0.05,1,0.9)', '#NUM!'],
  ])('%s', (formula, expected) => {
    if (formula.includes('1E-300')) expect(calc(formula)).toBeCloseTo(expected as number, 4);
    else check(formula, expected);
  });
});

describe('Student', () => {
  it.each([
    ['=T.DIST(60,1,TRUE)', 0.9946953263673741],
    ['=T.DIST(8,3,FALSE)', 0.0007369065209469263],
    ['=T.DIST(0,4,TRUE)', 0.5],
    ['=T.DIST.2T(1.959999998,60)', 0.054644929975920874],
    ['=T.DIST.RT(1.959999998,60)', 0.027322464987960437],
    ['=T.DIST.RT(-1.959999998,60)', 0.9726775350120396],
    ['=T.DIST.2T(-1,60)', '#NUM!'],
    ['=TDIST(1.959999998,60,2)', 0.054644929975920874],
    ['=TDIST(1,60,3)', '#NUM!'],
    ['=TDIST(-1,60,1)', '#NUM!'],
    ['=T.INV(0.75,2)', 0.8164965809277261],
    ['=T.INV(0.25,2.9)', -0.8164965809277261],
    ['=T.INV(0.5,2)', 0],
    ['=T.INV(0,2)', '#NUM!'],
    ['=TINV(0.054645,60)', 1.9599994129833724],
    ['=T.INV.2T(0.546449,60)', 0.606533075825755],
    ['=T.INV.2T(1,60)', 0],
    ['=TINV(0.5,0.5)', '#NUM!'],
  ])('%s', (formula, expected) => check(formula, expected));
});

describe('gamma, chi-squared, exponential, Weibull, Poisson', () => {
  it.each([
    ['=GAMMA.DIST(10.00001131,9,2,FALSE)', 0.03263913041829483],
    ['=GAMMADIST(10.00001131,9,2,TRUE)', 0.06809400386978733],
    ['=GAMMA.DIST(-1,9,2,TRUE)', '#NUM!'],
    ['=GAMMA.DIST(0,1,2,FALSE)', 0.5],
    ['=GAMMA.DIST(0,0.5,2,FALSE)', '#NUM!'],
    ['=GAMMA.INV(0.068094,9,2)', 10.000011191437357],
    ['=GAMMAINV(0,9,2)', 0],
    ['=GAMMAINV(1,9,2)', '#NUM!'],
    ['=GAMMALN(4)', 1.791759469228055],
    ['=GAMMALN.PRECISE(1)', 0],
    ['=GAMMALN(0)', '#NUM!'],
    ['=CHISQ.DIST(0.5,1,TRUE)', 0.5204998778130465],
    ['=CHISQ.DIST(2,3,FALSE)', 0.20755374871029736],
    // By OpenDocument's names.
    ['=CHISQDIST(2,3,FALSE)', 0.20755374871029736],
    ['=CHISQINV(CHISQDIST(2,3,TRUE),3)', 2],
    ['=CHISQ.DIST.RT(18.307,10)', 0.05000058909139811],
    ['=CHIDIST(18.307,10.9)', 0.05000058909139811],
    ['=CHIDIST(-1,10)', '#NUM!'],
    ['=CHIDIST(1,0.9)', '#NUM!'],
    ['=CHISQ.INV(0.93,1)', 3.2830202867594993],
    ['=CHIINV(0.050001,10)', 18.306973456961057],
    ['=CHISQ.INV.RT(1,10)', 0],
    ['=EXPON.DIST(0.2,10,TRUE)', 0.8646647167633873],
    ['=EXPONDIST(0.2,10,FALSE)', 1.353352832366127],
    ['=EXPON.DIST(-0.2,10,TRUE)', '#NUM!'],
    ['=WEIBULL.DIST(105,20,100,TRUE)', 0.9295813900692769],
    ['=WEIBULL(105,20,100,FALSE)', 0.03558886402450435],
    ['=POISSON.DIST(2,5,TRUE)', 0.12465201948308113],
    ['=POISSON(2.9,5,FALSE)', 0.08422433748856833],
    ['=POISSON.DIST(-0.000001,5,TRUE)', '#NUM!'],
    ['=POISSON.DIST(0,0,FALSE)', 1],
    ['=GAMMA.DIST(1E12,1E12,1,TRUE)', 0.5000001329807601],
    ['=POISSON.DIST(1000,1000,TRUE)', 0.5084093671685],
  ])('%s', (formula, expected) => check(formula, expected));
});

describe('beta and F', () => {
  it.each([
    ['=BETA.DIST(2,8,10,TRUE,1,3)', 0.6854705810117458],
    ['=BETA.DIST(2,8,10,FALSE,1,3)', 1.4837646484375],
    ['=BETADIST(2,8,10,1,3)', 0.6854705810117458],
    ['=BETA.DIST(0.5,8,10,TRUE,1,3)', '#NUM!'],
    ['=BETA.DIST(1,8,10,TRUE,1,1)', '#NUM!'],
    ['=BETA.INV(0.685470581,8,10,1,3)', 1.9999999999805234],
    ['=BETAINV(0,8,10)', '#NUM!'],
    ['=BETA.INV(1,8,10)', '#NUM!'],
    ['=F.DIST(15.20686486,6,4,TRUE)', 0.9900000000027],
    ['=F.DIST(15.20686486,6,4,FALSE)', 0.0012237995987608914],
    ['=FDIST(15.20686486,6,4)', 0.0099999999973],
    ['=F.DIST(-1,6,4,TRUE)', '#NUM!'],
    ['=F.INV(0.01,6,4)', 0.10930991412457851],
    ['=F.INV.RT(0.01,6,4)', 15.206864861157529],
    ['=FINV(1,6,4)', 0],
    ['=FINV(0,6,4)', '#NUM!'],
    ['=F.INV(0.5,0.5,4)', '#NUM!'],
  ])('%s', (formula, expected) => {
    const result = calc(formula);
    if (typeof expected === 'string' || expected === 0) expect(result).toBe(expected);
    else expect((result as number) / expected).toBeCloseTo(1, 8);
  });
});

describe('counts of successes', () => {
  it.each([
    ['=BINOM.DIST(6,10,0.5,FALSE)', 0.205078125],
    ['=BINOMDIST(6.9,10.9,0.5,TRUE)', 0.828125],
    ['=BINOM.DIST(11,10,0.5,TRUE)', '#NUM!'],
    ['=BINOM.DIST(-0.5,10,0.5,TRUE)', '#NUM!'],
    ['=BINOM.DIST(0,10,0,FALSE)', 1],
    ['=BINOM.DIST.RANGE(60,0.75,48)', 0.08397496742904767],
    ['=BINOM.DIST.RANGE(60,0.75,45,50)', 0.5236297934718857],
    ['=BINOM.DIST.RANGE(60,0.75,50,45)', '#NUM!'],
    ['=BINOM.INV(6,0.5,0.75)', 4],
    ['=CRITBINOM(6,0.5,0.34375)', 2],
    ['=CRITBINOM(6,0.5,0)', '#NUM!'],
    ['=NEGBINOM.DIST(10,5,0.25,TRUE)', 0.3135140584781766],
    ['=NEGBINOMDIST(10,5,0.25)', 0.05504866037517786],
    ['=NEGBINOM.DIST(10,5,1,TRUE)', '#NUM!'],
    ['=HYPGEOM.DIST(1,4,8,20,TRUE)', 0.46542827657378744],
    ['=HYPGEOMDIST(1,4,8,20)', 0.3632610939112487],
    ['=HYPGEOMDIST(5,4,8,20)', '#NUM!'],
  ])('%s', (formula, expected) => check(formula, expected));
});

describe('tests', () => {
  const cells: Record<string, Scalar> = {};
  [3, 4, 5, 8, 9, 1, 2, 4, 5].forEach((x, i) => (cells[`A${i + 1}`] = x));
  [6, 19, 3, 2, 14, 4, 5, 17, 1].forEach((x, i) => (cells[`B${i + 1}`] = x));
  [3, 6, 7, 8, 6, 5, 4, 2, 1, 9].forEach((x, i) => (cells[`C${i + 1}`] = x));
  [
    [58, 35, 45.35, 47.65],
    [11, 25, 17.56, 18.44],
    [10, 23, 16.09, 16.91],
  ].forEach((row, r) => row.forEach((x, c) => (cells[`${'EFGH'.charAt(c)}${r + 1}`] = x)));
  it.each([
    ['=T.TEST(A1:A9,B1:B9,2,1)', 0.1960157849252823],
    ['=TTEST(A1:A9,B1:B9,1.9,1)', 0.09800789246264117],
    ['=T.TEST(A1:A9,B1:B9,3,1)', '#NUM!'],
    ['=T.TEST(A1:A9,B1:B9,2,4)', '#NUM!'],
    ['=T.TEST(A1:A9,B1:B8,2,1)', '#N/A'],
    ['=T.TEST(A1:A3,A1:A3,2,1)', '#DIV/0!'],
    ['=Z.TEST(C1:C10,4)', 0.09057419685136381],
    ['=ZTEST(C1:C10,6)', 0.863043388748013],
    ['=Z.TEST(C1:C10,4,0)', '#NUM!'],
    ['=F.TEST({6,7,9,15,21},{20,28,31,38,40})', 0.6483178467865696],
    ['=FTEST({6},{20,28})', '#DIV/0!'],
    ['=CHISQ.TEST(E1:F3,G1:H3)', 0.0003081920170083095],
    ['=CHITEST(E1:F3,G1:H2)', '#N/A'],
    ['=CHISQ.TEST({1,2},{0,2})', '#DIV/0!'],
    ['=CHISQ.TEST({1},{1})', '#N/A'],
  ])('%s', (formula, expected) => {
    const result = calc(formula, cells);
    if (typeof expected === 'string') expect(result).toBe(expected);
    else expect((result as number) / expected).toBeCloseTo(1, 8);
  });
});

describe('arguments', () => {
  it.each([
    ['=NORM.DIST("42","40","1.5",1)', 0.9087887802741321],
    ['=POISSON.DIST(2,5,#N/A)', '#N/A'],
    ['=NORM.DIST(42,"x",1.5,TRUE)', '#VALUE!'],
    ['=NORM.S.DIST(A1,TRUE)', 0.5],
    ['=SUM(BINOM.DIST({0,1,2},2,0.5,FALSE))', 1],
  ])('%s', (formula, expected) => check(formula, expected));
});
