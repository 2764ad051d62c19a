import type { FunctionDef } from './define.ts';

export const distributionsFunctions: readonly FunctionDef[] = [];
