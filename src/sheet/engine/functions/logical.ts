import type { FunctionDef } from './define.ts';

export const logicalFunctions: readonly FunctionDef[] = [];
