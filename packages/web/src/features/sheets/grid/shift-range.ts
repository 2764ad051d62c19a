import type { Cell, CellRange } from '../cell-geometry.ts';
import { spanOf, withSpan } from '../multi-range.ts';
import type { AxisShift } from '../revision.ts';

type LineShift = Omit<AxisShift, 'sheet_id'>;

export function shiftsOfSheet(
  revision: { readonly shifts: readonly AxisShift[] },
  sheetId: string,
): readonly AxisShift[] {
  return revision.shifts.filter((one) => one.sheet_id === sheetId);
}

function shiftIndex(index: number, { at, count, to }: LineShift): number {
  if (to !== undefined) {
    const target = to > at ? to - count : to;
    if (index >= at && index < at + count) return index - at + target;
    const without = index < at ? index : index - count;
    return without < target ? without : without + count;
  }
  if (index < at) return index;
  return count > 0 ? index + count : Math.max(at, index + count);
}

/**
 * Adjusts the first and last index of a range to inserted, deleted or moved rows or columns. A range that overlaps
 * moved rows or columns only in part stays in place.
 */
function shiftSpan(first: number, last: number, shift: LineShift): [first: number, last: number] {
  const end = shift.at + shift.count - 1;
  if (shift.to !== undefined && first <= end && last >= shift.at && (first < shift.at || last > end))
    return [first, last];
  const start = shiftIndex(first, shift);
  const next = shift.count < 0 ? shiftIndex(last + 1, shift) - 1 : shiftIndex(last, shift);
  return [start, Math.max(start, next)];
}

export function shiftCell(cell: Cell, shift: LineShift): Cell {
  return shift.axis === 'row'
    ? { row: shiftIndex(cell.row, shift), col: cell.col }
    : { row: cell.row, col: shiftIndex(cell.col, shift) };
}

export function shiftRange(range: CellRange, shift: LineShift): CellRange {
  return withSpan(range, shift.axis, ...shiftSpan(...spanOf(range, shift.axis), shift));
}

/** Does the same as `shiftRange`, but returns undefined if all rows or columns of the range were deleted. */
export function shiftUnlessDeleted(range: CellRange, shift: LineShift): CellRange | undefined {
  const [first, last] = spanOf(range, shift.axis);
  return first >= shift.at && last < shift.at - shift.count ? undefined : shiftRange(range, shift);
}
