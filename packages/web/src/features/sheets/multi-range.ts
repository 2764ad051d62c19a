import { singleCellRange, rangesIntersect, type CellRange } from './cell-geometry.ts';

export type AxisName = 'row' | 'col';

export interface AxisRun {
  readonly index: number;
  readonly count: number;
}

export function spanOf(range: CellRange, axis: AxisName): [first: number, last: number] {
  return axis === 'row' ? [range.top, range.bottom] : [range.left, range.right];
}

/** Returns the range with its rows (or columns) replaced by those from `first` to `last`. */
export function withSpan(range: CellRange, axis: AxisName, first: number, last: number): CellRange {
  return axis === 'row' ? { ...range, top: first, bottom: last } : { ...range, left: first, right: last };
}

/**
 * Returns the rows or columns of the ranges as sorted runs of consecutive indexes. Overlapping runs are merged.
 * Adjacent runs are merged only if `joined` is true.
 */
export function axisRuns(ranges: readonly CellRange[], axis: AxisName, joined: boolean): AxisRun[] {
  const runs: { index: number; count: number }[] = [];
  for (const [first, last] of ranges.map((one) => spanOf(one, axis)).toSorted((a, b) => a[0] - b[0])) {
    const open = runs.at(-1);
    const end = open && open.index + open.count;
    if (open && end !== undefined && (joined ? first <= end : first < end))
      open.count = Math.max(open.count, last - open.index + 1);
    else runs.push({ index: first, count: last - first + 1 });
  }
  return runs;
}

/**
 * Returns the rows or columns to insert before each run (consecutive rows or columns), or after it if `after` is true:
 * as many as the run contains. Their positions include the shift by the insertions at earlier runs.
 */
export function insertedRuns(runs: readonly AxisRun[], after: boolean): AxisRun[] {
  let before = 0;
  return runs.map(({ index, count }) => {
    const made = { index: index + before + (after ? count : 0), count };
    before += count;
    return made;
  });
}

interface FillOperation {
  readonly source: CellRange;
  readonly target: CellRange;
}

/**
 * Returns the source and target for filling a range from its first row or column (Ctrl+D, Ctrl+R). A single row or
 * column is filled from the previous one. Returns undefined if there is no previous one.
 */
export function fillFromFirstLine(range: CellRange, axis: AxisName): FillOperation | undefined {
  const [first, last] = spanOf(range, axis);
  const at = first === last ? first - 1 : first;
  if (at < 0) return undefined;
  return { source: withSpan(range, axis, at, at), target: withSpan(range, axis, at + 1, last) };
}

/**
 * Returns the range to paste into. This is the target if its size is a multiple of the source's size and not too large.
 * Otherwise it is the first cell of the target, so that the source is pasted once.
 */
export function fitPasteTarget(source: CellRange, target: CellRange): CellRange {
  const height = source.bottom - source.top + 1;
  const width = source.right - source.left + 1;
  const down = target.bottom - target.top + 1;
  const across = target.right - target.left + 1;
  if (down % height === 0 && across % width === 0 && down * across <= 1_000_000) return target;
  return singleCellRange(target.top, target.left);
}

export function pasteTargetRange(source: CellRange, target: CellRange): CellRange {
  const fit = fitPasteTarget(source, target);
  return {
    ...fit,
    bottom: Math.max(fit.bottom, fit.top + source.bottom - source.top),
    right: Math.max(fit.right, fit.left + source.right - source.left),
  };
}

/**
 * Sorts paste targets so that targets overlapping the source are written last, when the source is not needed anymore.
 */
export function orderPasteTargets(source: CellRange, targets: readonly CellRange[]): CellRange[] {
  const isOnSource = (target: CellRange): boolean => rangesIntersect(source, pasteTargetRange(source, target));
  return [...targets.filter((one) => !isOnSource(one)), ...targets.filter(isOnSource)];
}

/**
 * Cuts runs of rows out of ranges and returns what remains. Used for the rows that filters hide, because a command for
 * a selection is meant for the rows that the user sees.
 */
export function withoutRows(runs: readonly (readonly number[])[], ranges: readonly CellRange[]): CellRange[] {
  return ranges.flatMap((range) => {
    const parts: CellRange[] = [];
    let { top } = range;
    for (const [first = 0, last = 0] of runs) {
      if (last < top || first > range.bottom) continue;
      if (first > top) parts.push({ ...range, top, bottom: first - 1 });
      top = last + 1;
    }
    if (top <= range.bottom) parts.push({ ...range, top });
    return parts;
  });
}
