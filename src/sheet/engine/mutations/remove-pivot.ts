import { retractPivot } from '../document/pivot/output.ts';
import type { PivotTable } from '../document/objects/objects.ts';
import { needIndex } from './lists.ts';
import { defineMutation, type MutationKind } from './mutation.ts';
import { putPivot } from './put-pivot.ts';

export interface RemovePivot {
  readonly id: string;
}

/** Its output goes with it. */
export const removePivot: MutationKind<RemovePivot> = defineMutation(31, 'remove_pivot', (document, { id }) => {
  const at = needIndex(document.pivots, id, 'pivot table');
  const pivot = document.pivots[at] as PivotTable;
  retractPivot(document, id);
  document.pivots = document.pivots.toSpliced(at, 1);
  return [putPivot.of({ pivot, at })];
});
