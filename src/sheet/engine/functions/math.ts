import type { FunctionDef } from './define.ts';

export const mathFunctions: readonly FunctionDef[] = [];
