import type { FunctionDef } from './define.ts';

export const lambdaFunctions: readonly FunctionDef[] = [];
