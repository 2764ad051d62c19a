import { normalCdf } from '../../numerics/normal.ts';
import { cellErrors, type CellError, type Grid, type Value } from '../../base/values.ts';
import { define, type Definition } from '../define.ts';
import { mean, numbersFrom, pairsOf, sampleVariance } from '../statistical/descriptive-statistics.ts';
import { fTails } from './beta.ts';
import { chiTail } from './gamma.ts';
import { tTwoTails } from './student.ts';

function chiTest(actual: Grid, expected: Grid): number | CellError {
  const { rows, cols } = actual;
  if (rows !== expected.rows || cols !== expected.cols || (rows === 1 && cols === 1)) return cellErrors.na;
  const { x, y } = pairsOf(actual, expected);
  if (x.length === 0) return cellErrors.div0;
  let total = 0;
  for (let i = 0; i < x.length; i++) {
    const goal = y[i] as number;
    if (goal === 0) return cellErrors.div0;
    if (goal < 0) return cellErrors.num;
    total += ((x[i] as number) - goal) ** 2 / goal;
  }
  const freedom = rows === 1 ? cols - 1 : cols === 1 ? rows - 1 : (rows - 1) * (cols - 1);
  return chiTail(total, freedom);
}

function fTest(first: readonly number[], second: readonly number[]): number | CellError {
  const a = sampleVariance(first);
  const b = sampleVariance(second);
  if (a === 0 || b === 0) return cellErrors.div0;
  const [left, right] = fTails(a / b, first.length - 1, second.length - 1);
  return Math.min(1, 2 * Math.min(left, right));
}

interface Student {
  readonly t: number;
  readonly freedom: number;
}

function pairedStudent(first: Grid, second: Grid): Student {
  const { x, y } = pairsOf(first, second);
  const differences = x.map((value, i) => value - (y[i] as number));
  const variance = sampleVariance(differences);
  if (variance === 0) throw cellErrors.div0;
  return { t: mean(differences) / Math.sqrt(variance / x.length), freedom: x.length - 1 };
}

function equalVarianceStudent(a: readonly number[], b: readonly number[]): Student {
  const freedom = a.length + b.length - 2;
  const pooled = ((a.length - 1) * sampleVariance(a) + (b.length - 1) * sampleVariance(b)) / freedom;
  if (pooled === 0) throw cellErrors.div0;
  return { t: (mean(a) - mean(b)) / Math.sqrt(pooled * (1 / a.length + 1 / b.length)), freedom };
}

/**
 * Returns the t statistic and the degrees of freedom of Welch's t-test, for samples with unequal variances. These
 * degrees of freedom are in general not a whole number.
 */
function unequalVarianceStudent(a: readonly number[], b: readonly number[]): Student {
  const left = sampleVariance(a) / a.length;
  const right = sampleVariance(b) / b.length;
  if (left + right === 0) throw cellErrors.div0;
  const freedom = (left + right) ** 2 / (left ** 2 / (a.length - 1) + right ** 2 / (b.length - 1));
  return { t: (mean(a) - mean(b)) / Math.sqrt(left + right), freedom };
}

function tTest(first: Grid, second: Grid, tails: number, type: number): number | CellError {
  const count = Math.trunc(tails);
  const kind = Math.trunc(type);
  if ((count !== 1 && count !== 2) || kind < 1 || kind > 3) return cellErrors.num;
  let result: Student;
  if (kind === 1) result = pairedStudent(first, second);
  else {
    const a = numbersFrom([first as Value]);
    const b = numbersFrom([second as Value]);
    result = kind === 2 ? equalVarianceStudent(a, b) : unequalVarianceStudent(a, b);
  }
  return (tTwoTails(result.t, result.freedom) * count) / 2;
}

function zTest(list: readonly number[], x: number, deviation: number | undefined): number | CellError {
  if (list.length === 0) return cellErrors.na;
  if (deviation !== undefined && deviation <= 0) return cellErrors.num;
  const sigma = deviation ?? Math.sqrt(sampleVariance(list));
  if (sigma === 0) return cellErrors.div0;
  return normalCdf(((x - mean(list)) * Math.sqrt(list.length)) / sigma);
}

export const testFunctions: readonly Definition[] = [
  define('CHISQ.TEST', 'array array', (_call, actual, expected) => chiTest(actual, expected), { aliases: ['CHITEST'] }),
  define(
    'F.TEST',
    'array array',
    (_call, first, second) => fTest(numbersFrom([first as Value]), numbersFrom([second as Value])),
    { aliases: ['FTEST'] },
  ),
  define(
    'T.TEST',
    'array array number number',
    (_call, first, second, tails, type) => tTest(first, second, tails, type),
    { aliases: ['TTEST'] },
  ),
  define('Z.TEST', 'value number number?', (_call, list, x, deviation) => zTest(numbersFrom([list]), x, deviation), {
    aliases: ['ZTEST'],
  }),
];
