import type { Runs, SubSheet } from '@sheaf/engine/internal/document';
import { type Rect, maxCols } from '@sheaf/engine';

/** Returns the merged ranges sorted by position, without those that overlap an earlier one. */
export function dropOverlappingMerges(merges: readonly Rect[]): Rect[] {
  const reached = new Int32Array(maxCols).fill(-1);
  return [...merges]
    .sort((a, b) => a.top - b.top || a.left - b.left)
    .filter((rect) => {
      for (let col = rect.left; col <= rect.right; col++) if ((reached[col] as number) >= rect.top) return false;
      reached.fill(rect.bottom, rect.left, rect.right + 1);
      return true;
    });
}

export function clipRuns(runs: Runs, count: number): (readonly [number, number, number])[] {
  return runs
    .list()
    .flatMap(([start, end, value]) => (start < count ? [[start, Math.min(end, count - 1), value] as const] : []));
}

/**
 * Calls `visit` for each row of the rectangle in which the column has a cell. The rows are collected first, because
 * `visit` changes cells.
 */
export function eachFilledRow(sub: SubSheet, col: number, rect: Rect, visit: (row: number) => void): void {
  const rows: number[] = [];
  sub.sheet.cells.eachPiece(col, rect.top, rect.bottom, (chunk, from, to, start) => {
    for (let i = from; i <= to; i++) if (chunk.tags[i] !== 0) rows.push(start + i);
  });
  for (const row of rows) visit(row);
}
