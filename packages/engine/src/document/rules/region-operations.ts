import { contains, meets, rectOf, regionOf, type Region } from '../objects/rect.ts';
import type { Rect } from '../../base/address.ts';
import type { RangeObject } from '../objects/range-objects.ts';
import { reanchorFormula } from '../objects/shift-anchored-objects.ts';
import type { SheetNames } from '../../formula/reference.ts';

/**
 * Moves a range object, such as a validation rule, to other regions. Its formulas are rewritten for the new first cell,
 * so that every cell reads the same cells as before.
 */
export function moveToRegions<T extends RangeObject>(object: T, regions: readonly Region[], names: SheetNames): T {
  const [from] = object.regions;
  const [to] = regions;
  if (!from || !to || !object.formulas) return { ...object, regions };
  const formulas = object.formulas.map((text) =>
    reanchorFormula(text, { row: from[0], col: from[1] }, { row: to[0], col: to[1] }, names),
  );
  return { ...object, regions, formulas };
}

export function subtractRegions(regions: readonly Region[], hole: Rect): Region[] {
  return regions.flatMap((region) => {
    const rect = rectOf(region);
    if (!meets(rect, hole)) return [region];
    if (contains(hole, rect)) return [];
    const { top, left, bottom, right } = rect;
    const from = Math.max(top, hole.top);
    const to = Math.min(bottom, hole.bottom);
    const pieces: Region[] = [];
    if (top < hole.top) pieces.push([top, left, hole.top - 1, right]);
    if (left < hole.left) pieces.push([from, left, to, hole.left - 1]);
    if (right > hole.right) pieces.push([from, hole.right + 1, to, right]);
    if (bottom > hole.bottom) pieces.push([hole.bottom + 1, left, bottom, right]);
    return pieces;
  });
}

export function intersectRegions(regions: readonly Region[], rect: Rect): Region[] {
  return regions.flatMap((region) => {
    const one = rectOf(region);
    if (!meets(one, rect)) return [];
    return [
      regionOf({
        top: Math.max(one.top, rect.top),
        left: Math.max(one.left, rect.left),
        bottom: Math.min(one.bottom, rect.bottom),
        right: Math.min(one.right, rect.right),
      }),
    ];
  });
}

/**
 * Merges adjacent regions of equal width, then those of equal height. Formulas of the object on these regions are
 * relative to the top left cell of the first region, so the merged region that starts at this cell is listed first.
 */
export function mergeAdjacentRegions(regions: readonly Region[]): Region[] {
  const [first] = regions;
  const down = merge(regions, (a, b) => a[1] === b[1] && a[3] === b[3] && b[0] <= a[2] + 1 && b[0] >= a[0], 1);
  const all = merge(down, (a, b) => a[0] === b[0] && a[2] === b[2] && b[1] <= a[3] + 1 && b[1] >= a[1], 0);
  const holding = all.findIndex((one) => first && one[0] === first[0] && one[1] === first[1]);
  return holding > 0 ? [all[holding] as Region, ...all.toSpliced(holding, 1)] : all;
}

function merge(regions: readonly Region[], fits: (a: Region, b: Region) => boolean, by: 0 | 1): Region[] {
  const sorted = [...regions].sort((a, b) => a[by] - b[by] || a[by + 2]! - b[by + 2]! || a[1 - by]! - b[1 - by]!);
  const made: Region[] = [];
  for (const one of sorted) {
    const last = made.at(-1);
    if (last && fits(last, one))
      made[made.length - 1] = [last[0], last[1], Math.max(last[2], one[2]), Math.max(last[3], one[3])];
    else made.push(one);
  }
  return made;
}
