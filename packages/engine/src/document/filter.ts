import { shownTexts, storedText } from './display-text.ts';
import type { SheetDocument } from './document.ts';
import type { FilterColumn } from './objects/sheet-objects.ts';
import { rectOf, type Region } from './objects/rect.ts';
import type { SubSheet } from './objects/sub-sheet.ts';
import type { Scalar } from '../base/values.ts';

/**
 * Returns the rows that a filter with these criteria hides, given the current cell values, as ranges of consecutive
 * rows. The callers store the result with the filter.
 */
export function hiddenRows(
  document: SheetDocument,
  sheet: SubSheet,
  region: Region,
  columns: readonly FilterColumn[],
): [first: number, last: number][] {
  const rect = rectOf(region);
  const runs: [number, number][] = [];
  if (columns.length === 0 || rect.bottom === rect.top) return runs;
  const count = rect.bottom - rect.top;
  const hidden = new Uint8Array(count);
  for (const { col, visible } of columns) {
    const listed = new Set(visible);
    shownTexts(document, sheet, col, rect.top + 1, rect.bottom, (text, i, value) => {
      if (!isListed(listed, text, value)) hidden[i] = 1;
    });
  }
  for (let i = 0; i < count; i++) {
    if (hidden[i] === 0) continue;
    const row = rect.top + 1 + i;
    const last = runs[runs.length - 1];
    if (last && last[1] === row - 1) last[1] = row;
    else runs.push([row, row]);
  }
  return runs;
}

/** Returns whether a filter's list of visible values contains the cell's formatted text or its stored value. */
export function isListed(listed: ReadonlySet<string>, text: string, value: Scalar): boolean {
  return listed.has(text) || (typeof value !== 'string' && value !== null && listed.has(storedText(value)));
}
