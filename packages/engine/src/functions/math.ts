import type { FunctionDef } from './define.ts';
import { conditionalSumFunctions } from './math/conditional-sums.ts';
import { elementaryFunctions } from './math/elementary.ts';
import { integerFunctions } from './math/integers.ts';
import { matrixFunctions } from './math/matrices.ts';
import { randomFunctions } from './math/random.ts';
import { roundingFunctions } from './math/rounding.ts';
import { sumFunctions } from './math/sums.ts';
import { subtotalFunctions } from './math/subtotal.ts';

export const mathFunctions: readonly FunctionDef[] = [
  ...elementaryFunctions,
  ...roundingFunctions,
  ...integerFunctions,
  ...sumFunctions,
  ...conditionalSumFunctions,
  ...subtotalFunctions,
  ...matrixFunctions,
  ...randomFunctions,
];
