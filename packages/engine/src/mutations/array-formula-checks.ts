import { rectName, type Rect } from '../base/address.ts';
import type { SheetDocument } from '../document/document.ts';
import { contains, meets } from '../document/objects/rect.ts';
import type { SubSheet } from '../document/objects/sub-sheet.ts';
import type { StructuralEdit } from '../formula/rewrite-reference.ts';

/**
 * Thrown when an edit would change part of a legacy (Ctrl+Shift+Enter) array formula. Such a formula can only be
 * changed as a whole.
 */
export class CutsArray extends RangeError {
  constructor(array: Rect) {
    super(`the edit would change a part of the array formula in ${rectName(array)}; change or clear all of it`);
    this.name = 'CutsArray';
  }
}

/** Throws CutsArray if writing or clearing these rectangles would change only part of a legacy array formula. */
export function checkWholeArrays({ workbook }: SheetDocument, { sheet }: SubSheet, rects: readonly Rect[]): void {
  if (!workbook.spills.any(sheet.id)) return;
  for (const area of workbook.spills.legacyArrays(sheet.id)) {
    const own = rects.filter((rect) => meets(rect, area));
    if (own.length > 0 && !own.some((rect) => contains(rect, area)) && !covers(own, area)) throw new CutsArray(area);
  }
}

/** Returns whether the rectangles together cover the area. */
function covers(rects: readonly Rect[], area: Rect): boolean {
  for (let col = area.left; col <= area.right; col++) {
    const spans = rects.filter(({ left, right }) => left <= col && right >= col).toSorted((a, b) => a.top - b.top);
    let next = area.top;
    for (const { top, bottom } of spans) if (top <= next) next = Math.max(next, bottom + 1);
    if (next <= area.bottom) return false;
  }
  return true;
}

/** Throws CutsArray if inserting, deleting or moving rows or columns would split a legacy array formula. */
export function checkUnsplitArrays({ workbook }: SheetDocument, { sheet }: SubSheet, edit: StructuralEdit): void {
  if (!workbook.spills.any(sheet.id)) return;
  const { axis, change, within } = edit;
  for (const area of workbook.spills.legacyArrays(sheet.id)) {
    const [first, last] = axis === 'row' ? [area.top, area.bottom] : [area.left, area.right];
    const [low, high] = axis === 'row' ? [area.left, area.right] : [area.top, area.bottom];
    const start = change.kind === 'move' ? Math.min(change.from, change.to) : change.at;
    if (last < start || (within && (high < within.first || low > within.last))) continue;
    const isAcross = within !== undefined && (low < within.first || high > within.last);
    if (isAcross || isCut(change, first, last)) throw new CutsArray(area);
  }
}

function isCut(change: StructuralEdit['change'], first: number, last: number): boolean {
  const splits = (at: number): boolean => first < at && last >= at;
  if (change.kind === 'insert') return splits(change.at);
  const start = change.kind === 'move' ? change.from : change.at;
  const end = start + change.count;
  const isInside = first >= start && last < end;
  if (change.kind === 'delete') return !isInside && first < end && last >= start;
  return splits(start) || splits(end) || (!isInside && splits(change.to));
}
