import type { PivotTable } from '../document/objects/sheet-objects.ts';
import { wholeGrid } from '../document/objects/rect.ts';
import type { SubSheetState } from '../document/objects/sub-sheet.ts';
import { namesForStoredFormulas } from '../document/objects/document-tables.ts';
import { neverNoOp, undoNever, noShift } from './affected-parts.ts';
import { defineMutation, type MutationKind } from './define-mutation.ts';

export interface NamedFormula {
  readonly name: string;
  /** Id of the sub-sheet that the name belongs to; if absent, the name belongs to the whole workbook. */
  readonly sheet?: string;
  readonly formula: string;
}

export interface RestoreState {
  readonly sheet: string;
  /** Parts of the sub-sheet's state to restore; omitted parts stay unchanged. */
  readonly state?: Partial<SubSheetState>;
  readonly pivots?: readonly PivotTable[];
  /** Defined names to restore; other names stay unchanged. */
  readonly names?: readonly NamedFormula[];
}

/**
 * Restores parts of a sub-sheet's state other than cells. The undo of a structural edit uses it for state that the
 * reverse edit does not restore.
 */
export const restoreState: MutationKind<RestoreState> = defineMutation({
  type: 38,
  name: 'restore_state',
  scope: 'layout',
  touches: ({ sheet }) => [{ sheet, rect: wholeGrid, writesFormulas: true }],
  shift: noShift,
  isNoOp: neverNoOp,
  beside: undoNever,
  apply: (document, { sheet, state, pivots, names }) => {
    const sub = document.subSheet(sheet);
    const now = sub.save();
    const before = state && Object.fromEntries(Object.keys(state).map((key) => [key, now[key as keyof SubSheetState]]));
    const known =
      names &&
      document
        .names(namesForStoredFormulas(document))
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
