import type { Rect } from '../base/address.ts';
import type { SheetDocument } from '../document/document.ts';
import { checkRegion, regionOf, type Region } from '../document/objects/rect.ts';
import { checkPatch, type Style } from '../document/objects/styles.ts';
import type { SubSheet } from '../document/objects/sub-sheet.ts';
import { neverNoOp, undoWhenApart, touchesRegion } from './affected-parts.ts';
import { defineMutation, type MutationKind, type Mutation } from './define-mutation.ts';

export interface RestoreStyles {
  readonly sheet: string;
  readonly region: Region;
  readonly styles: readonly Style[];
  /** Rows `start` to `end` of a column get the style at index `style` of `styles`. The rest of the region gets none. */
  readonly runs: readonly (readonly [col: number, start: number, end: number, style: number])[];
}

/** Replaces all styles and borders of a region. */
export const restoreStyles: MutationKind<RestoreStyles> = defineMutation({
  type: 37,
  name: 'restore_styles',
  scope: 'cells',
  touches: touchesRegion,
  isNoOp: neverNoOp,
  beside: undoWhenApart,
  apply: (document, { sheet, region, styles, runs }) => {
    const sub = document.subSheet(sheet);
    const rect = checkRegion(region);
    styles.forEach(checkPatch);
    const undo = keepStyles(document, sub, rect);
    const ids = styles.map((style) => document.styles.intern(style));
    for (const col of sub.styles.used())
      if (col >= rect.left && col <= rect.right) sub.styles.set(col, rect.top, rect.bottom, 0);
    for (const [col, start, end, style] of runs) sub.styles.set(col, start, end, ids[style] ?? 0);
    document.looksChanged = true;
    return [undo];
  },
});

/** Returns the mutation that restores the current styles of a rectangle. */
export function keepStyles(document: SheetDocument, sheet: SubSheet, rect: Rect): Mutation {
  const styles: Style[] = [];
  const places = new Map<number, number>();
  const runs = sheet.styles.list(rect).map(([col, start, end, id]) => {
    let place = places.get(id);
    if (place === undefined) {
      place = styles.length;
      places.set(id, place);
      styles.push(document.styles.get(id));
    }
    return [col, start, end, place] as const;
  });
  return restoreStyles.of({ sheet: sheet.id, region: regionOf(rect), styles, runs });
}
