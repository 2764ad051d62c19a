import type { PivotTable } from '../document/objects/sheet-objects.ts';
import { wholeGrid } from '../document/objects/rect.ts';
import type { SubSheetState } from '../document/objects/sub-sheet.ts';
import { storedNames } from '../document/objects/document-tables.ts';
import { alwaysChanges, undoNever, noShift } from './touches.ts';
import { defineMutation, type MutationKind } from './mutation.ts';

export interface NamedFormula {
  readonly name: string;
  /** If absent, a name of the whole workbook. */
  readonly sheet?: string;
  readonly formula: string;
}

export interface RestoreState {
  readonly sheet: string;
  /** Parts of the sub-sheet's state; omitted parts stay. */
  readonly state?: Partial<SubSheetState>;
  readonly pivots?: readonly PivotTable[];
  /** Names to define; other names stay. */
  readonly names?: readonly NamedFormula[];
}

/** Restores whole parts of the state around cells; the second half of undoing structural edits. */
export const restoreState: MutationKind<RestoreState> = defineMutation({
  type: 38,
  name: 'restore_state',
  scope: 'layout',
  touches: ({ sheet }) => [{ sheet, rect: wholeGrid, writesFormulas: true }],
  shift: noShift,
  isNoOp: alwaysChanges,
  beside: undoNever,
  apply: (document, { sheet, state, pivots, names }) => {
    const sub = document.subSheet(sheet);
    const now = sub.save();
    const before = state && Object.fromEntries(Object.keys(state).map((key) => [key, now[key as keyof SubSheetState]]));
    const known =
      names &&
      document
        .names(storedNames(document))
        .filter((one) => names.some((other) => other.name === one.name && (other.sheet ?? undefined) === one.sheet));
    const undo = restoreState.of({
      sheet,
      ...(before ? { state: before } : {}),
      ...(pivots ? { pivots: document.pivots } : {}),
      ...(known ? { names: known } : {}),
    });
    if (state) sub.restore(state);
    if (pivots) document.pivots = pivots;
    for (const one of names ?? [])
      document.workbook.defineName(
        one.name,
        one.formula,
        one.sheet === undefined ? undefined : document.subSheet(one.sheet).sheet.id,
      );
    document.looksChanged = true;
    return [undo];
  },
});
