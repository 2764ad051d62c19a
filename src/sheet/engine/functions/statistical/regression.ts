import type { FunctionDef } from '../define.ts';

export const regressionFunctions: readonly FunctionDef[] = [];
