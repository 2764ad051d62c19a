import { CellError, cellErrors, RangeRef, type Grid, type Scalar } from '../../base/values.ts';
import type { CallContext } from '../call-context.ts';
import { define, type Definition } from '../define.ts';
import { splitPairs } from '../statistical/counts.ts';

/** Returns the range to sum, resized to the size of the tested range: only the top left cell of `target` matters. */
function alignedRange(call: CallContext, tested: Grid, target: Grid | undefined): Grid | CellError {
  if (target === undefined) return tested;
  if (target.rows === tested.rows && target.cols === tested.cols) return target;
  if (!(target instanceof RangeRef)) return cellErrors.value;
  return call.rectangle(target, target.top, target.left, tested.rows, tested.cols);
}

function sumMatching(
  call: CallContext,
  ranges: readonly Grid[],
  criteria: readonly Scalar[],
  target: Grid,
): number | CellError {
  let total = 0;
  let failed: CellError | undefined;
  const mismatch = call.eachMatching(ranges, criteria, (row, col) => {
    const value = target.at(row, col);
    if (typeof value === 'number') total += value;
    else if (failed === undefined && value instanceof CellError) failed = value;
  });
  return mismatch ?? failed ?? total;
}

export const conditionalSumFunctions: readonly Definition[] = [
  define('SUMIF', 'grid any grid?', (call, tested, criterion, target) => {
    const summed = alignedRange(call, tested, target);
    return summed instanceof CellError ? summed : sumMatching(call, [tested], [criterion], summed);
  }),
  define('SUMIFS', 'grid grid... any...', (call, target, ...pairs) => {
    const { ranges, criteria } = splitPairs(pairs);
    for (const range of ranges) if (range.rows !== target.rows || range.cols !== target.cols) return cellErrors.value;
    return sumMatching(call, ranges, criteria, target);
  }),
];
