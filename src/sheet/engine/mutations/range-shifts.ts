import { checkRegion, type Region } from '../document/objects/rect.ts';
import { alwaysChanges, besideNothing, noShift, touchesBeyond } from './facts.ts';
import { defineMutation, type MutationKind } from './mutation.ts';
import { applyStructural } from './structural.ts';

export interface InsertRange {
  readonly sheet: string;
  readonly region: Region;
  readonly axis: 'row' | 'col';
}

/** Cells of the region and after it make room downwards along rows, to the right along columns. */
export const insertRange: MutationKind<InsertRange> = defineMutation({
  type: 13,
  name: 'insert_range',
  scope: 'layout',
  touches: touchesBeyond,
  shift: noShift,
  isNoOp: alwaysChanges,
  beside: besideNothing,
  apply: (document, data) => {
    const sub = document.subSheet(data.sheet);
    const rect = checkRegion(data.region);
    const rows = data.axis === 'row';
    const change = {
      kind: 'insert',
      at: rows ? rect.top : rect.left,
      count: rows ? rect.bottom - rect.top + 1 : rect.right - rect.left + 1,
    } as const;
    const within = rows ? { first: rect.left, last: rect.right } : { first: rect.top, last: rect.bottom };
    return applyStructural(
      document,
      sub,
      { sheet: sub.sheet.id, axis: data.axis, change, within },
      deleteRange.of(data),
    );
  },
});

export interface DeleteRange {
  readonly sheet: string;
  readonly region: Region;
  readonly axis: 'row' | 'col';
}

/** Cells after the region close up upwards along rows, to the left along columns. */
export const deleteRange: MutationKind<DeleteRange> = defineMutation({
  type: 14,
  name: 'delete_range',
  scope: 'layout',
  touches: touchesBeyond,
  shift: noShift,
  isNoOp: alwaysChanges,
  beside: besideNothing,
  apply: (document, data) => {
    const sub = document.subSheet(data.sheet);
    const rect = checkRegion(data.region);
    const rows = data.axis === 'row';
    const change = {
      kind: 'delete',
      at: rows ? rect.top : rect.left,
      count: rows ? rect.bottom - rect.top + 1 : rect.right - rect.left + 1,
    } as const;
    const within = rows ? { first: rect.left, last: rect.right } : { first: rect.top, last: rect.bottom };
    return applyStructural(
      document,
      sub,
      { sheet: sub.sheet.id, axis: data.axis, change, within },
      insertRange.of(data),
    );
  },
});
