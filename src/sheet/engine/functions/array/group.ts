import { CellError, ERRORS } from '../../values.ts';
import type { Value } from '../../values.ts';
import { define } from '../define.ts';
import type { FunctionDef } from '../define.ts';
import { eachNumber } from '../numbers.ts';

/** PERCENTOF, GROUPBY and PIVOTBY. */

function sumOf(value: Value): number {
  let sum = 0;
  const error = eachNumber([value], (number) => {
    sum += number;
  });
  if (error instanceof CellError) throw error;
  return sum;
}

export const groupFunctions: readonly FunctionDef[] = [
  define('PERCENTOF', 'array', ['value', 'value'], (_call, part, all) => {
    const whole = sumOf(all);
    return whole === 0 ? ERRORS.div0 : sumOf(part) / whole;
  }),
];
