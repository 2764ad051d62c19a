import type { FunctionDef } from '../define.ts';

export const smoothingFunctions: readonly FunctionDef[] = [];
