import type { SheetDocument } from '../document/document.ts';
import { neverNoOp, wholeLines, undoNever } from './affected-parts.ts';
import { defineMutation, type Mutation, type MutationKind, type Touch } from './define-mutation.ts';
import { applyStructuralEdit } from './structural-edit.ts';

/** Whole rows or columns to insert or delete. */
interface DimensionRun {
  readonly sheet: string;
  readonly axis: 'row' | 'col';
  readonly at: number;
  readonly count: number;
}

export const insertDimension: MutationKind<DimensionRun> = defineMutation({
  type: 8,
  name: 'insert_dimension',
  scope: 'layout',
  touches: ({ sheet, axis, at }) => [{ sheet, across: { axis, at } }],
  place: placeOf,
  shift: ({ sheet, axis, at, count }) => ({ sheet, axis, at, count }),
  isNoOp: neverNoOp,
  beside: undoNever,
  apply: (document, data) => apply(document, 'insert', data, deleteDimension.of(fieldsOf(data))),
});

export const deleteDimension: MutationKind<DimensionRun> = defineMutation({
  type: 9,
  name: 'delete_dimension',
  scope: 'layout',
  touches: placeOf,
  shift: ({ sheet, axis, at, count }) => ({ sheet, axis, at, count: -count }),
  isNoOp: neverNoOp,
  beside: undoNever,
  apply: (document, data) => apply(document, 'delete', data, insertDimension.of(fieldsOf(data))),
});

/** Copies only the declared fields, so that no other property of the data is written to the mutation log. */
function fieldsOf({ sheet, axis, at, count }: DimensionRun): DimensionRun {
  return { sheet, axis, at, count };
}

function placeOf({ sheet, axis, at, count }: DimensionRun): Touch[] {
  return [{ sheet, rect: wholeLines(axis, at, at + count - 1) }];
}

function apply(document: SheetDocument, kind: 'insert' | 'delete', data: DimensionRun, inverse: Mutation): Mutation[] {
  const sub = document.subSheet(data.sheet);
  const { axis, at, count } = data;
  return applyStructuralEdit(document, sub, { sheet: sub.sheet.id, axis, change: { kind, at, count } }, inverse);
}
