import type { Region, Runs, SubSheet } from '@sheaf/engine/internal/document';
import { type Rect, maxCols } from '@sheaf/engine';

/** Returns the merged ranges sorted by position. Ranges that overlap an earlier one are dropped. */
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
 * Calls `visit` for each row of the rectangle in which column `col` has a value. The rows are collected first, because
 * `visit` changes cells.
 */
export function eachFilledRow(sub: SubSheet, col: number, rect: Rect, visit: (row: number) => void): void {
  const rows: number[] = [];
  sub.sheet.cells.eachPiece(col, rect.top, rect.bottom, (chunk, from, to, start) => {
    for (let i = from; i <= to; i++) if (chunk.tags[i] !== 0) rows.push(start + i);
  });
  for (const row of rows) visit(row);
}

/**
 * Converts the row spans of each column to regions, joining equal spans of adjacent columns. Returns undefined if there
 * are more than `max` regions.
 */
export function regionsOfSpans(
  cols: number,
  spansOf: (col: number) => readonly (readonly [first: number, last: number])[],
  max: number,
): Region[] | undefined {
  const regions: [number, number, number, number][] = [];
  let growing = new Map<string, [number, number, number, number]>();
  for (let col = 0; col < cols; col++) {
    const next: typeof growing = new Map();
    for (const [top, bottom] of spansOf(col)) {
      const before = growing.get(`${top},${bottom}`);
      const region = before ?? [top, col, bottom, col];
      region[3] = col;
      if (!before) regions.push(region);
      next.set(`${top},${bottom}`, region);
    }
    growing = next;
    if (regions.length > max) return undefined;
  }
  return regions;
}
