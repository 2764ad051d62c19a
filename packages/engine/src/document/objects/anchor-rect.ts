import type { Rect } from '../../base/address.ts';
import { maxCols, maxRows } from '../../base/grid-size.ts';
import type { Anchor } from './sheet-objects.ts';
import type { SubSheet } from './sub-sheet.ts';

/** Default column width in pixels and row height in points. */
const defaultColumnPixels = 100;
const defaultRowPoints = 20;
const pixelsPerPoint = 4 / 3;

/** Returns the range of cells that a floating object, such as a chart or an image, covers. */
export function anchorRect(sub: SubSheet, anchor: Anchor): Rect {
  const bottom = reach(anchor.row, anchor.offsetY + anchor.height, maxRows, (row) =>
    sub.isRowHidden(row) ? 0 : (sub.rowSizes.get(row) || defaultRowPoints) * pixelsPerPoint,
  );
  const right = reach(anchor.col, anchor.offsetX + anchor.width, maxCols, (col) =>
    sub.hiddenCols.get(col) !== 0 ? 0 : sub.colSizes.get(col) || defaultColumnPixels,
  );
  return { top: anchor.row, left: anchor.col, bottom, right };
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
