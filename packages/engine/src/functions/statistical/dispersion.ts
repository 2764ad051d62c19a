import { cellErrors, type CellError } from '../../base/values.ts';
import { define, type FunctionDef } from '../define.ts';
import {
  mean,
  numbersFrom,
  numbersFromA,
  populationVariance,
  sampleVariance,
  squaredDeviations,
} from './descriptive-statistics.ts';

function averageDeviation(list: readonly number[]): number | CellError {
  if (list.length === 0) return cellErrors.num;
  const center = mean(list);
  let total = 0;
  for (const value of list) total += Math.abs(value - center);
  return total / list.length;
}

/** Sum of the deviations from the mean, each divided by `deviation` and raised to `power`. */
function standardisedPowers(list: readonly number[], deviation: number, power: number): number {
  const center = mean(list);
  let total = 0;
  for (const value of list) total += ((value - center) / deviation) ** power;
  return total;
}

function sampleSkewness(list: readonly number[]): number | CellError {
  const n = list.length;
  if (n < 3) return cellErrors.div0;
  const deviation = Math.sqrt(sampleVariance(list));
  if (deviation === 0) return cellErrors.div0;
  return (n / ((n - 1) * (n - 2))) * standardisedPowers(list, deviation, 3);
}

function populationSkewness(list: readonly number[]): number | CellError {
  if (list.length < 3) return cellErrors.div0;
  const deviation = Math.sqrt(populationVariance(list));
  if (deviation === 0) return cellErrors.div0;
  return standardisedPowers(list, deviation, 3) / list.length;
}

function kurtosis(list: readonly number[]): number | CellError {
  const n = list.length;
  if (n < 4) return cellErrors.div0;
  const deviation = Math.sqrt(sampleVariance(list));
  if (deviation === 0) return cellErrors.div0;
  const scale = (n * (n + 1)) / ((n - 1) * (n - 2) * (n - 3));
  return scale * standardisedPowers(list, deviation, 4) - (3 * (n - 1) ** 2) / ((n - 2) * (n - 3));
}

export const dispersionFunctions: readonly FunctionDef[] = [
  define('AVEDEV', 'statistical', ['value...'], (_call, ...args) => averageDeviation(numbersFrom(args))),
  define('DEVSQ', 'statistical', ['value...'], (_call, ...args) => {
    const list = numbersFrom(args);
    return list.length === 0 ? cellErrors.num : squaredDeviations(list);
  }),
  define('VAR.S', 'statistical', ['value...'], (_call, ...args) => sampleVariance(numbersFrom(args)), {
    aliases: ['VAR'],
  }),
  define('VAR.P', 'statistical', ['value...'], (_call, ...args) => populationVariance(numbersFrom(args)), {
    aliases: ['VARP'],
  }),
  define('VARA', 'statistical', ['value...'], (_call, ...args) => sampleVariance(numbersFromA(args))),
  define('VARPA', 'statistical', ['value...'], (_call, ...args) => populationVariance(numbersFromA(args))),
  define('STDEV.S', 'statistical', ['value...'], (_call, ...args) => Math.sqrt(sampleVariance(numbersFrom(args))), {
    aliases: ['STDEV'],
  }),
  define('STDEV.P', 'statistical', ['value...'], (_call, ...args) => Math.sqrt(populationVariance(numbersFrom(args))), {
    aliases: ['STDEVP'],
  }),
  define('STDEVA', 'statistical', ['value...'], (_call, ...args) => Math.sqrt(sampleVariance(numbersFromA(args)))),
  define('STDEVPA', 'statistical', ['value...'], (_call, ...args) => Math.sqrt(populationVariance(numbersFromA(args)))),
  define('SKEW', 'statistical', ['value...'], (_call, ...args) => sampleSkewness(numbersFrom(args))),
  define('SKEW.P', 'statistical', ['value...'], (_call, ...args) => populationSkewness(numbersFrom(args)), {
    aliases: ['SKEWP'],
  }),
  define('KURT', 'statistical', ['value...'], (_call, ...args) => kurtosis(numbersFrom(args))),
];
