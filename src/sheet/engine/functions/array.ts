import type { FunctionDef } from './define.ts';

export const arrayFunctions: readonly FunctionDef[] = [];
