import type { FunctionDef } from './define.ts';
import { averageFunctions } from './statistical/averages.ts';
import { countFunctions } from './statistical/counts.ts';
import { orderStatisticFunctions } from './statistical/order-statistics.ts';
import { correlationFunctions } from './statistical/correlation.ts';
import { regressionFunctions } from './statistical/regression.ts';
import { smoothingFunctions } from './statistical/exponential-smoothing.ts';
import { dispersionFunctions } from './statistical/dispersion.ts';
import { probabilityFunctions } from './statistical/probability.ts';

export const statisticalFunctions: readonly FunctionDef[] = [
  ...averageFunctions,
  ...countFunctions,
  ...dispersionFunctions,
  ...orderStatisticFunctions,
  ...correlationFunctions,
  ...regressionFunctions,
  ...smoothingFunctions,
  ...probabilityFunctions,
];
