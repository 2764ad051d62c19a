import { dayFunctions } from './date/dates.ts';
import { timeFunctions } from './date/times.ts';
import { workdayFunctions } from './date/workdays.ts';
import type { FunctionDef } from './define.ts';

export const dateFunctions: readonly FunctionDef[] = [...dayFunctions, ...timeFunctions, ...workdayFunctions];
