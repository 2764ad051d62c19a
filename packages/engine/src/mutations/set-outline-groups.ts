import type { Run } from '../document/objects/run-length.ts';
import { replaceRuns } from './axis-runs.ts';
import { alwaysChanges, undoWhenApart, noShift, touchesLines } from './touches.ts';
import { defineMutation, type MutationKind } from './mutation.ts';

export interface SetGroups {
  readonly sheet: string;
  readonly axis: 'row' | 'col';
  /** First and last row or column, and the outline level; plus 8 where the group that ends just before is collapsed. */
  readonly runs: readonly Run[];
}

const deepest = 15;

/** Adds rows or columns to outline groups, or removes them. */
export const setGroups: MutationKind<SetGroups> = defineMutation({
  type: 47,
  name: 'set_groups',
  scope: 'layout',
  touches: ({ sheet, axis, runs }) => touchesLines(sheet, axis, runs, 'outline'),
  place: () => [],
  shift: noShift,
  isNoOp: alwaysChanges,
  beside: undoWhenApart,
  apply: (document, { sheet, axis, runs }) => {
    const sub = document.subSheet(sheet);
    for (const [, , depth] of runs)
      if (!Number.isInteger(depth) || depth < 0 || depth > deepest)
        throw new RangeError(`runs: ${depth} is not a depth between 0 and ${deepest}`);
    const before = replaceRuns(document, axis === 'row' ? sub.rowGroups : sub.colGroups, axis, runs);
    return [setGroups.of({ sheet, axis, runs: before })];
  },
});
