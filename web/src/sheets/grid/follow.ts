import { rangeNamed, type Cell, type CellRange } from '../geometry.ts';

interface Told {
  readonly tool: string;
  readonly range: string | undefined;
}

/** Where a row or column stands after others inserted or deleted some. */
interface Shift {
  readonly axis: 'row' | 'col';
  readonly at: number;
  /** Negative when they were deleted. */
  readonly count: number;
}

/** What a revision of someone else did to the places of a sub-sheet; undefined when they stayed. */
export function shiftOf(revision: Told, sheetId: string, size: { rows: number; cols: number }): Shift | undefined {
  if (revision.tool !== 'insert_dimension' && revision.tool !== 'delete_dimension') return undefined;
  const cut = revision.range?.lastIndexOf('$') ?? -1;
  if (cut < 0 || revision.range!.slice(0, cut) !== sheetId) return undefined;
  const range = rangeNamed(revision.range!.slice(cut + 1));
  if (!range) return undefined;
  const sign = revision.tool === 'insert_dimension' ? 1 : -1;
  if (range.left === 0 && range.right >= size.cols - 1)
    return { axis: 'row', at: range.top, count: sign * (range.bottom - range.top + 1) };
  return range.top === 0 && range.bottom >= size.rows - 1
    ? { axis: 'col', at: range.left, count: sign * (range.right - range.left + 1) }
    : undefined;
}

function moved(index: number, { at, count }: Shift): number {
  if (index < at) return index;
  return count > 0 ? index + count : Math.max(at, index + count);
}

export function shiftedCell(cell: Cell, shift: Shift): Cell {
  return shift.axis === 'row'
    ? { row: moved(cell.row, shift), col: cell.col }
    : { row: cell.row, col: moved(cell.col, shift) };
}

export function shiftedRange(range: CellRange, shift: Shift): CellRange {
  const first = shiftedCell({ row: range.top, col: range.left }, shift);
  const last = shiftedCell({ row: range.bottom, col: range.right }, shift);
  return {
    top: first.row,
    left: first.col,
    bottom: Math.max(first.row, last.row),
    right: Math.max(first.col, last.col),
  };
}
