import { neverNoOp, undoNever, shiftOfMove, touchesMove } from './affected-parts.ts';
import { defineMutation, type MutationKind } from './define-mutation.ts';
import { applyStructuralEdit, reverseChange } from './structural-edit.ts';

export interface MoveDimension {
  readonly sheet: string;
  readonly axis: 'row' | 'col';
  readonly from: number;
  readonly count: number;
  /** Index of the row or column before which the moved ones are placed, counted before the move. */
  readonly to: number;
}

export const moveDimension: MutationKind<MoveDimension> = defineMutation({
  type: 10,
  name: 'move_dimension',
  scope: 'layout',
  touches: touchesMove,
  shift: shiftOfMove,
  isNoOp: neverNoOp,
  beside: undoNever,
  apply: (document, { sheet, axis, from, count, to }) => {
    const sub = document.subSheet(sheet);
    const change = { kind: 'move', from, count, to } as const;
    const back = reverseChange(change);
    if (to >= from && to <= from + count)
      throw new RangeError(`to: ${to} lies in the block of ${count} from ${from} itself`);
    if (back.kind !== 'move') return [];
    return applyStructuralEdit(
      document,
      sub,
      { sheet: sub.sheet.id, axis, change },
      moveDimension.of({ sheet, axis, from: back.from, count, to: back.to }),
    );
  },
});
