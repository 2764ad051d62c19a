import type { FunctionDef } from './define.ts';

export const informationFunctions: readonly FunctionDef[] = [];
