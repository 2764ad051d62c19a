import type { Rect } from '../base/address.ts';
import { wholeGrid, checkRegion, rectOf, contains, type Region } from '../document/objects/rect.ts';
import { checkPatch, type StylePatch } from '../document/objects/styles.ts';
import { undoWhenApart, touchesRegion } from './affected-parts.ts';
import { growGrid } from './set-grid.ts';
import { defineMutation, type MutationKind } from './define-mutation.ts';
import { keepStyles } from './restore-styles.ts';

/** A border line as `style:RRGGBB`; null removes the line. */
type Line = string | null;

export interface SetBorder {
  readonly sheet: string;
  readonly region: Region;
  readonly top?: Line;
  readonly bottom?: Line;
  readonly left?: Line;
  readonly right?: Line;
  /** `innerVertical` is the line between the columns of the region, `innerHorizontal` the line between its rows. */
  readonly innerVertical?: Line;
  readonly innerHorizontal?: Line;
}

/**
 * Sets borders of a region. A line between two cells is stored once, in the cell above the line or to its left. Only
 * lines at the region's own top and left edges are stored in the region's cells instead.
 */
export const setBorder: MutationKind<SetBorder> = defineMutation({
  type: 5,
  name: 'set_border',
  scope: 'cells',
  // A line at the region's edge may be stored in the adjacent cell outside of the region. The line is removed from that
  // cell, which is therefore listed, too.
  touches: (data, document) => {
    const { styles } = document.subSheet(data.sheet);
    const rect = rectOf(data.region);
    return [
      ...touchesRegion(data),
      ...borderPatchesOf(data)
        .filter(
          ({ area, change }) => !contains(rect, area) && !styles.isUnchangedBy(area, document.styles.patching(change)),
        )
        .map(({ area }) => ({ sheet: data.sheet, rect: area })),
    ];
  },
  place: touchesRegion,
  isNoOp: (data, document) => {
    const sub = document.subSheet(data.sheet);
    if (!contains(sub.grid, rectOf(data.region))) return false;
    return borderPatchesOf(data).every(({ area, change }) =>
      sub.styles.isUnchangedBy(area, document.styles.patching(change)),
    );
  },
  beside: undoWhenApart,
  apply: (document, data) => {
    const sub = document.subSheet(data.sheet);
    const rect = checkRegion(data.region);
    for (const line of [data.top, data.bottom, data.left, data.right, data.innerVertical, data.innerHorizontal])
      checkPatch({ borderTop: line });
    const { top, left, bottom, right } = rect;
    const around = {
      top: Math.max(0, top - 1),
      left: Math.max(0, left - 1),
      bottom: Math.min(wholeGrid.bottom, bottom + 1),
      right: Math.min(wholeGrid.right, right + 1),
    };
    const undo = [keepStyles(document, sub, around)];
    for (const { area, change } of borderPatchesOf(data)) sub.styles.update(area, document.styles.patching(change));
    undo.push(...growGrid(sub, bottom, right));
    return undo;
  },
});

/** Returns the border changes and the cells that each applies to. */
function borderPatchesOf(data: SetBorder): { area: Rect; change: StylePatch }[] {
  const rect = rectOf(data.region);
  const { top, left, bottom, right } = rect;
  const lines: { area: Rect; change: StylePatch }[] = [];
  const patch = (part: Partial<Rect>, change: StylePatch): void => {
    const area = { ...rect, ...part };
    if (
      area.top < 0 ||
      area.left < 0 ||
      area.bottom > wholeGrid.bottom ||
      area.right > wholeGrid.right ||
      area.bottom < area.top ||
      area.right < area.left
    )
      return;
    lines.push({ area, change });
  };
  if (data.innerVertical !== undefined) {
    patch({ right: right - 1 }, { borderRight: data.innerVertical });
    patch({ left: left + 1 }, { borderLeft: null });
  }
  if (data.innerHorizontal !== undefined) {
    patch({ bottom: bottom - 1 }, { borderBottom: data.innerHorizontal });
    patch({ top: top + 1 }, { borderTop: null });
  }
  if (data.top !== undefined) {
    patch({ bottom: top }, { borderTop: data.top });
    patch({ top: top - 1, bottom: top - 1 }, { borderBottom: null });
  }
  if (data.bottom !== undefined) {
    patch({ top: bottom }, { borderBottom: data.bottom });
    patch({ top: bottom + 1, bottom: bottom + 1 }, { borderTop: null });
  }
  if (data.left !== undefined) {
    patch({ right: left }, { borderLeft: data.left });
    patch({ left: left - 1, right: left - 1 }, { borderRight: null });
  }
  if (data.right !== undefined) {
    patch({ left: right }, { borderRight: data.right });
    patch({ left: right + 1, right: right + 1 }, { borderLeft: null });
  }
  return lines;
}
