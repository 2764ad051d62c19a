import type { FunctionDef } from './define.ts';

export const financialFunctions: readonly FunctionDef[] = [];
