import type { FunctionDef } from './define.ts';

export const engineeringFunctions: readonly FunctionDef[] = [];
