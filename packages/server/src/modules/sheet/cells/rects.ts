import type { Rect } from '@sheaf/engine';

export function cellRect(row: number, col: number): Rect {
  return { top: row, left: col, bottom: row, right: col };
}

export function containsCell(rect: Rect, row: number, col: number): boolean {
  return row >= rect.top && row <= rect.bottom && col >= rect.left && col <= rect.right;
}

export function unionRect(one: Rect | undefined, other: Rect): Rect {
  if (!one) return other;
  return {
    top: Math.min(one.top, other.top),
    left: Math.min(one.left, other.left),
    bottom: Math.max(one.bottom, other.bottom),
    right: Math.max(one.right, other.right),
  };
}

/** Returns the intersection of two rectangles. Callers must make sure that they intersect. */
export function intersectRect(one: Rect, other: Rect): Rect {
  return {
    top: Math.max(one.top, other.top),
    left: Math.max(one.left, other.left),
    bottom: Math.min(one.bottom, other.bottom),
    right: Math.min(one.right, other.right),
  };
}

export function shiftRect({ top, left, bottom, right }: Rect, down: number, across: number): Rect {
  return { top: top + down, left: left + across, bottom: bottom + down, right: right + across };
}

export function countRectCells({ top, left, bottom, right }: Rect): number {
  return (bottom - top + 1) * (right - left + 1);
}

/**
 * Yields how far each copy of the source is shifted down and to the right, when the source is repeated to fill the
 * target. The last copies may extend beyond the target.
 */
export function* tiles(source: Rect, target: Rect): Generator<{ down: number; across: number }> {
  const height = source.bottom - source.top + 1;
  const width = source.right - source.left + 1;
  for (let top = target.top; top <= target.bottom; top += height) {
    for (let left = target.left; left <= target.right; left += width)
      yield { down: top - source.top, across: left - source.left };
  }
}

/** Groups ascending numbers into runs of consecutive numbers. */
export function groupConsecutive(numbers: Iterable<number>): [first: number, last: number][] {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const open = runs.at(-1);
    if (open && open[1] === number - 1) open[1] = number;
    else runs.push([number, number]);
  }
  return runs;
}
