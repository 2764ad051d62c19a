import { checkRegion, contains, rectOf, type Region } from '../document/objects/rect.ts';
import { checkPatch, type StylePatch } from '../document/objects/styles.ts';
import { undoWhenApart, touchesRegion } from './affected-parts.ts';
import { growGrid } from './set-grid.ts';
import { defineMutation, type MutationKind } from './define-mutation.ts';
import { keepStyles } from './restore-styles.ts';

interface SetStyle {
  readonly sheet: string;
  readonly region: Region;
  /** Properties to clear before `set` applies: all, all except borders (`format`), or only borders. */
  readonly clear?: 'all' | 'format' | 'border';
  /** Properties to set. `null` clears a property, and absent properties are unchanged. */
  readonly set?: StylePatch;
}

export const setStyle: MutationKind<SetStyle> = defineMutation({
  type: 4,
  name: 'set_style',
  scope: 'cells',
  touches: touchesRegion,
  isNoOp: ({ sheet, region, clear, set }, document) => {
    const sub = document.subSheet(sheet);
    const rect = rectOf(region);
    if (set && !contains(sub.grid, rect)) return false;
    const cleared = clear ? document.styles.clearing(clear) : (id: number): number => id;
    const patched = set ? document.styles.patching(set) : (id: number): number => id;
    return sub.styles.isUnchangedBy(rect, (id) => patched(cleared(id)));
  },
  beside: undoWhenApart,
  apply: (document, { sheet, region, clear, set }) => {
    const sub = document.subSheet(sheet);
    const rect = checkRegion(region);
    if (set) checkPatch(set);
    const undo = [keepStyles(document, sub, rect)];
    if (clear) sub.styles.update(rect, document.styles.clearing(clear));
    if (set) {
      sub.styles.update(rect, document.styles.patching(set));
      undo.push(...growGrid(sub, rect.bottom, rect.right));
    }
    if (clear === 'all' || clear === 'format' || (set && 'numberFormat' in set)) document.looksChanged = true;
    return undo;
  },
});
