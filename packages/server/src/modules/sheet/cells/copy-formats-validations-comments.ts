import type { BlockMove } from './move-objects.ts';
import { tiles } from './rects.ts';
import {
  type Comment,
  type ConditionalFormat,
  joined,
  type CellMarkList,
  onRegions,
  type Region,
  regionsWithin,
  regionsWithout,
  type SubSheet,
  type Validation,
} from '@sheaf/engine/internal/document';
import type { Rect } from '@sheaf/engine';
import { type Mutation, putMark, removeMark } from '@sheaf/engine/internal/mutations';
import type { ToolCall } from '../calls/tool.ts';

type RangeObject = ConditionalFormat | Validation | Comment;

export interface MarksCopy extends BlockMove {
  readonly isMove: boolean;
  readonly call: ToolCall;
}

/**
 * Plans how conditional formats, validations and comments (the kinds in `lists`) are copied or moved together with
 * their cells. Removes those that the overwritten cells had.
 */
export function copyFormatsValidationsComments(copy: MarksCopy, lists: readonly CellMarkList[]): Mutation[] {
  return lists.flatMap((list) => {
    const { from, to } = copy;
    if (from[list].length === 0 && to[list].length === 0) return [];
    const sheets = new Map<SubSheet, RangeObject[]>([[from, [...from[list]]]]);
    if (to !== from) sheets.set(to, [...to[list]]);
    const coming = from[list].flatMap((mark) => {
      const regions = targetRegions(regionsWithin(mark.regions, copy.source), copy);
      return regions.length > 0 ? [{ mark: mark as RangeObject, regions }] : [];
    });
    const names = copy.document.workbook;
    const cut = (sub: SubSheet, hole: Rect): void => {
      const marks = sheets.get(sub)!;
      sheets.set(
        sub,
        marks.flatMap((mark) => {
          const regions = regionsWithout(mark.regions, hole);
          if (regions.length === 0) return [];
          return [
            regions.length === mark.regions.length && regions.every((one, i) => one === mark.regions[i])
              ? mark
              : onRegions(mark, regions, names),
          ];
        }),
      );
    };
    if (copy.isMove) cut(from, copy.source);
    cut(to, copy.target);
    for (const { mark, regions } of coming) {
      const marks = sheets.get(to)!;
      const at = list === 'comments' ? -1 : marks.findIndex(({ id }) => id === mark.id);
      const own = marks[at];
      if (own) marks[at] = onRegions(own, joined([...own.regions, ...regions]), names);
      else
        for (const one of list === 'comments' ? regions.map((region) => [region]) : [joined(regions)]) {
          const isKept = copy.isMove && [...sheets.values()].every((all) => all.every(({ id }) => id !== mark.id));
          const id = isKept ? mark.id : copy.call.newId(list.slice(0, -1));
          marks.push({ ...onRegions(mark, one, names), id });
        }
    }
    return [...sheets].flatMap(([sub, after]) => changes(sub, list, after));
  });
}

/**
 * Returns the regions shifted from the source to the target. If the source is repeated to fill the target, returns them
 * once for each repetition, clipped to the target.
 */
function targetRegions(regions: readonly Region[], { source, target }: MarksCopy): Region[] {
  const found: Region[] = [];
  for (const { down, across } of tiles(source, target)) {
    const moved = regions.map((one): Region => [one[0] + down, one[1] + across, one[2] + down, one[3] + across]);
    found.push(...regionsWithin(moved, target));
  }
  return found;
}

function changes(sub: SubSheet, list: CellMarkList, after: readonly RangeObject[]): Mutation[] {
  const before = sub[list] as readonly RangeObject[];
  const gone = before.filter(({ id }) => !after.some((one) => one.id === id));
  const changed = after.filter((one) => !before.includes(one));
  return [
    ...gone.map(({ id }) => removeMark.of({ sheet: sub.id, list, id })),
    ...changed.map((mark) => putMark.of({ sheet: sub.id, list, mark })),
  ];
}
