import { unionRect } from '../cells/rects.ts';
import { type SheetDocument, wholeGrid } from '@sheaf/engine/internal/document';
import type { Rect } from '@sheaf/engine';
import { placesOf, type Mutation } from '@sheaf/engine/internal/mutations';
import { formatRange } from '../reading/format-range.ts';

const maxMutations = 1000;

/**
 * Returns the bounding range of the cells that the mutations change, in the first sub-sheet that they change. The range
 * only tells users where an edit changed cells, so changes of other sub-sheets may be missing.
 */
export function affectedRange(document: SheetDocument, mutations: readonly Mutation[]): string | undefined {
  let sheet: string | undefined;
  let box: Rect | undefined;
  for (const mutation of mutations.slice(0, maxMutations)) {
    for (const one of placesOf(document, mutation)) {
      if (!one.rect || one.sheet === undefined || one.sheet !== (sheet ??= one.sheet)) continue;
      box = unionRect(box, one.rect);
    }
  }
  if (sheet === undefined || !box) return undefined;
  const sub = document.find(sheet);
  const { rows, cols } = sub ? document.size(sub) : { rows: 1, cols: 1 };
  return formatRange(sheet, {
    ...box,
    bottom: box.bottom === wholeGrid.bottom ? Math.max(box.top, rows - 1) : box.bottom,
    right: box.right === wholeGrid.right ? Math.max(box.left, cols - 1) : box.right,
  });
}
