import type { FunctionDef } from './define.ts';
import { betaFunctions } from './distributions/beta.ts';
import { discreteFunctions } from './distributions/discrete.ts';
import { gammaFunctions } from './distributions/gamma.ts';
import { normalFunctions } from './distributions/normal.ts';
import { studentFunctions } from './distributions/student.ts';
import { testFunctions } from './distributions/hypothesis-tests.ts';

export const distributionsFunctions: readonly FunctionDef[] = [
  ...normalFunctions,
  ...studentFunctions,
  ...gammaFunctions,
  ...betaFunctions,
  ...discreteFunctions,
  ...testFunctions,
];
