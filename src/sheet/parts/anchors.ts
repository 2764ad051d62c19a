import type { Anchor, SubSheet } from '../engine/document.ts';
import { type Rect, maxCols, maxRows } from '../engine/index.ts';
import { type Mutation, setGrid } from '../engine/mutations.ts';

/** Sizes a sub-sheet has unless told otherwise: pixels for columns, points for rows. */
const defaultColumnPixels = 100;
const defaultRowPoints = 20;
const pixelsPerPoint = 4 / 3;

/** The cells an object floats over. */
export function anchorRect(sub: SubSheet, anchor: Anchor): Rect {
  const bottom = reach(anchor.row, anchor.offsetY + anchor.height, maxRows, (row) =>
    sub.isRowHidden(row) ? 0 : (sub.rowSizes.get(row) || defaultRowPoints) * pixelsPerPoint,
  );
  const right = reach(anchor.col, anchor.offsetX + anchor.width, maxCols, (col) =>
    sub.hiddenCols.get(col) !== 0 ? 0 : sub.colSizes.get(col) || defaultColumnPixels,
  );
  return { top: anchor.row, left: anchor.col, bottom, right };
}

/** Grows the grid to hold what floats over it: outside nobody would see it. */
export function gridFor(sub: SubSheet, anchor: Anchor): Mutation[] {
  const { bottom, right } = anchorRect(sub, anchor);
  if (bottom < sub.rows && right < sub.cols) return [];
  return [setGrid.of({ sheet: sub.id, rows: Math.max(sub.rows, bottom + 1), cols: Math.max(sub.cols, right + 1) })];
}

function reach(from: number, pixels: number, limit: number, sizeOf: (index: number) => number): number {
  let left = pixels;
  let index = from;
  while (index < limit - 1) {
    left -= sizeOf(index);
    if (left <= 0) break;
    index++;
  }
  return index;
}
