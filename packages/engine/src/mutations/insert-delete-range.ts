import { checkRegion, type Region } from '../document/objects/rect.ts';
import { neverNoOp, undoNever, noShift, touchesShiftedCells } from './affected-parts.ts';
import { defineMutation, type Mutation, type MutationKind } from './define-mutation.ts';
import { applyStructuralEdit } from './structural-edit.ts';

/**
 * Data of mutations that insert or delete the cells of a region and shift the cells after it vertically (axis `row`) or
 * horizontally (axis `col`).
 */
interface RangeShift {
  readonly sheet: string;
  readonly region: Region;
  readonly axis: 'row' | 'col';
}

/** Inserts blank cells: the cells of the region and after it move down (axis `row`) or right (axis `col`). */
export const insertRange: MutationKind<RangeShift> = rangeShift(13, 'insert', (data) => deleteRange.of(data));

/** Deletes the cells of the region: the cells after it move up (axis `row`) or left (axis `col`). */
export const deleteRange: MutationKind<RangeShift> = rangeShift(14, 'delete', (data) => insertRange.of(data));

function rangeShift(
  type: number,
  kind: 'insert' | 'delete',
  inverse: (data: RangeShift) => Mutation,
): MutationKind<RangeShift> {
  return defineMutation({
    type,
    name: `${kind}_range`,
    scope: 'layout',
    touches: touchesShiftedCells,
    shift: noShift,
    isNoOp: neverNoOp,
    beside: undoNever,
    apply: (document, data) => {
      const sub = document.subSheet(data.sheet);
      const { top, left, bottom, right } = checkRegion(data.region);
      const rows = data.axis === 'row';
      const change = { kind, at: rows ? top : left, count: rows ? bottom - top + 1 : right - left + 1 };
      const within = rows ? { first: left, last: right } : { first: top, last: bottom };
      return applyStructuralEdit(
        document,
        sub,
        { sheet: sub.sheet.id, axis: data.axis, change, within },
        inverse(data),
      );
    },
  });
}
