import { maxCols, maxRows } from '@sheaf/engine/grid-size';
import { singleCellRange, type Cell } from '../cell-geometry.ts';
import type { Grid } from './grid.ts';

/** Number of rows that stay visible when Page Up or Page Down scrolls the grid by one screen. */
const pageOverlap = 1;

/** Returns the corner of the selection opposite to the active cell. Shift with an arrow key moves this corner. */
export function selectionExtentCell(grid: Grid): Cell {
  const { active, range } = grid.session.selection.get();
  const anchor = grid.model.mergeAt(active.row, active.col) ?? singleCellRange(active.row, active.col);
  return {
    row: range.top < anchor.top ? range.top : range.bottom,
    col: range.left < anchor.left ? range.left : range.right,
  };
}

/**
 * Returns the next visible cell in a direction. A merged cell counts as one cell. Returns the same cell at the edge of
 * the sheet.
 */
export function neighborCell(grid: Grid, from: Cell, down: number, right: number): Cell {
  const merge = grid.model.mergeAt(from.row, from.col);
  const { rows, cols } = grid.model;
  let { row, col } = from;
  if (down !== 0)
    row = rows.nextShown((down > 0 ? (merge?.bottom ?? row) : (merge?.top ?? row)) + down, down > 0 ? 1 : -1) ?? row;
  if (right !== 0)
    col = cols.nextShown((right > 0 ? (merge?.right ?? col) : (merge?.left ?? col)) + right, right > 0 ? 1 : -1) ?? col;
  return { row: Math.min(row, maxRows - 1), col: Math.min(col, maxCols - 1) };
}

/** Scrolls one screen to the right or left and returns the cell to make active. */
export function scrollPageHorizontally(grid: Grid, from: Cell, direction: 1 | -1): Cell {
  const { cols } = grid.model;
  const { width } = grid.paneRect('body');
  const by = direction * Math.max(cols.standard, width - cols.standard);
  const col = cols.at(Math.max(0, cols.offset(from.col) + by + cols.standard / 2));
  grid.scrollBy(by, 0);
  return { row: from.row, col };
}

/**
 * Returns the next corner of the selection, going clockwise from the active cell. If the active cell is not at a
 * corner, returns the top-left corner.
 */
export function nextCorner(grid: Grid): Cell {
  const { active, range } = grid.session.selection.get();
  const corners = [
    { row: range.top, col: range.left },
    { row: range.top, col: range.right },
    { row: range.bottom, col: range.right },
    { row: range.bottom, col: range.left },
  ];
  const at = corners.findIndex(({ row, col }) => row === active.row && col === active.col);
  for (let by = 1; by < corners.length; by++) {
    const next = corners[(at + by) % corners.length]!;
    if (next.row !== active.row || next.col !== active.col) return next;
  }
  return active;
}

/** Scrolls one screen down or up and returns the cell to make active. */
export function scrollPageVertically(grid: Grid, from: Cell, direction: 1 | -1): Cell {
  const { rows } = grid.model;
  const body = grid.paneRect('body');
  const by = direction * Math.max(rows.standard, body.height - pageOverlap * rows.standard);
  // The target is rounded to the nearest row, so that paging down and then up returns to the same row.
  const target = rows.at(Math.max(0, rows.offset(from.row) + by + rows.standard / 2));
  grid.scrollBy(0, direction * (body.height - pageOverlap * rows.standard));
  return { row: target, col: from.col };
}
