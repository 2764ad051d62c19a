import type { PixelRect } from '../cell-geometry.ts';
import type { GridView, Tab } from '../sheet-session.ts';

/** Position of a chart or image: a cell, a pixel offset within that cell, and a size in pixels. */
export interface DrawingAnchor {
  readonly row: number;
  readonly col: number;
  readonly offsetX: number;
  readonly offsetY: number;
  readonly width: number;
  readonly height: number;
}

export interface DrawingLocation {
  row_index: number;
  col_index: number;
  horizontal_offset?: number | undefined;
  vertical_offset?: number | undefined;
  width?: number | undefined;
  height?: number | undefined;
}

export function toAnchor(location: DrawingLocation): DrawingAnchor {
  return {
    row: location.row_index,
    col: location.col_index,
    offsetX: location.horizontal_offset ?? 0,
    offsetY: location.vertical_offset ?? 0,
    width: location.width ?? 480,
    height: location.height ?? 300,
  };
}

export function toLocation(anchor: DrawingAnchor): Required<DrawingLocation> {
  const whole = (value: number, least: number): number => Math.min(10_000, Math.max(least, Math.round(value)));
  return {
    row_index: anchor.row,
    col_index: anchor.col,
    horizontal_offset: whole(anchor.offsetX, 0),
    vertical_offset: whole(anchor.offsetY, 0),
    width: whole(anchor.width, 1),
    height: whole(anchor.height, 1),
  };
}

/**
 * Returns the anchor (cell and offset) of a chart or image after it was moved to a pixel rectangle, which may be
 * outside the visible area. `before` is its anchor before the move. A drawing can be moved from frozen cells to
 * scrolling cells, but not from scrolling cells to frozen cells.
 */
export function anchorForRect(view: GridView, tab: Tab, before: DrawingAnchor, rect: PixelRect): DrawingAnchor {
  const frozen = (row: number, col: number): { row: boolean; col: boolean } => {
    const pane = view.paneOf({ row, col });
    return { row: pane === 'top' || pane === 'corner', col: pane === 'left' || pane === 'corner' };
  };
  const corner = view.paneRect('corner');
  const from = frozen(before.row, before.col);
  const was = {
    row: from.row && rect.y < corner.y + corner.height,
    col: from.col && rect.x < corner.x + corner.width,
  };
  const rows = span(tab.rows, was.row, (row) => frozen(row, before.col).row);
  const cols = span(tab.cols, was.col, (col) => frozen(before.row, col).col);
  const top = (row: number): number => view.rectOf({ top: row, bottom: row, left: before.col, right: before.col }).y;
  const left = (col: number): number => view.rectOf({ top: before.row, bottom: before.row, left: col, right: col }).x;
  const y = Math.max(rect.y, top(rows.first));
  const x = Math.max(rect.x, left(cols.first));
  const row = lastAt(rows.first, rows.last, top, y);
  const col = lastAt(cols.first, cols.last, left, x);
  return {
    row,
    col,
    offsetX: Math.round(x - left(col)),
    offsetY: Math.round(y - top(row)),
    width: rect.width,
    height: rect.height,
  };
}

/**
 * Returns the first and last index of the frozen rows or columns, or of the scrolling ones if `isFrozen` is false.
 * `frozenAt` returns whether the row or column at an index is frozen.
 */
function span(count: number, isFrozen: boolean, frozenAt: (index: number) => boolean): { first: number; last: number } {
  let end = 0;
  while (end < count && frozenAt(end)) end++;
  return isFrozen ? { first: 0, last: Math.max(0, end - 1) } : { first: Math.min(end, count - 1), last: count - 1 };
}

function lastAt(first: number, last: number, startOf: (index: number) => number, at: number): number {
  let low = first;
  let high = last;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (startOf(middle) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}
