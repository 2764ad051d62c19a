import type { SheetDocument } from '../document/document.ts';
import type { Carried } from '../document/objects/kept.ts';
import { changeCarried, shiftCarried } from '../document/objects/shift-carried.ts';
import type { SubSheet } from '../document/objects/sub-sheet.ts';
import type { RefPart, SheetNames } from '../formula/reference.ts';
import type { StructuralEdit } from '../formula/rewrite.ts';
import type { Mutation } from './mutation.ts';
import { restoreState } from './restore-state.ts';

/** Formulas that other sub-sheets carry follow an edit of this one. Returns what shifting back does not undo. */
export function followElsewhere(
  document: SheetDocument,
  edited: SubSheet,
  edit: StructuralEdit,
  back: StructuralEdit,
): Mutation[] {
  return document.subSheets.flatMap((sub) => {
    if (sub === edited || sub.carried.length === 0) return [];
    const before = sub.carried;
    sub.carried = shiftCarried(before, sub.sheet.id, edit, back, document.workbook);
    if (sub.carried === before) return [];
    const again = shiftCarried(sub.carried, sub.sheet.id, back, edit, document.workbook);
    return JSON.stringify(again) === JSON.stringify(before) ? [] : [restored(sub, before)];
  });
}

/** After sub-sheets have gone or have other names; `before` is how they were called when the formulas were written. */
export function followSheets(
  document: SheetDocument,
  before: SheetNames,
  change: (ref: RefPart) => RefPart,
): Mutation[] {
  return document.subSheets.flatMap((sub) => {
    const list = sub.carried;
    sub.carried = changeCarried(list, before, document.workbook, change);
    return sub.carried === list ? [] : [restored(sub, list)];
  });
}

function restored(sub: SubSheet, carried: readonly Carried[]): Mutation {
  return restoreState.of({ sheet: sub.id, state: { carried } });
}
