import type { SheetDocument } from '../document/document.ts';
import { putChart, removeChart } from './charts.ts';
import { clearContents } from './clear-contents.ts';
import { deleteDimension, insertDimension } from './dimensions.ts';
import { removeFilter, setFilter, updateFilter } from './filters.ts';
import { setGrid } from './set-grid.ts';
import { putImage, removeImage } from './images.ts';
import { clearLink, setLink } from './links.ts';
import { putMark, removeMark } from './range-objects.ts';
import { merge, unmerge } from './merges.ts';
import { moveDimension } from './move-dimension.ts';
import { moveLines } from './move-lines.ts';
import { moveSheet } from './move-sheet.ts';
import type { Beside, LineShift, Mutation, MutationKind, Scope, Touch } from './mutation.ts';
import { defineName, removeName } from './names.ts';
import { permuteRows } from './permute-rows.ts';
import { putPivot, removePivot } from './pivots.ts';
import { putProtect, removeProtect } from './protections.ts';
import { deleteRange, insertRange } from './range-shifts.ts';
import { renameSheet } from './rename-sheet.ts';
import { restoreBlock } from './restore-block.ts';
import { restoreState } from './restore-state.ts';
import { restoreStyles } from './restore-styles.ts';
import { setBorder } from './set-border.ts';
import { setFreeze } from './set-freeze.ts';
import { setGroups } from './set-outline-groups.ts';
import { setRangeBlock } from './set-range-block.ts';
import { setRichText } from './set-rich-text.ts';
import { setSetup } from './set-sheet-setup.ts';
import { setSize } from './set-row-column-size.ts';
import { setStyle } from './set-style.ts';
import { setValues } from './set-values.ts';
import { setVisible } from './set-row-column-visibility.ts';
import { addSheet, deleteSheet } from './sub-sheets.ts';

const list = [
  setValues,
  setRangeBlock,
  clearContents,
  setStyle,
  setBorder,
  merge,
  unmerge,
  insertDimension,
  deleteDimension,
  moveDimension,
  setSize,
  setVisible,
  insertRange,
  deleteRange,
  setFreeze,
  setFilter,
  updateFilter,
  removeFilter,
  permuteRows,
  setLink,
  clearLink,
  putImage,
  removeImage,
  addSheet,
  deleteSheet,
  renameSheet,
  moveSheet,
  putChart,
  removeChart,
  putPivot,
  removePivot,
  putProtect,
  removeProtect,
  defineName,
  removeName,
  restoreBlock,
  restoreStyles,
  restoreState,
  setGrid,
  setRichText,
  moveLines,
  putMark,
  removeMark,
  setSetup,
  setGroups,
] as const;

/** Mutation kinds by type number. Each kind validates its own data. */
const byType = new Map<number, MutationKind<never>>(
  list.map((kind) => [kind.type, kind as unknown as MutationKind<never>]),
);

/** Type number and name of every kind, ordered by number. */
export const mutationKinds: readonly { readonly type: number; readonly name: string }[] = list.map(
  ({ type, name }) => ({ type, name }),
);

/** Applies one mutation; if it throws, nothing has changed. Returns the inverse mutations, to be applied in order. */
export function apply(document: SheetDocument, mutation: Mutation): Mutation[] {
  return kindOf(mutation).apply(document, mutation.data as never);
}

function kindOf({ type }: Mutation): MutationKind<never> {
  const kind = byType.get(type);
  if (!kind) throw new RangeError(`type: there is no mutation ${type}`);
  return kind;
}

/** Everything that a mutation would change in the document's current state. */
export function touches(document: SheetDocument, mutation: Mutation): readonly Touch[] {
  return kindOf(mutation).touches(mutation.data as never, document);
}

/** The cells to show a user as the location of a mutation. */
export function placesOf(document: SheetDocument, mutation: Mutation): readonly Touch[] {
  return kindOf(mutation).place?.(mutation.data as never) ?? touches(document, mutation);
}

/** True if each mutation by itself changes nothing; then all of them together change nothing. */
export function areNoOps(document: SheetDocument, mutations: readonly Mutation[]): boolean {
  return mutations.every((one) => kindOf(one).isNoOp(one.data as never, document));
}

export function scopeOf(mutation: Mutation): Scope {
  return kindOf(mutation).scope;
}

/** The insertion, deletion or move of whole rows or columns that a mutation makes, if any. */
export function lineShiftOf(mutation: Mutation): LineShift | undefined {
  return kindOf(mutation).shift?.(mutation.data as never);
}

export function besideOf(mutation: Mutation): Beside {
  return kindOf(mutation).beside;
}

export function isKnown(mutation: Mutation): boolean {
  return byType.has(mutation.type);
}

export type { Beside, LineShift, Mutation, MutationFacts, MutationKind, Scope, Touch } from './mutation.ts';
export { defineMutation } from './mutation.ts';
export {
  setValues,
  setRangeBlock,
  clearContents,
  setStyle,
  setBorder,
  merge,
  unmerge,
  insertDimension,
  deleteDimension,
  moveDimension,
  setSize,
  setVisible,
  insertRange,
  deleteRange,
  setFreeze,
  setFilter,
  updateFilter,
  removeFilter,
  permuteRows,
  setLink,
  clearLink,
  putImage,
  removeImage,
  addSheet,
  deleteSheet,
  renameSheet,
  moveSheet,
  putChart,
  removeChart,
  putPivot,
  removePivot,
  putProtect,
  removeProtect,
  defineName,
  removeName,
  restoreBlock,
  restoreStyles,
  restoreState,
  setGrid,
  setRichText,
  moveLines,
  putMark,
  removeMark,
  setSetup,
  setGroups,
};
