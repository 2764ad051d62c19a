import { cellErrors } from '../base/values.ts';
import { textOf } from '../base/coerce.ts';
import { define, type FunctionDef } from './define.ts';
import { numberBaseFunctions } from './engineering/number-bases.ts';
import { complexFunctions } from './engineering/complex-functions.ts';
import { specialFunctions } from './engineering/special.ts';
import { convertUnits } from './engineering/units.ts';
import { strictNumber } from './toolpak-arguments.ts';

export const engineeringFunctions: readonly FunctionDef[] = [
  ...numberBaseFunctions,
  ...complexFunctions,
  ...specialFunctions,
  define('CONVERT', 'engineering', ['any', 'any', 'any'], (_call, value, from, to) => {
    return convertUnits(strictNumber(value), textOf(from), textOf(to)) ?? cellErrors.na;
  }),
];
