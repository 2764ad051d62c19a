import type { SheetDocument } from '../document/document.ts';
import type { Run, Runs } from '../document/objects/run-length.ts';
import { axisLimit } from '../document/objects/shift-objects.ts';
import type { SubSheet } from '../document/objects/sub-sheet.ts';
import { neverNoOp, undoWhenApart, noShift, touchesLines } from './affected-parts.ts';
import { growGrid } from './set-grid.ts';
import { defineMutation, type Mutation, type MutationFacts, type MutationKind } from './define-mutation.ts';

/** Data of mutations that set a number per row or column: its size, whether it is hidden, or its outline level. */
interface AxisRuns {
  readonly sheet: string;
  readonly axis: 'row' | 'col';
  /** Each run holds the first and last row or column, and the number to set for them. */
  readonly runs: readonly Run[];
}

interface AxisRunsKind {
  readonly type: number;
  readonly name: string;
  readonly object: string;
  /**
   * Returns the numbers that this kind of mutation changes (sizes, hidden or not, or outline levels), per row and per
   * column of a sub-sheet.
   */
  readonly runsOf: (sub: SubSheet) => { readonly row: Runs; readonly col: Runs };
  /** Validates a number and returns the number to store. */
  readonly checked?: (value: number) => number;
  readonly isNoOp?: MutationFacts<AxisRuns>['isNoOp'];
  readonly grows?: true;
}

function axisRunsKind({ type, name, object, runsOf, checked, isNoOp, grows }: AxisRunsKind): MutationKind<AxisRuns> {
  const kind: MutationKind<AxisRuns> = defineMutation({
    type,
    name,
    scope: 'layout',
    touches: ({ sheet, axis, runs }) => touchesLines(sheet, axis, runs, object),
    place: () => [],
    shift: noShift,
    isNoOp: isNoOp ?? neverNoOp,
    beside: undoWhenApart,
    apply: (document, { sheet, axis, runs }) => {
      const sub = document.subSheet(sheet);
      const stored = checked ? runs.map(([first, last, value]): Run => [first, last, checked(value)]) : runs;
      const undo: Mutation[] = [kind.of({ sheet, axis, runs: replaceRuns(document, runsOf(sub)[axis], axis, stored) })];
      const end = Math.max(-1, ...runs.map(([, last]) => last));
      if (grows) undo.push(...(axis === 'row' ? growGrid(sub, end, 0) : growGrid(sub, 0, end)));
      return undo;
    },
  });
  return kind;
}

/** Sets row heights in points or column widths in pixels; 0 restores the default. */
export const setSize = axisRunsKind({
  type: 11,
  name: 'set_size',
  object: 'sizes',
  runsOf: ({ rowSizes, colSizes }) => ({ row: rowSizes, col: colSizes }),
  isNoOp: ({ sheet, axis, runs }, document) => {
    const sub = document.subSheet(sheet);
    const sizes = axis === 'row' ? sub.rowSizes : sub.colSizes;
    return runs.every(([first, last, size]) => {
      let same = last < (axis === 'row' ? sub.rows : sub.cols);
      sizes.each(first, last, (_start, _end, value) => void (same &&= value === size));
      return same;
    });
  },
  grows: true,
});

/** Hides (1) or shows (0) rows or columns. Rows hidden by filters are stored separately. */
export const setVisible = axisRunsKind({
  type: 12,
  name: 'set_visible',
  object: 'hidden lines',
  runsOf: ({ hiddenRows, hiddenCols }) => ({ row: hiddenRows, col: hiddenCols }),
  checked: (value) => (value === 0 ? 0 : 1),
});

const deepest = 15;

/**
 * Sets the outline level of rows or columns. For the row or column after a collapsed group, 8 is added to the level as
 * a flag.
 */
export const setGroups = axisRunsKind({
  type: 47,
  name: 'set_groups',
  object: 'outline',
  runsOf: ({ rowGroups, colGroups }) => ({ row: rowGroups, col: colGroups }),
  checked: (depth) => {
    if (!Number.isInteger(depth) || depth < 0 || depth > deepest)
      throw new RangeError(`runs: ${depth} is not a depth between 0 and ${deepest}`);
    return depth;
  },
});

/**
 * Sets a number (size, hidden or not, or outline level) for the given runs of rows or columns. Returns the previous
 * numbers as runs, for undo.
 */
function replaceRuns(document: SheetDocument, target: Runs, axis: 'row' | 'col', runs: readonly Run[]): Run[] {
  const before: Run[] = [];
  for (const [start, end, value] of runs) {
    if (!Number.isInteger(start) || !Number.isInteger(end) || start < 0 || end < start || end >= axisLimit(axis)) {
      throw new RangeError(`runs: ${start} to ${end} do not lie between 0 and ${axisLimit(axis) - 1}`);
    }
    if (!Number.isFinite(value) || value < 0) throw new RangeError(`runs: ${value} is not a size`);
  }
  for (const [start, end, value] of runs) {
    const old: Run[] = [];
    target.each(start, end, (from, to, was) => old.push([from, to, was]));
    before.unshift(...old);
    target.set(start, end, value);
  }
  document.looksChanged = true;
  return before;
}
