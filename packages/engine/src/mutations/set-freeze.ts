import { maxCols, maxRows } from '../base/grid-size.ts';
import { undoWhenApart, noShift } from './affected-parts.ts';
import { defineMutation, type MutationKind } from './define-mutation.ts';

interface SetFreeze {
  readonly sheet: string;
  readonly rows: number;
  readonly cols: number;
}

/** Freezes the first rows and columns of a sub-sheet; 0 and 0 freeze none. */
export const setFreeze: MutationKind<SetFreeze> = defineMutation({
  type: 15,
  name: 'set_freeze',
  scope: 'layout',
  touches: ({ sheet }) => [{ sheet, object: 'freeze' }],
  shift: noShift,
  isNoOp: ({ sheet, rows, cols }, document) => {
    const { freeze } = document.subSheet(sheet);
    return freeze.rows === rows && freeze.cols === cols;
  },
  beside: undoWhenApart,
  apply: (document, { sheet, rows, cols }) => {
    const sub = document.subSheet(sheet);
    if (!Number.isInteger(rows) || rows < 0 || rows > maxRows)
      throw new RangeError(`rows: ${rows} is not between 0 and ${maxRows}`);
    if (!Number.isInteger(cols) || cols < 0 || cols > maxCols)
      throw new RangeError(`cols: ${cols} is not between 0 and ${maxCols}`);
    const undo = setFreeze.of({ sheet, ...sub.freeze });
    sub.freeze = { rows, cols };
    return [undo];
  },
});
