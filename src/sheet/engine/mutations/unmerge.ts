import { rectName } from '../base/address.ts';
import { checkRegion, sameRect, type Region } from '../document/objects/rect.ts';
import { alwaysChanges, besideOthers, noShift, touchesRegions } from './facts.ts';
import { defineMutation, type MutationKind } from './mutation.ts';
import { merge } from './merge.ts';

export interface Unmerge {
  readonly sheet: string;
  /** Merged areas exactly as they are. */
  readonly regions: readonly Region[];
}

export const unmerge: MutationKind<Unmerge> = defineMutation({
  type: 7,
  name: 'unmerge',
  scope: 'layout',
  touches: touchesRegions,
  shift: noShift,
  isNoOp: alwaysChanges,
  beside: besideOthers,
  apply: (document, { sheet, regions }) => {
    const sub = document.subSheet(sheet);
    const rects = regions.map((region) => checkRegion(region, 'regions'));
    for (const rect of rects) {
      if (!sub.merges.meeting(rect).some((one) => sameRect(one, rect)))
        throw new RangeError(`regions: ${rectName(rect)} is no merged area`);
    }
    sub.merges.remove(rects);
    return [merge.of({ sheet, regions, keepContents: true })];
  },
});
