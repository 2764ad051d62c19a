import type { PivotTable } from '../document/objects/objects.ts';
import { checkRegion } from '../document/objects/rect.ts';
import { retractPivot } from '../document/pivot/output.ts';
import { checkCell } from '../workbook/workbook.ts';
import { added } from './lists.ts';
import { defineMutation, type MutationKind } from './mutation.ts';
import { removePivot } from './remove-pivot.ts';

export interface PutPivot {
  /** One with the same id is replaced where it stands. */
  readonly pivot: PivotTable;
  readonly at?: number;
}

/** The table itself is computed after the edit, as formulas are. */
export const putPivot: MutationKind<PutPivot> = defineMutation(30, 'put_pivot', (document, { pivot, at }) => {
  document.subSheet(pivot.sheet);
  if (pivot.source) {
    checkRegion(pivot.source, 'pivot.source');
    document.subSheet(pivot.sourceSheet);
  }
  checkCell(pivot.row, pivot.col);
  const index = document.pivots.findIndex((one) => one.id === pivot.id);
  const before = document.pivots[index];
  if (before) {
    document.pivots = document.pivots.with(index, pivot);
    retractPivot(document, pivot.id);
    return [putPivot.of({ pivot: before })];
  }
  document.pivots = added(document.pivots, pivot, at, 'pivot table');
  return [removePivot.of({ id: pivot.id })];
});
