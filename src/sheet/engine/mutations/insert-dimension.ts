import { defineMutation, type MutationKind } from './mutation.ts';
import { deleteDimension } from './delete-dimension.ts';
import { applyStructural } from './structural.ts';

export interface InsertDimension {
  readonly sheet: string;
  readonly axis: 'row' | 'col';
  readonly at: number;
  readonly count: number;
}

export const insertDimension: MutationKind<InsertDimension> = defineMutation(
  8,
  'insert_dimension',
  (document, data) => {
    const sub = document.subSheet(data.sheet);
    const { axis, at, count } = data;
    return applyStructural(
      document,
      sub,
      { sheet: sub.sheet.id, axis, change: { kind: 'insert', at, count } },
      deleteDimension.of({ sheet: data.sheet, axis, at, count }),
    );
  },
);
