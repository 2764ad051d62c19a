import type { FunctionDef } from './define.ts';

export const databaseFunctions: readonly FunctionDef[] = [];
