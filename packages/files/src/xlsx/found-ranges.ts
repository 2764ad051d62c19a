import type { Runs, SubSheet } from '@sheaf/engine/internal/document';
import { type Rect, maxCols } from '@sheaf/engine';

/** Merges that lie on one another are not believed: the first stays. */
export function apart(merges: readonly Rect[]): Rect[] {
  const reached = new Int32Array(maxCols).fill(-1);
  return [...merges]
    .sort((a, b) => a.top - b.top || a.left - b.left)
    .filter((rect) => {
      for (let col = rect.left; col <= rect.right; col++) if ((reached[col] as number) >= rect.top) return false;
      reached.fill(rect.bottom, rect.left, rect.right + 1);
      return true;
    });
}

/** Runs of a sheet that has so many lines. */
export function clip(runs: Runs, count: number): (readonly [number, number, number])[] {
  return runs
    .list()
    .flatMap(([start, end, value]) => (start < count ? [[start, Math.min(end, count - 1), value] as const] : []));
}

/** Rows of a rectangle in which a column holds something; taken first, because the visitor changes them. */
export function eachFilledRow(sub: SubSheet, col: number, rect: Rect, visit: (row: number) => void): void {
  const rows: number[] = [];
  sub.sheet.cells.eachPiece(col, rect.top, rect.bottom, (chunk, from, to, start) => {
    for (let i = from; i <= to; i++) if (chunk.tags[i] !== 0) rows.push(start + i);
  });
  for (const row of rows) visit(row);
}
