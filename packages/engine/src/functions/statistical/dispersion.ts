import { cellErrors, type CellError } from '../../base/values.ts';
import { define, type Definition } from '../define.ts';
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

/**
 * Returns the sum of the deviations from the mean, each divided by the standard deviation `deviation` and raised to
 * `power`. Skewness uses the power 3 and kurtosis the power 4.
 */
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

export const dispersionFunctions: readonly Definition[] = [
  define('AVEDEV', 'value...', (_call, ...args) => averageDeviation(numbersFrom(args))),
  define('DEVSQ', 'value...', (_call, ...args) => {
    const list = numbersFrom(args);
    return list.length === 0 ? cellErrors.num : squaredDeviations(list);
  }),
  define('VAR.S', 'value...', (_call, ...args) => sampleVariance(numbersFrom(args)), { aliases: ['VAR'] }),
  define('VAR.P', 'value...', (_call, ...args) => populationVariance(numbersFrom(args)), { aliases: ['VARP'] }),
  define('VARA', 'value...', (_call, ...args) => sampleVariance(numbersFromA(args))),
  define('VARPA', 'value...', (_call, ...args) => populationVariance(numbersFromA(args))),
  define('STDEV.S', 'value...', (_call, ...args) => Math.sqrt(sampleVariance(numbersFrom(args))), {
    aliases: ['STDEV'],
  }),
  define('STDEV.P', 'value...', (_call, ...args) => Math.sqrt(populationVariance(numbersFrom(args))), {
    aliases: ['STDEVP'],
  }),
  define('STDEVA', 'value...', (_call, ...args) => Math.sqrt(sampleVariance(numbersFromA(args)))),
  define('STDEVPA', 'value...', (_call, ...args) => Math.sqrt(populationVariance(numbersFromA(args)))),
  define('SKEW', 'value...', (_call, ...args) => sampleSkewness(numbersFrom(args))),
  define('SKEW.P', 'value...', (_call, ...args) => populationSkewness(numbersFrom(args)), { aliases: ['SKEWP'] }),
  define('KURT', 'value...', (_call, ...args) => kurtosis(numbersFrom(args))),
];
