import { rectOf, resolveRef, type SheetDocument, type SubSheet } from '@sheaf/engine/internal/document';
import { isRef, type Rect } from '@sheaf/engine';

const aggregates =
  /\b(SUM|SUBTOTAL|AGGREGATE|AVERAGE|COUNT|COUNTA|MIN|MAX|MEDIAN|PRODUCT|STDEV(\.[SP])?|VAR(\.[SP])?)\($/i;

/**
 * Returns the last row of a block if it contains totals; undefined otherwise. A row contains totals if it is the totals
 * row of a named table, or if one of its formulas aggregates the rows above while the cell above that formula does not.
 */
export function findTotalsRow(document: SheetDocument, sub: SubSheet, rect: Rect): number | undefined {
  const row = rect.bottom;
  if (row - rect.top < 2) return undefined;
  const isOfTable = sub.tables.some(({ regions, totals }) => {
    const { left, bottom, right } = rectOf(regions[0]!);
    return totals === true && bottom === row && left <= rect.right && right >= rect.left;
  });
  if (isOfTable) return row;
  for (let col = rect.left; col <= rect.right; col++)
    if (aggregatesAbove(document, sub, rect, row, col) && !aggregatesAbove(document, sub, rect, row - 1, col))
      return row;
  return undefined;
}

/**
 * Returns whether the cell's formula aggregates a range above the cell in the same column. The range must start no
 * lower than the second row of the block and end at most two rows above the cell.
 */
function aggregatesAbove({ workbook }: SheetDocument, sub: SubSheet, rect: Rect, row: number, col: number): boolean {
  const parts = workbook.templateAt(sub.sheet, row, col)?.pattern.parts ?? [];
  return parts.some((part, at) => {
    if (!isRef(part) || part.sheet !== undefined) return false;
    const before = parts
      .slice(0, at)
      .filter((one) => typeof one === 'string')
      .join('');
    const read = resolveRef(part, row, col);
    if (!read || !aggregates.test(before.replace(/[^(]*$/, ''))) return false;
    return (
      read.left === col && read.right === col && read.top <= rect.top + 1 && read.bottom < row && read.bottom >= row - 2
    );
  });
}
