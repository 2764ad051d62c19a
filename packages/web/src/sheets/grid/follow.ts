import type { Cell, CellRange } from '../geometry.ts';
import type { Shift } from '../revision.ts';

type LineShift = Omit<Shift, 'sheet_id'>;

/** Returns the row and column shifts of a revision on a sub-sheet. */
export function shiftsOn(revision: { readonly shifts: readonly Shift[] }, sheetId: string): readonly Shift[] {
  return revision.shifts.filter((one) => one.sheet_id === sheetId);
}

function moved(index: number, { at, count, to }: LineShift): number {
  if (to !== undefined) {
    const target = to > at ? to - count : to;
    if (index >= at && index < at + count) return index - at + target;
    const without = index < at ? index : index - count;
    return without < target ? without : without + count;
  }
  if (index < at) return index;
  return count > 0 ? index + count : Math.max(at, index + count);
}

/** A range that is only partly within the moved rows or columns stays in place. */
function movedSpan(first: number, last: number, shift: LineShift): [first: number, last: number] {
  const end = shift.at + shift.count - 1;
  if (shift.to !== undefined && first <= end && last >= shift.at && (first < shift.at || last > end))
    return [first, last];
  const start = moved(first, shift);
  return [start, Math.max(start, moved(last, shift))];
}

export function shiftedCell(cell: Cell, shift: LineShift): Cell {
  return shift.axis === 'row'
    ? { row: moved(cell.row, shift), col: cell.col }
    : { row: cell.row, col: moved(cell.col, shift) };
}

export function shiftedRange(range: CellRange, shift: LineShift): CellRange {
  if (shift.axis === 'row') {
    const [top, bottom] = movedSpan(range.top, range.bottom, shift);
    return { ...range, top, bottom };
  }
  const [left, right] = movedSpan(range.left, range.right, shift);
  return { ...range, left, right };
}
