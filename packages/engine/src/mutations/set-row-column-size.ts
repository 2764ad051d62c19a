import type { Run } from '../document/objects/run-length.ts';
import { replaceRuns } from './axis-runs.ts';
import { undoWhenApart, noShift, touchesLines } from './touches.ts';
import { growGrid } from './set-grid.ts';
import { defineMutation, type Mutation, type MutationKind } from './mutation.ts';

export interface SetSize {
  readonly sheet: string;
  readonly axis: 'row' | 'col';
  /** First and last row or column, and the size: points for heights, pixels for widths, 0 for the default. */
  readonly runs: readonly Run[];
}

export const setSize: MutationKind<SetSize> = defineMutation({
  type: 11,
  name: 'set_size',
  scope: 'layout',
  touches: ({ sheet, axis, runs }) => touchesLines(sheet, axis, runs, 'sizes'),
  place: () => [],
  shift: noShift,
  isNoOp: ({ sheet, axis, runs }, document) => {
    const sub = document.subSheet(sheet);
    const sizes = axis === 'row' ? sub.rowSizes : sub.colSizes;
    return runs.every(([first, last, size]) => {
      let same = last < (axis === 'row' ? sub.rows : sub.cols);
      sizes.each(first, last, (_start, _end, value) => void (same &&= value === size));
      return same;
    });
  },
  beside: undoWhenApart,
  apply: (document, { sheet, axis, runs }) => {
    const sub = document.subSheet(sheet);
    const before = replaceRuns(document, axis === 'row' ? sub.rowSizes : sub.colSizes, axis, runs);
    const last = Math.max(-1, ...runs.map(([, end]) => end));
    const undo: Mutation[] = [setSize.of({ sheet, axis, runs: before })];
    undo.push(...(axis === 'row' ? growGrid(sub, last, 0) : growGrid(sub, 0, last)));
    return undo;
  },
});
