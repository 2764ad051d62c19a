import type { Rect } from '../base/address.ts';
import type { SheetDocument } from '../document/document.ts';
import { hiddenRows } from '../document/filter.ts';
import { isBlank } from '../document/objects/cell-contents.ts';
import type { SubSheet } from '../document/objects/sub-sheet.ts';
import { CutsMerge } from './merge-split-error.ts';
import { neverNoOp, undoNever, shiftOfMove, touchesMove } from './affected-parts.ts';
import type { MoveDimension } from './legacy-move-dimension.ts';
import { defineMutation, type MutationKind } from './define-mutation.ts';
import { applyStructuralEdit, reverseChange } from './structural-edit.ts';

type MoveLines = MoveDimension;

/**
 * Moves rows or columns (lines). A filter, protection, merge, chart or pivot range keeps its size if lines move within
 * it, shrinks if lines move out of it, and grows if lines move between its lines. The older mutation kind
 * `move_dimension` remains for revisions that are already stored.
 */
export const moveLines: MutationKind<MoveLines> = defineMutation({
  type: 41,
  name: 'move_lines',
  scope: 'layout',
  touches: touchesMove,
  shift: shiftOfMove,
  isNoOp: neverNoOp,
  beside: undoNever,
  apply: (document, { sheet, axis, from, count, to }) => {
    const sub = document.subSheet(sheet);
    const change = { kind: 'move', from, count, to } as const;
    if (to >= from && to <= from + count)
      throw new RangeError(`to: ${to} lies in the block of ${count} from ${from} itself`);
    const back = reverseChange(change) as typeof change;
    for (const rect of sub.merges.list()) if (hidesValues(document, sub, rect, axis, change)) throw new CutsMerge(rect);
    const criteria = new Map(sub.filters.map((one) => [one.id, one.columns.length]));
    const reverse = moveLines.of({ sheet, axis, from: back.from, count, to: back.to });
    const undo = applyStructuralEdit(document, sub, { sheet: sub.sheet.id, axis, change, reorders: true }, reverse);
    // A column that was moved out of its filter lost its criterion, so the hidden rows are recomputed from the
    // remaining criteria.
    sub.filters = sub.filters.map((one) =>
      one.columns.length === criteria.get(one.id)
        ? one
        : { ...one, hidden: hiddenRows(document, sub, one.region, one.columns) },
    );
    return undo;
  },
});

/**
 * Returns whether moving the rows or columns would displace the first row or column of a merged area, which holds the
 * area's value, or move cells with values into the area, where they would be hidden.
 */
function hidesValues(
  document: SheetDocument,
  sub: SubSheet,
  rect: Rect,
  axis: 'row' | 'col',
  move: { from: number; count: number; to: number },
): boolean {
  const { from, count, to } = move;
  const [first, last] = axis === 'row' ? [rect.top, rect.bottom] : [rect.left, rect.right];
  const end = from + count - 1;
  if (from <= first && end >= last) return false;
  const meets = from <= last && end >= first;
  if (meets && from <= first) return true;
  if (to === first && meets && from >= first && end <= last) return true;
  const arrives = to > first && to <= last;
  if (!arrives || (meets && from >= first && end <= last)) return false;
  const block: Rect = axis === 'row' ? { ...rect, top: from, bottom: end } : { ...rect, left: from, right: end };
  return (
    !isBlank(sub, block) || sub.merges.meeting(block).some((one) => one.top !== rect.top || one.left !== rect.left)
  );
}
