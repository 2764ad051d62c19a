import { type SheetDocument, wholeGrid } from '@sheaf/engine/internal/document';
import type { Rect } from '@sheaf/engine';
import { placesOf, type Mutation } from '@sheaf/engine/internal/mutations';
import { rangeText } from '../reading/range-text.ts';

const maxLookedAt = 1000;

/** The range that a plan changes, in the first sub-sheet it touches. Only for display. */
export function placeOf(document: SheetDocument, mutations: readonly Mutation[]): string | undefined {
  let sheet: string | undefined;
  let box: Rect | undefined;
  for (const mutation of mutations.slice(0, maxLookedAt)) {
    for (const one of placesOf(document, mutation)) {
      if (!one.rect || one.sheet === undefined || one.sheet !== (sheet ??= one.sheet)) continue;
      box = box ? around(box, one.rect) : one.rect;
    }
  }
  if (sheet === undefined || !box) return undefined;
  const sub = document.find(sheet);
  const { rows, cols } = sub ? document.size(sub) : { rows: 1, cols: 1 };
  return rangeText(sheet, {
    ...box,
    bottom: box.bottom === wholeGrid.bottom ? Math.max(box.top, rows - 1) : box.bottom,
    right: box.right === wholeGrid.right ? Math.max(box.left, cols - 1) : box.right,
  });
}

function around(one: Rect, other: Rect): Rect {
  return {
    top: Math.min(one.top, other.top),
    left: Math.min(one.left, other.left),
    bottom: Math.max(one.bottom, other.bottom),
    right: Math.max(one.right, other.right),
  };
}
