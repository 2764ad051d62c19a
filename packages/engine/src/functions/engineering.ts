import { cellErrors } from '../base/values.ts';
import { textOf } from '../base/coerce.ts';
import { define, type FunctionDef } from './define.ts';
import { baseFunctions } from './engineering/bases.ts';
import { imaginaryFunctions } from './engineering/imaginary.ts';
import { specialFunctions } from './engineering/special.ts';
import { convertUnits } from './engineering/units.ts';
import { strictNumber } from './strict.ts';

export const engineeringFunctions: readonly FunctionDef[] = [
  ...baseFunctions,
  ...imaginaryFunctions,
  ...specialFunctions,
  define('CONVERT', 'engineering', ['any', 'any', 'any'], (_call, value, from, to) => {
    return convertUnits(strictNumber(value), textOf(from), textOf(to)) ?? cellErrors.na;
  }),
];
