import { maxCols, maxRows } from '../../base/grid-size.ts';
import { cellErrors, Matrix } from '../../base/values.ts';
import type { CallContext } from '../call-context.ts';
import { define, type Definition } from '../define.ts';

/** Returns a random integer from `low` to `high`, both inclusive. */
function randomWhole(call: CallContext, low: number, high: number): number {
  return low + Math.floor(call.random() * (high - low + 1));
}

const volatile = { volatile: true };

export const randomFunctions: readonly Definition[] = [
  define('RAND', '', (call) => call.random(), volatile),
  define(
    'RANDBETWEEN',
    'number number',
    (call, bottom, top) => {
      const [low, high] = [Math.ceil(bottom), Math.floor(top)];
      return low > high ? cellErrors.num : randomWhole(call, low, high);
    },
    volatile,
  ),
  define(
    'RANDARRAY',
    'number? number? number? number? logical?',
    (call, rows = 1, cols = 1, min = 0, max = 1, whole = false) => {
      const [height, width] = [Math.trunc(rows), Math.trunc(cols)];
      if (height < 0 || width < 0 || min > max) return cellErrors.value;
      if (height === 0 || width === 0) return cellErrors.calc;
      if (height > maxRows || width > maxCols || height * width > 2 ** 22) return cellErrors.value;
      if (whole && !(Number.isInteger(min) && Number.isInteger(max))) return cellErrors.value;
      call.budget.spend(height * width);
      const next = whole ? () => randomWhole(call, min, max) : () => min + call.random() * (max - min);
      return Matrix.build(height, width, next);
    },
    volatile,
  ),
];
