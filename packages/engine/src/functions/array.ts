import { groupFunctions } from './array/group.ts';
import { selectFunctions } from './array/select.ts';
import { shapeFunctions } from './array/shape.ts';
import type { FunctionDef } from './define.ts';

export const arrayFunctions: readonly FunctionDef[] = [...shapeFunctions, ...selectFunctions, ...groupFunctions];
