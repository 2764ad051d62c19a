import { rectName, type Rect } from '../base/address.ts';
import type { SheetDocument } from '../document/document.ts';
import { capture, eraseContents, type FormulaRun, type ValueRun } from '../document/objects/cell-contents.ts';
import { RectIndex, checkRegion, meets, sameRect, type Region } from '../document/objects/rect.ts';
import type { SubSheet } from '../document/objects/sub-sheet.ts';
import { CutsArray } from './array-formula-checks.ts';
import { CutsMerge } from './merge-split-error.ts';
import { removeLinksAndRichText } from './remove-links-and-rich-text.ts';
import { neverNoOp, undoWhenApart, noShift, touchesRegions } from './affected-parts.ts';
import { growGrid } from './set-grid.ts';
import { defineMutation, type Mutation, type MutationKind } from './define-mutation.ts';
import { setValues } from './set-values.ts';

interface Merge {
  readonly sheet: string;
  readonly regions: readonly Region[];
  /** If set, covered cells keep their content. Used to undo an unmerge. */
  readonly keepContents?: true;
}

/** Merges each area into one cell: the top left cell keeps its content, the others are cleared. */
export const merge: MutationKind<Merge> = defineMutation({
  type: 6,
  name: 'merge',
  scope: 'layout',
  touches: touchesRegions,
  shift: noShift,
  isNoOp: neverNoOp,
  beside: undoWhenApart,
  apply: (document, { sheet, regions, keepContents }) => {
    const sub = document.subSheet(sheet);
    const rects = regions.map((region) => checkRegion(region, 'regions'));
    for (const rect of rects) {
      if (rect.top === rect.bottom && rect.left === rect.right)
        throw new RangeError(`regions: ${rectName(rect)} is a single cell`);
      const [other] = sub.merges.meeting(rect);
      if (other) throw new CutsMerge(other);
    }
    const [array] = document.workbook.spills
      .legacyArrays(sub.sheet.id)
      .filter((area) => rects.some((rect) => meets(rect, area)));
    if (array) throw new CutsArray(array);
    const index = new RectIndex(rects);
    for (const rect of rects) {
      const other = index.meeting(rect).find((one) => one !== rect && meets(one, rect));
      if (other) throw new RangeError(`regions: ${rectName(rect)} and ${rectName(other)} overlap`);
    }
    const undo: Mutation[] = [unmerge.of({ sheet, regions })];
    if (!keepContents) undo.push(...eraseHidden(document, sub, rects));
    sub.merges.add(rects);
    for (const rect of rects) undo.push(...growGrid(sub, rect.bottom, rect.right));
    return undo;
  },
});

function eraseHidden(document: SheetDocument, sub: SubSheet, rects: readonly Rect[]): Mutation[] {
  const undo: Mutation[] = [];
  const values: ValueRun[] = [];
  const formulas: FormulaRun[] = [];
  const hidden = rects
    .flatMap((rect) => [
      { ...rect, left: rect.left + 1, bottom: rect.top },
      { ...rect, top: rect.top + 1 },
    ])
    .filter((rect) => rect.left <= rect.right && rect.top <= rect.bottom);
  for (const rect of hidden) {
    const old = capture(document, sub, rect);
    if (old.values) values.push(...old.values);
    if (old.formulas) formulas.push(...old.formulas);
  }
  if (values.length > 0 || formulas.length > 0) undo.push(setValues.of({ sheet: sub.id, values, formulas }));
  undo.push(...removeLinksAndRichText(sub, hidden));
  for (const rect of hidden) eraseContents(document, sub, rect);
  return undo;
}

interface Unmerge {
  readonly sheet: string;
  /** The merged areas to unmerge; each must match an existing one exactly. */
  readonly regions: readonly Region[];
}

export const unmerge: MutationKind<Unmerge> = defineMutation({
  type: 7,
  name: 'unmerge',
  scope: 'layout',
  touches: touchesRegions,
  shift: noShift,
  isNoOp: neverNoOp,
  beside: undoWhenApart,
  apply: (document, { sheet, regions }) => {
    const sub = document.subSheet(sheet);
    const rects = regions.map((region) => checkRegion(region, 'regions'));
    for (const rect of rects) {
      if (!sub.merges.meeting(rect).some((one) => sameRect(one, rect)))
        throw new RangeError(`regions: ${rectName(rect)} is no merged area`);
    }
    sub.merges.remove(rects);
    return [merge.of({ sheet, regions, keepContents: true })];
  },
});
