import type { SheetDocument } from '../document/document.ts';
import type { PivotTable } from '../document/objects/sheet-objects.ts';
import { checkRegion } from '../document/objects/rect.ts';
import { computePivot } from '../document/pivot/compute-pivot.ts';
import { retractPivot } from '../document/pivot/pivot-output.ts';
import { checkCell } from '../workbook/workbook-core.ts';
import { cellRect, hasIdentical, neverNoOp, undoNever } from './affected-parts.ts';
import { putObject, takeObject } from './object-lists.ts';
import { defineMutation, type MutationKind, type Touch } from './define-mutation.ts';

interface PutPivot {
  /** The pivot table to add. It replaces the pivot table with the same id, if there is one. */
  readonly pivot: PivotTable;
  readonly at?: number;
}

/** Adds or replaces a pivot table. Its output is computed after the edit, like formulas. */
export const putPivot: MutationKind<PutPivot> = defineMutation({
  type: 30,
  name: 'put_pivot',
  scope: 'objects',
  touches: ({ pivot }, document) => {
    const object = { object: `pivot ${pivot.id}` };
    // If the sub-sheet does not exist yet, because the same edit adds it, nothing on it can be protected.
    if (!document.find(pivot.sheet)) return [object];
    const { rows, cols } = computePivot(document, pivot, {});
    const bottom = pivot.row + Math.max(1, rows) - 1;
    const rect = { top: pivot.row, left: pivot.col, bottom, right: pivot.col + Math.max(1, cols) - 1 };
    return [object, { sheet: pivot.sheet, rect }, ...touchesOutput(document, pivot.id)];
  },
  place: ({ pivot }) => [{ sheet: pivot.sheet, rect: cellRect(pivot.row, pivot.col) }],
  isNoOp: ({ pivot }, document) => hasIdentical(document.pivots, pivot),
  beside: { undone: 'when apart', later: 'never' },
  apply: (document, { pivot, at }) => {
    document.subSheet(pivot.sheet);
    if (pivot.source) {
      checkRegion(pivot.source, 'pivot.source');
      document.subSheet(pivot.sourceSheet);
    }
    checkCell(pivot.row, pivot.col);
    const [pivots, before] = putObject(document.pivots, pivot, at, 'pivot table');
    document.pivots = pivots;
    if (!before) return [removePivot.of({ id: pivot.id })];
    retractPivot(document, pivot.id);
    return [putPivot.of({ pivot: before })];
  },
});

interface RemovePivot {
  readonly id: string;
}

/** Removes a pivot table and its output. */
export const removePivot: MutationKind<RemovePivot> = defineMutation({
  type: 31,
  name: 'remove_pivot',
  scope: 'objects',
  touches: ({ id }, document) => [{ object: `pivot ${id}` }, ...touchesOutput(document, id)],
  isNoOp: neverNoOp,
  beside: undoNever,
  apply: (document, { id }) => {
    const { rest, object, at } = takeObject(document.pivots, id, 'pivot table');
    retractPivot(document, id);
    document.pivots = rest;
    return [putPivot.of({ pivot: object, at })];
  },
});

function touchesOutput(document: SheetDocument, id: string): Touch[] {
  const now = document.pivotOutputs.get(id);
  return now ? [{ sheet: now.sheet, rect: now.rect }] : [];
}
