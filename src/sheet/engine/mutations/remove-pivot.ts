import { retractPivot } from '../document/pivot/output.ts';
import type { PivotTable } from '../document/objects/objects.ts';
import { needIndex } from './lists.ts';
import { alwaysChanges, besideNothing } from './facts.ts';
import type { SheetDocument } from '../document/document.ts';
import { defineMutation, type MutationKind, type Touch } from './mutation.ts';
import { putPivot } from './put-pivot.ts';

export interface RemovePivot {
  readonly id: string;
}

/** Its output goes with it. */
export const removePivot: MutationKind<RemovePivot> = defineMutation({
  type: 31,
  name: 'remove_pivot',
  scope: 'objects',
  touches: ({ id }, document) => [{ object: `pivot ${id}` }, ...touchesShown(document, id)],
  isNoOp: alwaysChanges,
  beside: besideNothing,
  apply: (document, { id }) => {
    const at = needIndex(document.pivots, id, 'pivot table');
    const pivot = document.pivots[at] as PivotTable;
    retractPivot(document, id);
    document.pivots = document.pivots.toSpliced(at, 1);
    return [putPivot.of({ pivot, at })];
  },
});

/** The cells that a pivot table fills now. */
export function touchesShown(document: SheetDocument, id: string): Touch[] {
  const now = document.pivotOutputs.get(id);
  return now ? [{ sheet: now.sheet, rect: now.rect }] : [];
}
