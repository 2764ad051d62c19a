import { alwaysChanges, band, besideNothing } from './facts.ts';
import { defineMutation, type MutationKind } from './mutation.ts';
import { applyStructural } from './structural.ts';

export interface InsertDimension {
  readonly sheet: string;
  readonly axis: 'row' | 'col';
  readonly at: number;
  readonly count: number;
}

export const insertDimension: MutationKind<InsertDimension> = defineMutation({
  type: 8,
  name: 'insert_dimension',
  scope: 'layout',
  touches: ({ sheet, axis, at }) => [{ sheet, across: { axis, at } }],
  place: ({ sheet, axis, at, count }) => [{ sheet, rect: band(axis, at, at + count - 1) }],
  shift: ({ sheet, axis, at, count }) => ({ sheet, axis, at, count }),
  isNoOp: alwaysChanges,
  beside: besideNothing,
  apply: (document, data) => {
    const sub = document.subSheet(data.sheet);
    const { axis, at, count } = data;
    return applyStructural(
      document,
      sub,
      { sheet: sub.sheet.id, axis, change: { kind: 'insert', at, count } },
      deleteDimension.of({ sheet: data.sheet, axis, at, count }),
    );
  },
});

export interface DeleteDimension {
  readonly sheet: string;
  readonly axis: 'row' | 'col';
  readonly at: number;
  readonly count: number;
}

export const deleteDimension: MutationKind<DeleteDimension> = defineMutation({
  type: 9,
  name: 'delete_dimension',
  scope: 'layout',
  touches: ({ sheet, axis, at, count }) => [{ sheet, rect: band(axis, at, at + count - 1) }],
  shift: ({ sheet, axis, at, count }) => ({ sheet, axis, at, count: -count }),
  isNoOp: alwaysChanges,
  beside: besideNothing,
  apply: (document, data) => {
    const sub = document.subSheet(data.sheet);
    const { axis, at, count } = data;
    return applyStructural(
      document,
      sub,
      { sheet: sub.sheet.id, axis, change: { kind: 'delete', at, count } },
      insertDimension.of({ sheet: data.sheet, axis, at, count }),
    );
  },
});
