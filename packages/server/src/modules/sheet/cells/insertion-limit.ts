import type { SheetDocument, SubSheet } from '@sheaf/engine/internal/document';

/**
 * Returns the index of the last row or column with content that an insertion of rows or columns must not push off the
 * grid; -1 if there is none. Content is values, formulas, array and pivot table results, merged cells, links, charts
 * and images. Formats, sizes, filters and protections do not count.
 */
export function findInsertionLimit(document: SheetDocument, sub: SubSheet, axis: 'row' | 'col'): number {
  const rows = axis === 'row';
  let last = rows ? sub.sheet.lastRow : sub.sheet.lastCol;
  for (const rect of sub.merges.list()) last = Math.max(last, rows ? rect.bottom : rect.right);
  for (const { anchor } of [...sub.charts, ...sub.images]) last = Math.max(last, rows ? anchor.row : anchor.col);
  for (const { row, col } of [...sub.links.list(), ...sub.rich.list()]) last = Math.max(last, rows ? row : col);
  for (const { sheet, rect } of document.pivotOutputs.values())
    if (sheet === sub.id) last = Math.max(last, rows ? rect.bottom : rect.right);
  return last;
}
