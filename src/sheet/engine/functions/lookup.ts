import type { FunctionDef } from './define.ts';

export const lookupFunctions: readonly FunctionDef[] = [];
