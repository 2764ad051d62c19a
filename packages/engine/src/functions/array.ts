import { groupFunctions } from './array/group.ts';
import { filterSortFunctions } from './array/filter-sort.ts';
import { shapeFunctions } from './array/shape.ts';
import type { FunctionDef } from './define.ts';

export const arrayFunctions: readonly FunctionDef[] = [...shapeFunctions, ...filterSortFunctions, ...groupFunctions];
