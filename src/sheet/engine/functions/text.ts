import type { FunctionDef } from './define.ts';

export const textFunctions: readonly FunctionDef[] = [];
