import type { Run } from '../document/objects/run-length.ts';
import { replaceRuns } from './axis-runs.ts';
import { alwaysChanges, undoWhenApart, noShift, touchesLines } from './touches.ts';
import { defineMutation, type MutationKind } from './mutation.ts';

export interface SetVisible {
  readonly sheet: string;
  readonly axis: 'row' | 'col';
  /** First and last row or column, and 1 to hide or 0 to show. */
  readonly runs: readonly Run[];
}

/** Hides or shows rows or columns by user request; rows hidden by filters are separate. */
export const setVisible: MutationKind<SetVisible> = defineMutation({
  type: 12,
  name: 'set_visible',
  scope: 'layout',
  touches: ({ sheet, axis, runs }) => touchesLines(sheet, axis, runs, 'hidden lines'),
  place: () => [],
  shift: noShift,
  isNoOp: alwaysChanges,
  beside: undoWhenApart,
  apply: (document, { sheet, axis, runs }) => {
    const sub = document.subSheet(sheet);
    const hidden = runs.map(([start, end, value]): Run => [start, end, value === 0 ? 0 : 1]);
    return [
      setVisible.of({
        sheet,
        axis,
        runs: replaceRuns(document, axis === 'row' ? sub.hiddenRows : sub.hiddenCols, axis, hidden),
      }),
    ];
  },
});
