import type { Rect } from '../../base/address.ts';
import { maxCols, maxRows } from '../../base/grid-size.ts';

/**
 * A rectangle of cells in the form in which the document stores it: zero-based rows and columns, with all four edges
 * inclusive.
 */
export type Region = readonly [top: number, left: number, bottom: number, right: number];

export const wholeGrid: Rect = { top: 0, left: 0, bottom: maxRows - 1, right: maxCols - 1 };

export function rectOf(region: Region): Rect {
  const [top, left, bottom, right] = region;
  return { top, left, bottom, right };
}

export function regionOf(rect: Rect): Region {
  return [rect.top, rect.left, rect.bottom, rect.right];
}

export function meets(a: Rect, b: Rect): boolean {
  return a.top <= b.bottom && a.bottom >= b.top && a.left <= b.right && a.right >= b.left;
}

export function contains(outer: Rect, inner: Rect): boolean {
  return (
    inner.top >= outer.top && inner.bottom <= outer.bottom && inner.left >= outer.left && inner.right <= outer.right
  );
}

export function sameRect(a: Rect, b: Rect): boolean {
  return a.top === b.top && a.left === b.left && a.bottom === b.bottom && a.right === b.right;
}

/**
 * Converts a region to a rectangle. Throws RangeError if the region lies outside the maximum grid, has edges that are
 * not whole numbers, or ends before it starts. `field` names the region in the error message.
 */
export function checkRegion(region: Region, field = 'region'): Rect {
  const rect = rectOf(region);
  const { top, left, bottom, right } = rect;
  if (![top, left, bottom, right].every(Number.isInteger))
    throw new RangeError(`${field}: rows and columns must be whole numbers, not ${JSON.stringify(region)}`);
  if (top < 0 || left < 0 || bottom >= maxRows || right >= maxCols) {
    throw new RangeError(
      `${field}: rows ${top} to ${bottom}, columns ${left} to ${right} are outside the grid of ${maxRows} rows and ${maxCols} columns`,
    );
  }
  if (bottom < top || right < left)
    throw new RangeError(`${field}: the end (${bottom}, ${right}) is before the start (${top}, ${left})`);
  return rect;
}

const blockSize = 64;

/**
 * Index over a list of rectangles, for finding those that overlap a given rectangle. It is immutable: if the list
 * changes, a new index must be created.
 */
export class RectIndex<T extends Rect> {
  readonly #sorted: readonly T[];
  /** Maximum bottom row of each block of the sorted list. A query skips the blocks that end above its rectangle. */
  readonly #deepest: number[] = [];

  constructor(rects: Iterable<T>) {
    this.#sorted = [...rects].sort((a, b) => a.top - b.top || a.left - b.left);
    this.#sorted.forEach((rect, i) => {
      const block = Math.floor(i / blockSize);
      this.#deepest[block] = Math.max(this.#deepest[block] ?? -1, rect.bottom);
    });
  }

  /** Returns the rectangles that overlap `rect`, from top to bottom. */
  meeting(rect: Rect): T[] {
    const found: T[] = [];
    const sorted = this.#sorted;
    const deepest = this.#deepest;
    for (let block = 0; block < deepest.length; block++) {
      if ((sorted[block * blockSize] as T).top > rect.bottom) break;
      if ((deepest[block] as number) < rect.top) continue;
      for (let i = block * blockSize; i < Math.min(sorted.length, (block + 1) * blockSize); i++) {
        const one = sorted[i] as T;
        if (meets(one, rect)) found.push(one);
      }
    }
    return found;
  }
}
