import type { FunctionDef } from './define.ts';

export const dateFunctions: readonly FunctionDef[] = [];
