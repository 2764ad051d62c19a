import type { FunctionDef } from './define.ts';

export const statisticalFunctions: readonly FunctionDef[] = [];
