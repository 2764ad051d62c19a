import type { FunctionDef } from './define.ts';
import { conditionalFunctions } from './math/conditional.ts';
import { elementaryFunctions } from './math/elementary.ts';
import { integerFunctions } from './math/integers.ts';
import { matrixFunctions } from './math/matrices.ts';
import { randomFunctions } from './math/random.ts';
import { roundingFunctions } from './math/rounding.ts';
import { sumFunctions } from './math/sums.ts';
import { totalFunctions } from './math/totals.ts';

export const mathFunctions: readonly FunctionDef[] = [
  ...elementaryFunctions,
  ...roundingFunctions,
  ...integerFunctions,
  ...sumFunctions,
  ...conditionalFunctions,
  ...totalFunctions,
  ...matrixFunctions,
  ...randomFunctions,
];
