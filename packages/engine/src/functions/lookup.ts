import type { FunctionDef } from './define.ts';
import { matchFunctions } from './lookup/match.ts';
import { referenceFunctions } from './lookup/reference.ts';

export const lookupFunctions: readonly FunctionDef[] = [...matchFunctions, ...referenceFunctions];
