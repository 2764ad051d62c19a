import type { BlockMove } from './move-objects.ts';
import { tiles } from './rects.ts';
import {
  type Comment,
  type ConditionalFormat,
  mergeAdjacentRegions,
  type CopyableRangeObjectKind,
  moveToRegions,
  type Region,
  regionsWithin,
  regionsWithout,
  type SubSheet,
  type Validation,
} from '@sheaf/engine/internal/document';
import type { Rect } from '@sheaf/engine';
import { type Mutation, putMark, removeMark } from '@sheaf/engine/internal/mutations';
import type { ToolCall } from '../calls/tool.ts';

type CopyableRangeObject = ConditionalFormat | Validation | Comment;

export interface RangeObjectCopy extends BlockMove {
  readonly isMove: boolean;
  readonly call: ToolCall;
}

/**
 * Returns the mutations that copy or move conditional formats, validations and comments (the kinds in `lists`) together
 * with their cells. Removes the formats, validations and comments of the overwritten cells.
 */
export function copyFormatsValidationsComments(
  copy: RangeObjectCopy,
  lists: readonly CopyableRangeObjectKind[],
): Mutation[] {
  return lists.flatMap((list) => {
    const { from, to } = copy;
    if (from[list].length === 0 && to[list].length === 0) return [];
    const sheets = new Map<SubSheet, CopyableRangeObject[]>([[from, [...from[list]]]]);
    if (to !== from) sheets.set(to, [...to[list]]);
    const coming = from[list].flatMap((object) => {
      const regions = targetRegions(regionsWithin(object.regions, copy.source), copy);
      return regions.length > 0 ? [{ object: object as CopyableRangeObject, regions }] : [];
    });
    const names = copy.document.workbook;
    const cut = (sub: SubSheet, hole: Rect): void => {
      const objects = sheets.get(sub)!;
      sheets.set(
        sub,
        objects.flatMap((object) => {
          const regions = regionsWithout(object.regions, hole);
          if (regions.length === 0) return [];
          return [
            regions.length === object.regions.length && regions.every((one, i) => one === object.regions[i])
              ? object
              : moveToRegions(object, regions, names),
          ];
        }),
      );
    };
    if (copy.isMove) cut(from, copy.source);
    cut(to, copy.target);
    for (const { object, regions } of coming) {
      const objects = sheets.get(to)!;
      const at = list === 'comments' ? -1 : objects.findIndex(({ id }) => id === object.id);
      const own = objects[at];
      if (own) objects[at] = moveToRegions(own, mergeAdjacentRegions([...own.regions, ...regions]), names);
      else
        for (const one of list === 'comments' ? regions.map((region) => [region]) : [mergeAdjacentRegions(regions)]) {
          const isKept = copy.isMove && [...sheets.values()].every((all) => all.every(({ id }) => id !== object.id));
          const id = isKept ? object.id : copy.call.newId(list.slice(0, -1));
          objects.push({ ...moveToRegions(object, one, names), id });
        }
    }
    return [...sheets].flatMap(([sub, after]) => changes(sub, list, after));
  });
}

/**
 * Returns the regions moved by the distance from the source to the target. If the source is repeated to fill a larger
 * target, returns them once for each repetition, clipped to the target.
 */
function targetRegions(regions: readonly Region[], { source, target }: RangeObjectCopy): Region[] {
  const found: Region[] = [];
  for (const { down, across } of tiles(source, target)) {
    const moved = regions.map((one): Region => [one[0] + down, one[1] + across, one[2] + down, one[3] + across]);
    found.push(...regionsWithin(moved, target));
  }
  return found;
}

function changes(sub: SubSheet, list: CopyableRangeObjectKind, after: readonly CopyableRangeObject[]): Mutation[] {
  const before = sub[list] as readonly CopyableRangeObject[];
  const gone = before.filter(({ id }) => !after.some((one) => one.id === id));
  const changed = after.filter((one) => !before.includes(one));
  return [
    ...gone.map(({ id }) => removeMark.of({ sheet: sub.id, list, id })),
    ...changed.map((object) => putMark.of({ sheet: sub.id, list, mark: object })),
  ];
}
