import { charge } from '../base/budget.ts';
import { foldText, sameScalar } from '../base/compare.ts';
import type { Matrix, Scalar } from '../base/values.ts';

/** Up to this many elements, a linear search is faster than an index. */
const short = 24;

/**
 * For each searched array, a map from value to first position, which makes repeated lookups fast. The map is built at
 * the second search; until then, `undefined` marks an array that was searched once.
 */
const indexes = new WeakMap<Matrix, Map<Scalar, number> | undefined>();

/** Returns the position of the first element equal to `needle` in an array with one row or one column, or -1. */
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

/** Returns a key that is equal for equal values: case-folded text, or the value itself. */
function keyOf(value: Scalar): Scalar {
  return typeof value === 'string' ? foldText(value) : value;
}
