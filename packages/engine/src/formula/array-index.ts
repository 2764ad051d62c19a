import { charge } from '../base/budget.ts';
import { foldText, sameScalar } from '../base/compare.ts';
import type { Matrix, Scalar } from '../base/values.ts';

/** Searching this many elements one by one is cheaper than an index. */
const short = 24;

/** Where each value of an array first stands, once it was searched before: many look-ups in one array are not many walks. */
const indexes = new WeakMap<Matrix, Map<Scalar, number> | undefined>();

/** Position of the first equal element of an array of one row or one column, -1 when there is none. */
export function findInArray(array: Matrix, needle: Scalar): number {
  const { data } = array;
  let index = indexes.get(array);
  if (!index && data.length > short && indexes.has(array)) {
    charge(data.length * 2);
    index = indexOf(data);
    indexes.set(array, index);
  }
  if (index) {
    charge(1);
    return index.get(keyOf(needle)) ?? -1;
  }
  charge(data.length);
  if (data.length > short) indexes.set(array, undefined);
  return data.findIndex((value) => sameScalar(value, needle));
}

function indexOf(data: readonly Scalar[]): Map<Scalar, number> {
  const index = new Map<Scalar, number>();
  data.forEach((value, at) => {
    const key = keyOf(value);
    if (!index.has(key)) index.set(key, at);
  });
  return index;
}

/** Equal values have one key: texts are compared folded, values of other types as they are. */
function keyOf(value: Scalar): Scalar {
  return typeof value === 'string' ? foldText(value) : value;
}
