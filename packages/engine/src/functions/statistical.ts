import type { FunctionDef } from './define.ts';
import { averageFunctions } from './statistical/averages.ts';
import { countFunctions } from './statistical/counts.ts';
import { orderFunctions } from './statistical/order.ts';
import { pairFunctions } from './statistical/pairs.ts';
import { regressionFunctions } from './statistical/regression.ts';
import { smoothingFunctions } from './statistical/smoothing.ts';
import { spreadFunctions } from './statistical/spread.ts';
import { variousFunctions } from './statistical/various.ts';

export const statisticalFunctions: readonly FunctionDef[] = [
  ...averageFunctions,
  ...countFunctions,
  ...spreadFunctions,
  ...orderFunctions,
  ...pairFunctions,
  ...regressionFunctions,
  ...smoothingFunctions,
  ...variousFunctions,
];
