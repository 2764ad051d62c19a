import { checkRegion, type Region } from '../document/objects/rect.ts';
import { checkPatch, type Style } from '../document/objects/styles.ts';
import { alwaysChanges, besideOthers, touchesRegion } from './facts.ts';
import { defineMutation, type MutationKind } from './mutation.ts';
import { keepStyles } from './support.ts';

export interface RestoreStyles {
  readonly sheet: string;
  readonly region: Region;
  readonly styles: readonly Style[];
  /** Rows `start` to `end` of a column get a style of the list; the rest of the region none. */
  readonly runs: readonly (readonly [col: number, start: number, end: number, style: number])[];
}

/** Makes a region have exactly these styles and borders. */
export const restoreStyles: MutationKind<RestoreStyles> = defineMutation({
  type: 37,
  name: 'restore_styles',
  scope: 'cells',
  touches: touchesRegion,
  isNoOp: alwaysChanges,
  beside: besideOthers,
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
